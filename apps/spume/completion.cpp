// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "apps/spume/command_line.h"
#include "spume/core/error.h"

namespace spume {
namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// Bash: commands first, then flags, bundled scenes where a scene is wanted, and files.
std::string bash_text(const CLI::App& app) {
    std::string names, cases;
    for (const CLI::App* command : commands_of(app)) {
        names += (names.empty() ? "" : " ") + command->get_name();
        cases += fmt::format("        {}) words=\"{}\" ;;\n", command->get_name(),
                             joined(flags_of(*command)));
    }
    return fmt::format(
        "# spume completion bash > ~/.local/share/bash-completion/completions/spume\n"
        "_spume() {{\n"
        "    local current=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"\"\n"
        "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
        "        COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))\n"
        "        return\n"
        "    fi\n"
        "    case \"${{COMP_WORDS[1]}}\" in\n{}    esac\n"
        "    case \"$current\" in\n"
        "        -*) ;;\n"
        "        *) case \"${{COMP_WORDS[1]}}\" in\n"
        "               run|check|sweep) words=\"$(\"${{COMP_WORDS[0]}}\" list scenes 2>/dev/null |"
        " sed 's/ .*//')\" ;;\n"
        "               list) words=\"methods scenes presets\" ;;\n"
        "               help) words=\"scene reference $(\"${{COMP_WORDS[0]}}\" list methods"
        " 2>/dev/null | sed 's/ .*//')\" ;;\n"
        "               *) words=\"\" ;;\n"
        "           esac ;;\n"
        "    esac\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "}}\n"
        "complete -o default -F _spume spume\n",
        names, cases);
}

std::string zsh_text(const CLI::App& app) {
    return "#compdef spume\nautoload -Uz bashcompinit && bashcompinit\n" + bash_text(app);
}

std::string quoted(std::string text) {
    for (std::size_t i = 0; (i = text.find_first_of("'\\", i)) != std::string::npos; i += 2)
        text.insert(i, "\\");
    return "'" + text + "'";
}

std::string fish_text(const CLI::App& app) {
    std::string text = "# spume completion fish > ~/.config/fish/completions/spume.fish\n";
    for (const CLI::App* command : commands_of(app)) {
        const std::string& name = command->get_name();
        text += fmt::format("complete -c spume -n __fish_use_subcommand -a {} -d {}\n", name,
                            quoted(command->get_description()));
        for (const CLI::Option* option : command->get_options())
            for (const std::string& flag : option->get_lnames())
                text += fmt::format(
                    "complete -c spume -n '__fish_seen_subcommand_from {}' -l {} -d {}\n", name,
                    flag, quoted(option->get_description()));
    }
    return text;
}

/// For troff: a backslash and a dot at the start of a line mean something.
std::string roff(std::string text) {
    for (std::size_t i = 0; (i = text.find('\\', i)) != std::string::npos; i += 2)
        text.insert(i, "\\");
    for (std::size_t i = 0; (i = text.find('-', i)) != std::string::npos; i += 2)
        text.insert(i, "\\");
    if (!text.empty() && (text[0] == '.' || text[0] == '\'')) text.insert(0, "\\&");
    return text;
}

std::string man_text(const CLI::App& app) {
    std::string text =
        ".TH SPUME 1\n.SH NAME\nspume \\- simulate air in water\n.SH SYNOPSIS\n.B spume\n"
        ".I COMMAND\n[\\fIOPTION\\fR]...\n.SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app)) {
        text += fmt::format(".SS spume {}\n{}\n", roff(command->get_name()),
                            roff(command->get_description()));
        for (const CLI::Option* option : command->get_options())
            text += fmt::format(".TP\n.B {}\n{}\n",
                                roff(option->get_name(option->get_positional(), true)),
                                roff(option->get_description()));
    }
    return text +
           ".SH EXIT STATUS\n0 done, 1 a defect of Spume, 2 your input, 3 the simulation cannot go "
           "on, 4 the machine, 130 or 143 stopped by a signal.\n";
}

}  // namespace

std::string generated_text(const CLI::App& app, const std::string& what) {
    if (what == "bash") return bash_text(app);
    if (what == "zsh") return zsh_text(app);
    if (what == "fish") return fish_text(app);
    SPUME_CHECK(what == "man");
    return man_text(app);
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "apps/spume/command_line.h"

#include "spume/core/error.h"
#include "spume/run/session.h"
#include "spume/scene/reference.h"

namespace spume {
namespace {

using Words = std::vector<std::string>;

Words names_of(const CLI::App& app) {
    Words names;
    for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
    return names;
}

/// Keys of scenes as --set names them.
Words scene_keys() {
    Words keys;
    for (const ParamRow& row : scene_params(methods()[0].name))
        if (row.table.find("[]") == std::string::npos)
            keys.push_back(row.table.empty() ? row.name : row.table + "." + row.name);
    return keys;
}

std::string flag_hint(const CLI::App& command, const std::string& word) {
    const std::string bare = word.substr(word.find_first_not_of('-'));
    const std::string near = nearest_key(word, flags_of(command, true));
    if (!near.empty()) return fmt::format("\ndid you mean {}?", near);
    for (const std::string& key : scene_keys())
        if (key.substr(key.rfind('.') + 1) == bare)
            return fmt::format("\nof the scene: --set {}=VALUE{}", key,
                               bare == "frames" ? "; or -s FIRST -e LAST" : "");
    return "";
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    std::vector<const CLI::App*> commands;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty()) commands.push_back(command);
    return commands;
}

Words flags_of(const CLI::App& command, bool both) {
    Words flags;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
        if (!both) continue;
        for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
    }
    return flags;
}

std::string command_line_error(const CLI::App& app, const CLI::ParseError& error,
                               const Words& arguments) {
    std::string text = error.what();
    const Words names = names_of(app);
    const bool known =
        !arguments.empty() && std::find(names.begin(), names.end(), arguments[0]) != names.end();
    if (!known) {
        if (!arguments.empty() && arguments[0].substr(0, 1) != "-")
            text =
                fmt::format("there is no command '{}'{}\nA subcommand is required: ", arguments[0],
                            meant(arguments[0], names));
        else
            text += "\nThere are: ";
        for (const std::string& name : names) text += (&name == &names[0] ? "" : ", ") + name;
        return text + "\n`spume --help` says what they do";
    }
    const CLI::App& command = *app.get_subcommand(arguments[0]);
    const Words flags = flags_of(command, true);
    for (const std::string& word : arguments) {
        const std::string flag = word.substr(0, word.find('='));
        if (flag.size() > 2 && flag.substr(0, 2) == "--" &&
            std::find(flags.begin(), flags.end(), flag) == flags.end())
            text += flag_hint(command, flag);
    }
    return text + fmt::format("\n`spume {} --help` names all flags", arguments[0]);
}

CLI::Validator between(double low, double high) {
    return CLI::Validator(
        [low, high](std::string& word) {
            double value = 0;
            const bool fine =
                CLI::detail::lexical_cast(word, value) && value >= low && value <= high;
            return fine ? std::string()
                        : fmt::format("{} is not a number from {} to {}", word, low, high);
        },
        fmt::format("NUMBER in [{} - {}]", low, high));
}

}  // namespace spume

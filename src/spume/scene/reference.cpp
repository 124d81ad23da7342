// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/reference.h"

#include <fmt/core.h>

#include "spume/core/units.h"
#include "spume/scene/read_params.h"
#include "spume/scene/scene.h"
#include "spume/scene/sweep.h"

namespace spume {
namespace {

using Kind = ParamRow::Kind;

class ParamLister : public ParamVisitor {
  public:
    std::vector<ParamRow> rows;

    void number(const char* name, double& value, const NumberSpec& spec) override {
        ParamRow& row = add(Kind::kNumber, name, spec.help);
        row.number = spec;
        row.unit = spec.unit;
        row.range = range(spec);
        const bool inside =
            value >= spec.min && value <= spec.max && !(spec.above_min && value == spec.min);
        if (inside) row.initial = number_text(value);
    }
    void vector(const char* name, Vec<double, 3>& value, const NumberSpec& spec) override {
        ParamRow& row = add(Kind::kVector, name, spec.help);
        row.number = spec;
        row.unit = spec.unit;
        row.range = range(spec);
        row.initial = fmt::format("[{}, {}, {}]", number_text(value[0]), number_text(value[1]),
                                  number_text(value[2]));
    }
    void integer(const char* name, int& value, int min, int max, const char* help) override {
        ParamRow& row = add(Kind::kInteger, name, help);
        row.least = min;
        row.most = max;
        row.range = min == max ? fmt::format("{}", min) : fmt::format("{} to {}", min, max);
        if (value >= min && value <= max) row.initial = fmt::format("{}", value);
    }
    void whole(const char* name, std::uint64_t& value, const char* help) override {
        add(Kind::kWhole, name, help).initial = fmt::format("{}", value);
    }
    void flag(const char* name, bool& value, const char* help) override {
        add(Kind::kFlag, name, help).initial = value ? "true" : "false";
    }
    void text(const char* name, std::string& value, const char* help) override {
        add(Kind::kText, name, help).initial = '"' + value + '"';
    }
    void path(const char* name, std::string&, const char* help) override {
        add(Kind::kPath, name, help);
    }
    void needed(const char* name, bool, const char* when) override {
        for (ParamRow& row : rows)
            if (row.table == tables_.back() && row.name == name) row.needed = when;
    }

  protected:
    void choose(const char* name, int& chosen,
                const std::vector<std::pair<const char*, const char*>>& words,
                const char* help) override {
        ParamRow& row = add(Kind::kChoice, name, help);
        row.initial = fmt::format("\"{}\"", words[static_cast<std::size_t>(chosen)].first);
        for (const auto& [word, meaning] : words) row.words.emplace_back(word, meaning);
    }
    bool enter(const char* name, const char* help) override {
        const std::string path = add(Kind::kSection, name, help).name;
        tables_.push_back(inner(path));
        return true;
    }
    int enter_list(const char* name, int, const char* help) override {
        add(Kind::kList, name, help);
        tables_.push_back(inner(name));
        return 1;
    }
    void enter_item(int) override { tables_.push_back(tables_.back() + "[]"); }
    void leave() override { tables_.pop_back(); }
    bool keeps_items() const override { return false; }

  private:
    static std::string range(const NumberSpec& spec) {
        NumberSpec plain = spec;
        plain.unit = "";
        std::string text = range_text(plain);
        if (text == "any number") return "";
        if (spec.above_min || text.find(" and ") == std::string::npos) return text;
        return number_text(spec.min) + " to " + number_text(spec.max);
    }
    std::string inner(const std::string& name) const {
        return tables_.back().empty() ? name : tables_.back() + "." + name;
    }
    ParamRow& add(Kind kind, const char* name, const char* help) {
        ParamRow row;
        row.kind = kind;
        row.table = tables_.back();
        row.name = name;
        row.help = help;
        rows.push_back(std::move(row));
        return rows.back();
    }

    std::vector<std::string> tables_{""};
};

std::string values_text(const ParamRow& row) {
    switch (row.kind) {
        case Kind::kNumber:
            return row.range;
        case Kind::kVector:
            return row.range.empty() ? "3 numbers" : "3 numbers, each " + row.range;
        case Kind::kInteger:
            return row.range;
        case Kind::kWhole:
            return "0 or more";
        case Kind::kFlag:
            return "true, false";
        case Kind::kText:
            return "text";
        case Kind::kPath:
            return "file";
        case Kind::kSection:
            return "table";
        case Kind::kList:
            return "list of tables";
        case Kind::kChoice:
            break;
    }
    std::string text;
    for (const auto& [word, meaning] : row.words)
        text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word);
    return text;
}

std::string full_help(const ParamRow& row) {
    std::string text = row.help;
    for (const auto& [word, meaning] : row.words) text += fmt::format(" {}: {}.", word, meaning);
    if (!row.needed.empty()) text += fmt::format(" Needed when {}.", row.needed);
    return text;
}

std::string header_of(const ParamRow& row) {
    const std::string path = row.table.empty() ? row.name : row.table + "." + row.name;
    std::string plain;
    for (char c : path)
        if (c != '[' && c != ']') plain += c;
    if (!row.table.empty()) return plain;
    return row.kind == Kind::kList ? "[[" + plain + "]]" : "[" + plain + "]";
}

std::string in_cell(const std::string& text) {
    std::string out;
    for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out.empty() ? "–" : out;
}

/// Each table's rows together: tables stand in the middle of what encloses them.
template <class Begin, class Row>
void by_table(const std::vector<ParamRow>& rows, Begin&& begin, Row&& each) {
    auto print = [&](const std::string& table) {
        for (const ParamRow& row : rows)
            if (row.table == table &&
                (!table.empty() || (row.kind != Kind::kSection && row.kind != Kind::kList)))
                each(row);
    };
    bool top = false;
    for (const ParamRow& row : rows) {
        if (row.table.empty() && row.kind != Kind::kSection && row.kind != Kind::kList && !top) {
            begin(nullptr);
            print("");
            top = true;
        }
        if (row.kind != Kind::kSection && row.kind != Kind::kList) continue;
        begin(&row);
        print((row.table.empty() ? row.name : row.table + "." + row.name) +
              (row.kind == Kind::kList ? "[]" : ""));
    }
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
    std::string out;
    std::size_t column = indent;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = std::min(text.find(' ', i), text.size());
        if (column + (end - i) + 1 > width && column > indent) {
            out += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (i > 0) {
            out += ' ';
            ++column;
        }
        out += text.substr(i, end - i);
        column += end - i;
        i = end + 1;
    }
    return out;
}

}  // namespace

std::vector<ParamRow> list_params(FunctionRef<void(ParamVisitor&)> describe_all) {
    ParamLister lister;
    describe_all(lister);
    return std::move(lister.rows);
}

std::vector<ParamRow> scene_params(const std::string& method) {
    Scene scene;
    scene.method = method;
    auto body = [&](ParamVisitor& v) { describe(scene, v); };
    return list_params(body);
}

std::vector<ParamRow> sweep_params() {
    return section_params<Sweep>(
        "sweep",
        "A parameter study, for `spume sweep`. `values` holds keys of the scene with a list of "
        "values each, `variant` runs with names; both: every variant with every value.");
}

std::string reference_markdown(const std::vector<ParamRow>& rows) {
    std::string out;
    auto begin = [&](const ParamRow* section) {
        if (section != nullptr)
            out += fmt::format("\n## `{}`\n\n{}\n", header_of(*section), section->help);
        else
            out += "\n## At the top\n";
        out += "\n| key | default | unit | values | meaning |\n|---|---|---|---|---|\n";
    };
    auto each = [&](const ParamRow& row) {
        out += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.name,
                           in_cell(row.needed.empty() ? row.initial : ""), in_cell(row.unit),
                           in_cell(values_text(row)), in_cell(full_help(row)));
    };
    by_table(rows, begin, each);
    return out;
}

std::string reference_text(const std::vector<ParamRow>& rows) {
    std::string out;
    auto begin = [&](const ParamRow* section) {
        if (section != nullptr)
            out += (out.empty() ? "" : "\n") +
                   wrapped(header_of(*section) + "  " + section->help, 2, 98) + "\n";
    };
    auto each = [&](const ParamRow& row) {
        std::string facts =
            row.initial.empty() || !row.needed.empty() ? "" : "default " + row.initial;
        if (!row.unit.empty()) facts += (facts.empty() ? "in " : " ") + row.unit;
        const std::string values = values_text(row);
        if (!values.empty()) facts += (facts.empty() ? "" : "; ") + values;
        out +=
            fmt::format("  {:<17} {}\n", row.name, wrapped(row.help + " (" + facts + ")", 20, 98));
        for (const auto& [word, meaning] : row.words)
            out += fmt::format("{:20}{}\n", "",
                               wrapped(fmt::format("\"{}\": {}", word, meaning), 22, 98));
        if (!row.needed.empty()) out += fmt::format("{:20}Needed when {}.\n", "", row.needed);
    };
    by_table(rows, begin, each);
    return out;
}

std::string scene_reference(const std::vector<std::vector<ParamRow>>& methods) {
    std::string out =
        "# Scene reference\n\n"
        "Made from the parameter declarations; do not edit. A scene is a TOML file. Lengths are "
        "in\n"
        "metres, times in seconds, all other units SI, and y is up. Every value with a unit may "
        "be\n"
        "written as text with another one: `voxel = \"5 mm\"`, `rate = \"2 l/s\"`; a bare number "
        "is in the\n"
        "unit of the table below. In a 2D scene vectors may have two components. Every key has a "
        "default\n"
        "unless it says when it is needed; a key that is unknown or has no effect is an error.\n\n"
        "`--set section.key=value` on the command line replaces any value: `--set "
        "time.frames=10`,\n"
        "`--set emitter.0.rate=\"1 l/s\"`; an item of a list is named by its number from 0 or by "
        "its `name`.\n";
    out +=
        "\n`[preset.NAME]` holds values that `--preset NAME` lays over the scene, written like the "
        "scene\nitself: `domain.voxel = \"1 cm\"`, `emitter.jet.rate = \"1 l/s\"`. `default` is "
        "the "
        "scene as it stands.\n";
    // The first method is the default; its first row is its section.
    out += reference_markdown(scene_params(methods.empty() ? "" : methods[0].at(0).name));
    out += reference_markdown(sweep_params());
    out +=
        "\nFree of form: `values` of `[sweep]` (`domain.voxel = [\"1 cm\", \"2 cm\"]`), `set` of a "
        "variant\n(`{ domain.voxel = \"1 cm\" }`), and `show` of `[sweep]`, the frames to show, "
        "a "
        "row each (default: the\nlast).\n";
    for (const auto& rows : methods) out += reference_markdown(rows);
    return out;
}

}  // namespace spume

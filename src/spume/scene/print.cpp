// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/print.h"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/core.h>

#include "spume/core/units.h"

namespace spume {
namespace {

/// A table to print: values, tables and lists of tables in the order they were declared.
struct Printed {
    enum class Kind { kValue, kPath, kTable, kList };
    Kind kind = Kind::kTable;
    std::string name, text;
    std::vector<std::unique_ptr<Printed>> items;
};

std::string in_quotes(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (code < 0x20 || code == 0x7f)
            out += fmt::format("\\u{:04x}", code);
        else
            out += c;
    }
    return out + '"';
}

class ParamPrinter : public ParamVisitor {
  public:
    ParamPrinter() : root_(std::make_unique<Printed>()), levels_{root_.get()} {}
    const Printed& root() const { return *root_; }

    void number(const char* name, double& value, const NumberSpec&) override {
        add(name, number_text(value));
    }
    void integer(const char* name, int& value, int, int, const char*) override {
        add(name, fmt::format("{}", value));
    }
    void whole(const char* name, std::uint64_t& value, const char*) override {
        add(name, fmt::format("{}", value));
    }
    void flag(const char* name, bool& value, const char*) override {
        add(name, value ? "true" : "false");
    }
    void text(const char* name, std::string& value, const char*) override {
        add(name, in_quotes(value));
    }
    void path(const char* name, std::string& value, const char*) override {
        if (value.empty()) return;  // no file, which a scene says by leaving the key out
        add(name, in_quotes(value), Printed::Kind::kPath);
    }
    void vector(const char* name, Vec<double, 3>& value, const NumberSpec&) override {
        add(name, fmt::format("[{}, {}, {}]", number_text(value[0]), number_text(value[1]),
                              number_text(value[2])));
    }
    void unused(const char* name, bool condition, const char*) override {
        if (!condition) return;
        auto& items = levels_.back()->items;
        std::erase_if(items, [&](const auto& item) { return item->name == name; });
    }

  protected:
    void choose(const char* name, int& chosen,
                const std::vector<std::pair<const char*, const char*>>& words,
                const char*) override {
        add(name, in_quotes(words[static_cast<std::size_t>(chosen)].first));
    }
    bool enter(const char* name, const char*) override {
        levels_.push_back(add(name, "", Printed::Kind::kTable));
        return true;
    }
    int enter_list(const char* name, int count, const char*) override {
        levels_.push_back(add(name, "", Printed::Kind::kList));
        return count;
    }
    void enter_item(int) override { levels_.push_back(add("", "", Printed::Kind::kTable)); }
    void leave() override { levels_.pop_back(); }
    bool keeps_items() const override { return false; }

  private:
    Printed* add(const char* name, std::string text, Printed::Kind kind = Printed::Kind::kValue) {
        auto item = std::make_unique<Printed>();
        item->kind = kind;
        item->name = name;
        item->text = std::move(text);
        levels_.back()->items.push_back(std::move(item));
        return levels_.back()->items.back().get();
    }

    std::unique_ptr<Printed> root_;
    std::vector<Printed*> levels_;
};

/// On one line, as a value: { kind = "box", … } or [ … ] with an item a line.
std::string in_line(const Printed& node) {
    if (node.kind == Printed::Kind::kValue || node.kind == Printed::Kind::kPath) return node.text;
    const bool list = node.kind == Printed::Kind::kList;
    std::string out;
    for (const auto& item : node.items) {
        if (list)
            out += "\n    " + in_line(*item) + ",";
        else
            out += (out.empty() ? " " : ", ") + item->name + " = " + in_line(*item);
    }
    if (list) return out.empty() ? "[]" : "[" + out + "\n]";
    return out.empty() ? "{}" : "{" + out + " }";
}

void print_body(const Printed& table, std::string& out) {
    for (const auto& item : table.items) out += item->name + " = " + in_line(*item) + "\n";
}

std::string toml_text(const Printed& root) {
    std::string out;
    for (const auto& item : root.items)
        if (item->kind == Printed::Kind::kValue || item->kind == Printed::Kind::kPath)
            out += item->name + " = " + item->text + "\n";
    for (const auto& item : root.items) {
        if (item->kind == Printed::Kind::kTable) {
            out += (out.empty() ? "[" : "\n[") + item->name + "]\n";
            print_body(*item, out);
        } else if (item->kind == Printed::Kind::kList) {
            for (const auto& entry : item->items) {
                out += (out.empty() ? "[[" : "\n[[") + item->name + "]]\n";
                print_body(*entry, out);
            }
        }
    }
    return out;
}

void print_flat(const Printed& node, const std::string& path, std::string& out) {
    switch (node.kind) {
        case Printed::Kind::kValue:
            out += path + " = " + node.text + "\n";
            return;
        case Printed::Kind::kPath: {
            const std::size_t slash = node.text.find_last_of("/\\");
            out += path + " = " +
                   (slash == std::string::npos ? node.text : '"' + node.text.substr(slash + 1)) +
                   "\n";
            return;
        }
        case Printed::Kind::kTable:
            for (const auto& item : node.items)
                print_flat(*item, path.empty() ? item->name : path + "." + item->name, out);
            return;
        case Printed::Kind::kList:
            for (std::size_t i = 0; i < node.items.size(); ++i)
                print_flat(*node.items[i], fmt::format("{}[{}]", path, i), out);
            return;
    }
}

std::map<std::string, std::string> facts(const std::string& flat, std::vector<std::string>* order) {
    std::map<std::string, std::string> found;
    for (std::size_t begin = 0; begin < flat.size();) {
        const std::size_t end = std::min(flat.find('\n', begin), flat.size());
        const std::string line = flat.substr(begin, end - begin);
        const std::size_t equals = std::min(line.find(" = "), line.size());
        const std::string key = line.substr(0, equals);
        found[key] = equals < line.size() ? line.substr(equals + 3) : "";
        if (order != nullptr) order->push_back(key);
        begin = end + 1;
    }
    return found;
}

}  // namespace

std::string print_params(FunctionRef<void(ParamVisitor&)> describe_all) {
    ParamPrinter printer;
    describe_all(printer);
    return toml_text(printer.root());
}

std::string print_scene(const Scene& scene) {
    Scene copy = scene;
    auto body = [&](ParamVisitor& v) { describe(copy, v); };
    return print_params(body);
}

std::string flat_text(FunctionRef<void(ParamVisitor&)> describe_all) {
    ParamPrinter printer;
    describe_all(printer);
    std::string out;
    print_flat(printer.root(), "", out);
    return out;
}

std::string stable_text(const Scene& scene) {
    Scene copy = scene;
    // Values that do not reach a frame are set alike, so that they cannot differ.
    const Scene usual;
    copy.title = usual.title;
    copy.camera = usual.camera;
    copy.time.frames = usual.time.frames;
    copy.output.checkpoint_every = usual.output.checkpoint_every;
    copy.output.preview = usual.output.preview;
    for (Solid& solid : copy.solids) {
        solid.look = Solid{}.look;
        solid.color = Solid{}.color;
    }
    auto body = [&](ParamVisitor& v) { describe(copy, v); };
    return flat_text(body);
}

std::vector<std::string> differences(const std::string& before, const std::string& after) {
    std::vector<std::string> order, result;
    const auto old_facts = facts(before, nullptr);
    const auto new_facts = facts(after, &order);
    for (const std::string& key : order) {
        const auto old = old_facts.find(key);
        const std::string& now = new_facts.at(key);
        if (old == old_facts.end())
            result.push_back(fmt::format("{}: was not there, is {}", key, now));
        else if (old->second != now)
            result.push_back(fmt::format("{}: was {}, is {}", key, old->second, now));
    }
    for (const auto& [key, value] : old_facts)
        if (new_facts.find(key) == new_facts.end())
            result.push_back(fmt::format("{}: was {}, is gone", key, value));
    return result;
}

}  // namespace spume

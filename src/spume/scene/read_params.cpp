// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/read_params.h"

#include <algorithm>
#include <cmath>

#include "spume/core/units.h"
#include "spume/scene/nearest_key.h"

namespace spume {
namespace {

std::string with_unit(double value, const char* unit) {
    const std::string number = number_text(value);
    return *unit == '\0' ? number : number + " " + unit;
}

/// What was written, for messages.
std::string shown(const TomlNode& node) {
    std::string text = node.text.substr(0, 60);
    while (text.size() < node.text.size() && !text.empty() && (text.back() & 0x80) != 0)
        text.pop_back();
    if (text.size() < node.text.size()) text += "…";
    switch (node.kind) {
        case TomlKind::kText:
            return '"' + text + '"';
        case TomlKind::kFlag:
            return node.flag ? "true" : "false";
        case TomlKind::kInteger:
        case TomlKind::kFloat:
            return text;
        default:
            return to_text(node.kind);
    }
}

std::string unit_remedy(const NumberSpec& spec) {
    if (*spec.unit == '\0') return "Write a plain number.";
    const std::string units = units_like(spec.unit);
    const std::size_t comma = units.find(", ");
    const std::string example =
        comma == std::string::npos
            ? units
            : units.substr(comma + 2, units.find(", ", comma + 2) - comma - 2);
    return fmt::format("Write a number, in {}, or text with a unit, as in \"5 {}\"; units: {}.",
                       spec.unit, example, units);
}

}  // namespace

std::string range_text(const NumberSpec& spec) {
    const bool low = std::isfinite(spec.min), high = std::isfinite(spec.max);
    std::string text;
    if (low) text = (spec.above_min ? "above " : "at least ") + with_unit(spec.min, spec.unit);
    if (high) text += (low ? " and at most " : "at most ") + with_unit(spec.max, spec.unit);
    return text.empty() ? "any number" : text;
}

ParamReader::ParamReader(SceneContent& content, int most_items)
    : content_(content), most_items_(most_items) {
    enter_table(content_.root.get(), "");
}

std::string ParamReader::path_of(const char* name) const {
    const std::string& outer = levels_.back().path;
    return outer.empty() ? name : outer + "." + name;
}

void ParamReader::enter_table(TomlNode* node, std::string path) {
    if (node != nullptr) content_.tables[path] = node;
    levels_.push_back({node, std::move(path)});
}

TomlNode* ParamReader::declare(const char* name) {
    auto& names = content_.declared_in(levels_.back().path);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    TomlNode* table = levels_.back().node;
    TomlNode* node = table != nullptr ? table->find(name) : nullptr;
    if (node != nullptr) node->known = true;
    return node != nullptr && node->kind != TomlKind::kBroken ? node : nullptr;
}

void ParamReader::wrong(const TomlNode& node, std::string message, std::string remedy) {
    content_.add(node.place, levels_.back().path, std::move(message), std::move(remedy));
}

void ParamReader::wrong_type(const TomlNode& node, const std::string& path,
                             const std::string& wanted, std::string remedy) {
    wrong(node, fmt::format("{} is {}, but must be {}", path, shown(node), wanted),
          std::move(remedy));
}

bool ParamReader::read_number(const TomlNode& node, const std::string& path, const NumberSpec& spec,
                              double& value) {
    if (node.kind == TomlKind::kText && *spec.unit == '\0' &&
        node.text.find('%') == std::string::npos)
        return wrong_type(node, path, "a number without quotes", unit_remedy(spec)), false;
    if (node.kind != TomlKind::kText && node.kind != TomlKind::kInteger &&
        node.kind != TomlKind::kFloat)
        return wrong_type(node, path, *spec.unit == '\0' ? "a number" : quantity_name(spec.unit),
                          unit_remedy(spec)),
               false;
    if (node.kind == TomlKind::kFloat && node.text.find_first_of("in") != std::string::npos)
        return wrong(node, fmt::format("{} is {}, which is not a finite number", path, node.text),
                     fmt::format("It must be {}.", range_text(spec))),
               false;
    const Quantity quantity = parse_quantity(node.text, spec.unit);
    if (!quantity.good())
        return wrong(node, fmt::format("{}: {}", path, quantity.problem), unit_remedy(spec)), false;
    const double x = quantity.value;
    if (x < spec.min || x > spec.max || (spec.above_min && x == spec.min))
        return wrong(node, fmt::format("{} is {}, out of range", path, shown(node)),
                     fmt::format("It must be {}.", range_text(spec))),
               false;
    value = x;
    return true;
}

void ParamReader::number(const char* name, double& value, const NumberSpec& spec) {
    if (const TomlNode* node = declare(name)) read_number(*node, path_of(name), spec, value);
}

void ParamReader::vector(const char* name, Vec<double, 3>& value, const NumberSpec& spec) {
    const TomlNode* node = declare(name);
    if (node == nullptr) return;
    // An angle turns about an axis, and in 2D that is the third.
    const bool two = content_.flat && std::string_view(spec.unit) != "deg";
    const std::size_t n = node->items.size();
    if (node->kind != TomlKind::kArray || (n != 3 && !(two && n == 2)))
        return wrong(*node,
                     fmt::format("{} is {}{}, but must be {} numbers in brackets", path_of(name),
                                 shown(*node),
                                 node->kind == TomlKind::kArray ? fmt::format(" of {}", n) : "",
                                 two ? "2 or 3" : "3"),
                     fmt::format("For example: {} = {}.", name, two ? "[0, 1]" : "[0, 1, 0]"));
    Vec<double, 3> read = value;
    bool good = true;
    for (std::size_t i = 0; i < n; ++i)
        good = read_number(*node->items[i], fmt::format("{}[{}]", path_of(name), i), spec,
                           read[static_cast<int>(i)]) &&
               good;
    if (good) value = read;
}

void ParamReader::integer(const char* name, int& value, int min, int max, const char*) {
    const TomlNode* node = declare(name);
    if (node == nullptr) return;
    const std::string range = min == max ? fmt::format("It must be {}.", min)
                                         : fmt::format("It must be from {} to {}.", min, max);
    const bool huge = node->kind == TomlKind::kFloat &&
                      node->text.find_first_not_of("+-0123456789") == std::string::npos;
    if (node->kind != TomlKind::kInteger && !huge)
        return wrong_type(*node, path_of(name), "a whole number", range);
    if (huge || node->integer < min || node->integer > max)
        return wrong(*node, fmt::format("{} is {}, out of range", path_of(name), shown(*node)),
                     range);
    value = static_cast<int>(node->integer);
}

void ParamReader::whole(const char* name, std::uint64_t& value, const char*) {
    const TomlNode* node = declare(name);
    if (node == nullptr) return;
    const char* range = "It must be from 0 to 9223372036854775807.";
    const bool huge = node->kind == TomlKind::kFloat &&
                      node->text.find_first_not_of("+-0123456789") == std::string::npos;
    if (node->kind != TomlKind::kInteger && !huge)
        return wrong_type(*node, path_of(name), "a whole number", range);
    if (huge || node->integer < 0)
        return wrong(*node, fmt::format("{} is {}, out of range", path_of(name), shown(*node)),
                     range);
    value = static_cast<std::uint64_t>(node->integer);
}

void ParamReader::flag(const char* name, bool& value, const char*) {
    const TomlNode* node = declare(name);
    if (node == nullptr) return;
    if (node->kind != TomlKind::kFlag)
        return wrong_type(*node, path_of(name), "true or false",
                          "Write true or false, without quotes.");
    value = node->flag;
}

void ParamReader::text(const char* name, std::string& value, const char*) {
    const TomlNode* node = declare(name);
    if (node == nullptr) return;
    if (node->kind != TomlKind::kText)
        return wrong_type(*node, path_of(name), "text", "Put it in quotes.");
    value = node->text;
}

void ParamReader::choose(const char* name, int& chosen,
                         const std::vector<std::pair<const char*, const char*>>& words,
                         const char*) {
    const TomlNode* node = declare(name);
    if (node == nullptr) return;
    std::string list;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < words.size(); ++i) {
        known.emplace_back(words[i].first);
        list += fmt::format("{}\"{}\"",
                            i == 0                 ? ""
                            : i + 1 < words.size() ? ", "
                                                   : " or ",
                            words[i].first);
        if (node->kind == TomlKind::kText && node->text == words[i].first) {
            chosen = static_cast<int>(i);
            return;
        }
    }
    const std::string near = node->kind == TomlKind::kText ? nearest_key(node->text, known) : "";
    wrong(*node, fmt::format("{} is {}, but must be {}", path_of(name), shown(*node), list),
          near.empty() ? fmt::format("Choose one of {}.", list)
                       : fmt::format("Did you mean \"{}\"?", near));
}

void ParamReader::needed(const char* name, bool condition, const char* when) {
    if (!condition || given(name)) return;
    const Level& level = levels_.back();
    if (level.node == nullptr && !level.path.empty()) return;  // its table is itself missing
    content_.add_dependent(SceneContent::Stage::kRule, level.node->place, {level.path},
                           fmt::format("{} is missing", path_of(name)),
                           fmt::format("It is needed when {}.", when));
}

void ParamReader::unused(const char* name, bool condition, const char* when) {
    if (!condition || !given(name)) return;
    const Level& level = levels_.back();
    content_.add_dependent(SceneContent::Stage::kRule, level.node->find(name)->key_place,
                           {level.path},
                           fmt::format("{} has no effect when {}", path_of(name), when),
                           "Remove it, or change the other.");
}

bool ParamReader::renamed(const char* old_name, const char* name) {
    TomlNode* table = levels_.back().node;
    TomlNode* old = table != nullptr ? table->find(old_name) : nullptr;
    if (old == nullptr) return false;
    old->known = true;
    if (table->find(name) != nullptr) {
        wrong(*old,
              fmt::format("{} is the old name of {}, which is given too", path_of(old_name),
                          path_of(name)),
              "Remove it.");
        return false;
    }
    const std::string where =
        old->key_place.line > 0
            ? fmt::format("{}:{}:{}: ", content_.file, old->key_place.line, old->key_place.column)
            : std::string();
    content_.warnings.push_back(fmt::format("{}{} is now called {}; the old name still works",
                                            where, path_of(old_name), path_of(name)));
    std::unique_ptr<TomlNode> node = table->take(old_name);
    node->key = name;
    table->add(std::move(node));
    return true;
}

bool ParamReader::given(const char* name) const {
    const TomlNode* table = levels_.back().node;
    return table != nullptr && table->find(name) != nullptr;
}

bool ParamReader::enter(const char* name, const char*) {
    TomlNode* node = declare(name);
    if (node != nullptr && node->kind != TomlKind::kTable) {
        wrong(*node, fmt::format("{} is {}, but must be a section", path_of(name), shown(*node)),
              levels_.size() == 1 ? fmt::format("Write [{}] on a line of its own.", name)
                                  : fmt::format("Write {} = {{ key = value, … }}.", name));
        node = nullptr;
    }
    enter_table(node, path_of(name));
    return true;
}

int ParamReader::enter_list(const char* name, int, const char*) {
    TomlNode* node = declare(name);
    const bool top = levels_.size() == 1;
    const std::string how = top ? fmt::format("Write [[{}]] with two brackets for each.", name)
                                : fmt::format("Write {} = [{{ … }}, {{ … }}].", name);
    std::string path = path_of(name);
    if (node != nullptr && node->kind != TomlKind::kArray) {
        wrong(*node, fmt::format("{} must be a list", path), how);
        node = nullptr;
    }
    if (node != nullptr && static_cast<int>(node->items.size()) > most_items_) {
        wrong(*node,
              fmt::format("{} has {} items, more than {}", path, node->items.size(), most_items_),
              "Split the scene.");
        node = nullptr;
    }
    if (node != nullptr)
        for (const auto& item : node->items)
            if (item->kind != TomlKind::kTable)
                wrong(*item,
                      fmt::format("an item of {} is {}, but must be a table", path, shown(*item)),
                      how);
    levels_.push_back({node, std::move(path)});
    return node != nullptr ? static_cast<int>(node->items.size()) : 0;
}

void ParamReader::enter_item(int index) {
    const Level& list = levels_.back();
    TomlNode* item = list.node->items[static_cast<std::size_t>(index)].get();
    item->known = true;
    enter_table(item->kind == TomlKind::kTable ? item : nullptr,
                fmt::format("{}[{}]", list.path, index));
}

void ParamReader::leave() { levels_.pop_back(); }

}  // namespace spume

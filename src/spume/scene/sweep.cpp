// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/sweep.h"

#include <algorithm>
#include <set>

#include "spume/core/describe.h"
#include "spume/scene/overlay.h"

namespace spume {
namespace {

constexpr std::size_t kMostVariants = 1000;
constexpr std::size_t kLongestName = 80;

/// A key that is varied and the values it takes.
struct Axis {
    std::vector<std::string> keys;
    const TomlNode* values;
    std::string path() const {
        std::string text;
        for (const std::string& key : keys) text += (text.empty() ? "" : ".") + key;
        return text;
    }
};

const TomlNode* sweep_table(const SceneContent& content) {
    const TomlNode* node = content.root->find("sweep");
    return node != nullptr && node->kind == TomlKind::kTable ? node : nullptr;
}

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '+' || c == '.';
}

std::string in_file_name(const std::string& text) {
    std::string out;
    for (char c : text) out += plain(c) ? c : '_';
    return out.substr(0, kLongestName / 2);
}

void find_axes(SceneContent& content, const TomlNode& table, std::vector<std::string> keys,
               std::vector<Axis>& axes) {
    for (const auto& item : table.items) {
        keys.push_back(item->key);
        if (item->kind == TomlKind::kTable)
            find_axes(content, *item, keys, axes);
        else if (item->kind == TomlKind::kArray && !item->items.empty())
            axes.push_back({keys, item.get()});
        else if (item->kind != TomlKind::kBroken)
            content.add(item->place, "sweep",
                        fmt::format("sweep.values.{} is {}, but must be a list of values",
                                    Axis{keys, nullptr}.path(), value_text(*item)),
                        "Write them in brackets: [1, 2, 3].");
        keys.pop_back();
    }
}

void set_at(TomlNode& root, const Axis& axis, const TomlNode& value) {
    TomlNode* table = &root;
    for (std::size_t i = 0; i + 1 < axis.keys.size(); ++i) {
        TomlNode* next = table->find(axis.keys[i]);
        if (next == nullptr || next->kind != TomlKind::kTable) {
            auto made = std::make_unique<TomlNode>();
            made->key = axis.keys[i];
            made->key_place = axis.values->key_place;
            made->place = value.place;
            next = table->add(std::move(made));
        }
        table = next;
    }
    auto copy = copy_of(value);
    copy->key = axis.keys.back();
    copy->key_place = axis.values->key_place;
    table->add(std::move(copy));
}

void list_values(const TomlNode& table, const std::string& path,
                 std::vector<std::pair<std::string, std::string>>& out) {
    for (const auto& item : table.items) {
        const std::string key = path.empty() ? item->key : path + "." + item->key;
        if (item->kind == TomlKind::kTable)
            list_values(*item, key, out);
        else
            out.emplace_back(key, value_text(*item));
    }
}

PlannedVariant blank() {
    PlannedVariant v;
    v.over = std::make_unique<TomlNode>();
    return v;
}

std::vector<PlannedVariant> named_variants(SceneContent& content, const TomlNode& sweep) {
    std::vector<PlannedVariant> found;
    const TomlNode* list = sweep.find("variant");
    if (list == nullptr || list->kind != TomlKind::kArray) return found;
    for (const auto& item : list->items) {
        if (item->kind != TomlKind::kTable) continue;
        PlannedVariant v = blank();
        const TomlNode* name = item->find("name");
        const TomlNode* label = item->find("label");
        if (name == nullptr || name->kind != TomlKind::kText) continue;
        v.variant.name = v.variant.label = name->text;
        if (label != nullptr && label->kind == TomlKind::kText) v.variant.label = label->text;
        const bool good = !name->text.empty() && name->text.size() <= kLongestName &&
                          name->text[0] != '.' &&
                          std::all_of(name->text.begin(), name->text.end(), plain);
        if (!good)
            content.add(name->place, "sweep",
                        fmt::format("\"{}\" cannot be the name of a directory",
                                    name->text.substr(0, kLongestName)),
                        "Use letters, digits, _ - + and . (not first).");
        if (const TomlNode* set = item->find("set"); set != nullptr) {
            if (set->kind == TomlKind::kTable)
                v.over = copy_of(*set);
            else if (set->kind != TomlKind::kBroken)
                content.add(set->place, "sweep", "`set` of a variant must be a table",
                            "Write set = { section.key = value }.");
        }
        found.push_back(std::move(v));
    }
    return found;
}

/// Each variant so far with each value of one more key.
std::vector<PlannedVariant> times(const std::vector<PlannedVariant>& before, const Axis& axis) {
    std::vector<PlannedVariant> after;
    for (const PlannedVariant& v : before)
        for (const auto& value : axis.values->items) {
            if (after.size() > kMostVariants) return after;
            PlannedVariant next;
            const std::string text = value_text(*value);
            const std::string name = in_file_name(axis.keys.back() + "_" + text);
            const std::string label = axis.keys.back() + " = " + text;
            next.variant.name = v.variant.name.empty() ? name : v.variant.name + "_" + name;
            next.variant.label = v.variant.label.empty() ? label : v.variant.label + ", " + label;
            next.over = copy_of(*v.over);
            set_at(*next.over, axis, *value);
            after.push_back(std::move(next));
        }
    return after;
}

}  // namespace

void describe(Sweep& s, ParamVisitor& v) {
    v.integer("columns", s.columns, 1, 100,
              "Pictures side by side on the contact sheet; left out: about square.");
    v.integer("tile_width", s.tile_width, 32, 4096, "Width of each picture in pixels.");
    v.integer("tile_height", s.tile_height, 32, 4096, "Height of each picture in pixels.");
    using W = ParamVisitor::Word<std::string>;
    v.choice("colours", s.colours,
             {W{"water", "water", "bubbles as the eye sees them"}, W{"speed", "speed", "by speed"},
              W{"type", "type", "by type"}, W{"radius", "radius", "by size"}},
             "How bubbles are painted on the contact sheet.");
    v.list("variant", s.variants, "Runs with names, each with what it sets.",
           [](SweepVariant& x, ParamVisitor& w) {
               w.text("name", x.name, "Of the run and its directory.");
               w.text("label", x.label, "Under its picture; left out: the name.");
               w.needed("name", true, "there is a variant");
           });
    v.unused("columns", s.columns == 0, "it is 0");
}

std::vector<PlannedVariant> plan_sweep(SceneContent& content) {
    const TomlNode* sweep = sweep_table(content);
    if (sweep == nullptr) return {};
    std::vector<PlannedVariant> plan = named_variants(content, *sweep);
    std::vector<Axis> axes;
    if (const TomlNode* values = sweep->find("values"); values != nullptr) {
        if (values->kind == TomlKind::kTable)
            find_axes(content, *values, {}, axes);
        else if (values->kind != TomlKind::kBroken)
            content.add(values->place, "sweep", "sweep.values must be a section",
                        "Write [sweep.values], then section.key = [1, 2, 3].");
    }
    if (plan.empty() && axes.empty()) {
        content.add_dependent(SceneContent::Stage::kRule, sweep->place, {"sweep", ""},
                              "the sweep has nothing to vary",
                              "Give [sweep.values] or [[sweep.variant]].");
        return {};
    }
    if (plan.empty()) plan.push_back(blank());
    for (const Axis& axis : axes) plan = times(plan, axis);
    if (plan.size() > kMostVariants) {
        content.add(sweep->place, "sweep",
                    fmt::format("the sweep has more than {} variants", kMostVariants),
                    "Vary fewer keys, or give them fewer values.");
        return {};
    }
    std::set<std::string> names;
    for (PlannedVariant& v : plan) {
        list_values(*v.over, "", v.variant.values);
        if (!names.insert(v.variant.name).second)
            content.add(sweep->place, "sweep",
                        fmt::format("two variants of the sweep are called \"{}\"", v.variant.name),
                        "Give each its own name.");
    }
    return plan;
}

std::vector<int> sweep_frames(SceneContent& content) {
    std::vector<int> frames;
    const TomlNode* sweep = sweep_table(content);
    const TomlNode* node = sweep != nullptr ? sweep->find("show") : nullptr;
    if (node == nullptr || node->kind == TomlKind::kBroken) return frames;
    bool good = node->kind == TomlKind::kArray && !node->items.empty() && node->items.size() <= 100;
    if (node->kind == TomlKind::kArray)
        for (const auto& item : node->items) {
            good = good && item->kind == TomlKind::kInteger && item->integer >= 0 &&
                   item->integer <= 1000000;
            if (good) frames.push_back(static_cast<int>(item->integer));
        }
    if (!good)
        content.add(node->place, "sweep",
                    fmt::format("sweep.show is {}, but must be frame numbers in brackets",
                                value_text(*node)),
                    "For example: show = [12, 24].");
    return frames;
}

}  // namespace spume

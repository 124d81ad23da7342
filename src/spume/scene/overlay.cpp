// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/overlay.h"

namespace spume {
namespace {

void lay_over_items(SceneContent& content, const TomlNode& list, const TomlNode& over,
                    const std::string& path) {
    for (const auto& item : over.items) {
        TomlNode* target = find_item(list, item->key);
        const std::string item_path = path + "." + item->key;
        if (target == nullptr || target->kind != TomlKind::kTable)
            content.add(item->key_place, path, fmt::format("the scene has no {}", item_path),
                        "List items are named by number from 0 or by their name: emitter.0.rate.");
        else if (item->kind != TomlKind::kTable)
            content.add(item->place, path, fmt::format("{} must be a table", item_path),
                        fmt::format("Name a key of it: {}.key = value.", item_path));
        else
            lay_over(content, *target, *item, item_path);
    }
}

}  // namespace

std::unique_ptr<TomlNode> copy_of(const TomlNode& node) {
    auto copy = std::make_unique<TomlNode>();
    copy->kind = node.kind;
    copy->key = node.key;
    copy->key_place = node.key_place;
    copy->place = node.place;
    copy->text = node.text;
    copy->integer = node.integer;
    copy->flag = node.flag;
    copy->origin = node.origin;
    copy->of_tables = node.of_tables;
    for (const auto& item : node.items) {
        if (node.kind == TomlKind::kTable)
            copy->add(copy_of(*item));
        else
            copy->items.push_back(copy_of(*item));
    }
    return copy;
}

TomlNode* find_item(const TomlNode& list, const std::string& which) {
    if (which.size() < 7 && which.find_first_not_of("0123456789") == std::string::npos) {
        const auto index = static_cast<std::size_t>(std::stoi(which));
        return index < list.items.size() ? list.items[index].get() : nullptr;
    }
    for (const auto& item : list.items) {
        const TomlNode* name = item->kind == TomlKind::kTable ? item->find("name") : nullptr;
        if (name != nullptr && name->kind == TomlKind::kText && name->text == which)
            return item.get();
    }
    return nullptr;
}

void lay_over(SceneContent& content, TomlNode& base, const TomlNode& over,
              const std::string& path) {
    for (const auto& item : over.items) {
        TomlNode* old = base.find(item->key);
        const std::string item_path = path.empty() ? item->key : path + "." + item->key;
        if (old == nullptr) {
            base.add(copy_of(*item));
        } else if (item->kind == TomlKind::kTable && old->kind == TomlKind::kTable) {
            lay_over(content, *old, *item, item_path);
        } else if (item->kind == TomlKind::kTable && old->kind == TomlKind::kArray) {
            lay_over_items(content, *old, *item, item_path);
        } else {
            *old = std::move(*copy_of(*item));
        }
    }
}

std::string value_text(const TomlNode& node) {
    switch (node.kind) {
        case TomlKind::kFlag:
            return node.flag ? "true" : "false";
        case TomlKind::kArray: {
            std::string text;
            for (const auto& item : node.items)
                text += (text.empty() ? "" : ", ") + value_text(*item);
            return "[" + text + "]";
        }
        case TomlKind::kTable: {
            std::string text;
            for (const auto& item : node.items)
                text += (text.empty() ? "" : ", ") + item->key + " = " + value_text(*item);
            return "{" + text + "}";
        }
        default:
            return node.text;
    }
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/content.h"

#include <algorithm>

namespace spume {
namespace {

const TomlNode* step(const TomlNode* node, const std::string& piece) {
    if (node->kind == TomlKind::kTable) return node->find(piece);
    if (node->kind != TomlKind::kArray || piece.size() > 6 ||
        piece.find_first_not_of("0123456789") != std::string::npos)
        return nullptr;
    const auto index = static_cast<std::size_t>(std::stoi(piece));
    return index < node->items.size() ? node->items[index].get() : nullptr;
}

}  // namespace

void SceneContent::add(const Place& place, const std::string& table, std::string message,
                       std::string remedy) {
    complaints_.push_back({place, std::move(message), std::move(remedy)});
    wrong_tables_.insert(table);
}

void SceneContent::add_syntax(Complaint complaint) {
    complaints_.push_back(std::move(complaint));
    syntax_wrong_ = true;
}

void SceneContent::add_dependent(Stage stage, const Place& place,
                                 const std::vector<std::string>& depends_on, std::string message,
                                 std::string remedy) {
    dependents_.push_back({stage, {place, std::move(message), std::move(remedy)}, depends_on});
}

std::vector<Complaint> SceneContent::settled() const {
    std::vector<Complaint> all = complaints_;
    if (syntax_wrong_) return all;
    std::set<std::string> wrong = wrong_tables_;
    for (const Stage stage : {Stage::kRule, Stage::kConflict}) {
        std::set<std::string> found;
        for (const Dependent& d : dependents_) {
            if (d.stage != stage) continue;
            const bool doubtful =
                std::any_of(d.tables.begin(), d.tables.end(),
                            [&](const auto& table) { return wrong.count(table) > 0; });
            if (doubtful) continue;
            all.push_back(d.complaint);
            found.insert(d.tables.begin(), d.tables.end());
        }
        wrong.merge(found);
    }
    return all;
}

std::vector<std::string>& SceneContent::declared_in(const std::string& path) {
    std::string pattern;
    bool number = false;
    for (char c : path) {
        if (c == ']') number = false;
        if (!number) pattern += c;
        if (c == '[') number = true;
    }
    return declared[pattern];
}

const TomlNode* SceneContent::find(const std::string& path) const {
    const TomlNode* node = root.get();
    for (const std::string& piece : split_key_path(path)) {
        node = step(node, piece);
        if (node == nullptr) return nullptr;
    }
    return node;
}

Place SceneContent::place_of(const std::string& path) const {
    const TomlNode* node = root.get();
    for (const std::string& piece : split_key_path(path)) {
        const TomlNode* next = step(node, piece);
        if (next == nullptr) break;
        node = next;
    }
    return node->place;
}

}  // namespace spume

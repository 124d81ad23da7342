// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "spume/core/error.h"
#include "spume/scene/toml.h"

namespace spume {

/// What a SceneDocument holds: the tables as read, what was declared, what is wrong.
struct SceneContent {
    std::string file;
    std::unique_ptr<TomlNode> root;
    std::unique_ptr<TomlNode> presets;  ///< the table [preset], taken out of the root; may be null
    bool flat = false;                  ///< a 2D scene: vectors may have two components
    std::map<std::string, std::vector<std::string>>
        declared;                                   ///< names known in each table, by path
    std::map<std::string, const TomlNode*> tables;  ///< tables that were visited, by path
    std::vector<std::string> warnings;              ///< of what is right but hardly meant

    /// A mistake that stands on its own, in the table at `table`.
    void add(const Place& place, const std::string& table, std::string message, std::string remedy);
    void add_syntax(Complaint complaint);
    /// A mistake only if those tables are otherwise right. Conflicts between values are judged
    /// after rules about which keys there are.
    enum class Stage { kRule, kConflict };
    void add_dependent(Stage stage, const Place& place, const std::vector<std::string>& depends_on,
                       std::string message, std::string remedy);
    std::vector<Complaint> settled() const;
    std::size_t count() const { return complaints_.size(); }

    std::vector<std::string>& declared_in(const std::string& path);
    const TomlNode* find(const std::string& path) const;
    /// Of the value, else of the nearest table around it.
    Place place_of(const std::string& path) const;

  private:
    struct Dependent {
        Stage stage;
        Complaint complaint;
        std::vector<std::string> tables;
    };
    std::vector<Complaint> complaints_;
    std::vector<Dependent> dependents_;
    std::set<std::string> wrong_tables_;
    bool syntax_wrong_ = false;
};

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/core/describe.h"
#include "spume/scene/content.h"

namespace spume {

/// Fills parameters from a document. A key that is missing keeps its default; a value that does not
/// fit becomes a complaint and the default stays.
class ParamReader : public ParamVisitor {
  public:
    ParamReader(SceneContent& content, int most_items);

    void number(const char* name, double& value, const NumberSpec& spec) override;
    void integer(const char* name, int& value, int min, int max, const char* help) override;
    void whole(const char* name, std::uint64_t& value, const char* help) override;
    void flag(const char* name, bool& value, const char* help) override;
    void text(const char* name, std::string& value, const char* help) override;
    void path(const char* name, std::string& value, const char* help) override;
    void vector(const char* name, Vec<double, 3>& value, const NumberSpec& spec) override;
    void needed(const char* name, bool condition, const char* when) override;
    void unused(const char* name, bool condition, const char* when) override;
    bool renamed(const char* old_name, const char* name) override;
    bool given(const char* name) const override;

  protected:
    void choose(const char* name, int& chosen,
                const std::vector<std::pair<const char*, const char*>>& words,
                const char* help) override;
    bool enter(const char* name, const char* help) override;
    int enter_list(const char* name, int count, const char* help) override;
    void enter_item(int index) override;
    void leave() override;

  private:
    struct Level {
        TomlNode* node;  ///< null where the scene has no such table
        std::string path;
    };

    /// Declares a name and finds its value; null if there is none, or none that can be read.
    TomlNode* declare(const char* name);
    std::string path_of(const char* name) const;
    bool read_number(const TomlNode& node, const std::string& path, const NumberSpec& spec,
                     double& value);
    void wrong(const TomlNode& node, std::string message, std::string remedy);
    void wrong_type(const TomlNode& node, const std::string& path, const std::string& wanted,
                    std::string remedy);
    void enter_table(TomlNode* node, std::string path);

    SceneContent& content_;
    int most_items_;
    std::vector<Level> levels_;
};

/// "at least 0 m", "above 0 and at most 1": what a range allows, in words.
std::string range_text(const NumberSpec& spec);

}  // namespace spume

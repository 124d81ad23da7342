// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <filesystem>

#include <fmt/core.h>

#include "spume/scene/read_params.h"

namespace spume {
namespace {

/// Relative to the scene's folder; what --set says is relative to where the command runs.
std::string resolved_path(const TomlNode& node, const std::string& scene_file) {
    namespace fs = std::filesystem;
    const fs::path base = node.place.line > 0 ? fs::path(scene_file).parent_path() : fs::path();
    std::error_code failed;
    const fs::path whole = fs::absolute(base / fs::path(node.text), failed);
    return failed ? node.text : whole.lexically_normal().string();
}

}  // namespace

void ParamReader::path(const char* name, std::string& value, const char*) {
    const TomlNode* node = declare(name);
    if (node == nullptr) return;
    if (node->kind != TomlKind::kText)
        return wrong_type(*node, path_of(name), "a file name", "Put it in quotes.");
    if (node->text.empty())
        return wrong(*node, fmt::format("{} is empty", path_of(name)),
                     "Name a file, relative to the scene.");
    value = resolved_path(*node, content_.file);
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "spume/scene/content.h"

namespace spume {

std::unique_ptr<TomlNode> copy_of(const TomlNode& node);

/// The item of a list of tables, named by number from 0 or by its `name`; null if there is none.
TomlNode* find_item(const TomlNode& list, const std::string& which);

/// Lays one table over another: tables key by key, items of a list by number or name, all else
/// replaced. What is laid over keeps its own place, so a mistake in it is reported where it stands.
void lay_over(SceneContent& content, TomlNode& base, const TomlNode& over,
              const std::string& path = {});

/// A value in words, as a person would write it.
std::string value_text(const TomlNode& node);

}  // namespace spume

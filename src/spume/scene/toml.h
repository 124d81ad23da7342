// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spume/core/error.h"

namespace spume {

enum class TomlKind { kText, kInteger, kFloat, kFlag, kDate, kArray, kTable, kBroken };

/// A value of a TOML document with the place it was written at. Lines and columns count from 1,
/// columns in characters.
struct TomlNode {
    /// How a table came to be decides what may still be added to it.
    enum class Origin { kImplicit, kHeader, kDotted, kInline };

    TomlKind kind = TomlKind::kTable;
    std::string key;
    Place key_place, place;
    std::string text;          ///< decoded text; numbers as written, without underscores
    std::int64_t integer = 0;  ///< kInteger
    bool flag = false;         ///< kFlag
    Origin origin = Origin::kImplicit;
    bool of_tables = false;                        ///< array made by [[…]]
    bool known = false;                            ///< some parameter was read from it
    std::vector<std::unique_ptr<TomlNode>> items;  ///< of arrays and tables, in order

    TomlNode* find(std::string_view name) const;
    TomlNode* add(std::unique_ptr<TomlNode> item);
    /// Takes an item out of a table; null if there is none of that name.
    std::unique_ptr<TomlNode> take(std::string_view name);

  private:
    std::map<std::string, TomlNode*, std::less<>> index_;  ///< tables
};

/// Bounds that keep any file, however made, from costing more than a moment.
struct TomlLimits {
    std::size_t bytes = 4u << 20;
    int line_bytes = 64 << 10;
    int depth = 32;
    int values = 200000;
};

struct TomlResult {
    std::unique_ptr<TomlNode> root;
    std::vector<Complaint> complaints;  ///< of syntax; each line is tried on its own
};

/// Reads TOML 1.0. Never throws for bad text: what is wrong becomes a complaint, a value that
/// cannot be read a kBroken node, and reading goes on with the next line.
TomlResult parse_toml(std::string_view text, const std::string& file,
                      const TomlLimits& limits = {});

/// Reads one value that stands alone, as after `--set key=`. Text that is no TOML value is taken as
/// if quoted, since shells eat quotes.
std::unique_ptr<TomlNode> parse_toml_value(std::string_view text, const Place& place);

/// A path such as domain.voxel or emitter.0.rate, in pieces; empty if it is not one.
std::vector<std::string> split_key_path(std::string_view path);

/// In words, for messages: text, whole number, array …
const char* to_text(TomlKind kind);

}  // namespace spume

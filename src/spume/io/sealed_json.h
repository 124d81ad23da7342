// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace spume {

using Json = nlohmann::ordered_json;

/// Parses text somebody else may have written. Size and depth are bounded before the parser sees it
/// (it recurses); throws UserError naming `file`.
Json parse_json(std::string_view text, const std::string& file);

/// The object as text, with a last member "hash" over everything before it.
std::string seal(Json object);

/// The object without its hash. Any changed byte is a UserError: the text must be exactly what
/// `seal` would write.
Json unseal(std::string_view text, const std::string& file);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string_view>

#include "spume/scene/toml.h"

namespace spume {

/// Fills the node if the word is a TOML number: decimal, 0x…, 0o…, 0b…, real, inf, nan. A whole
/// number beyond 64 bits counts as a real one.
bool read_toml_number(std::string_view word, TomlNode& node);

/// Dates and times are TOML but never of use here; recognised for a fitting message.
bool looks_like_toml_date(std::string_view word);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include <fmt/core.h>

#include "spume/scene/nearest_key.h"

namespace spume {

/// ", did you mean 'run'?", or nothing where no word is near.
inline std::string meant(const std::string& word, const std::vector<std::string>& known) {
    const std::string near = nearest_key(word, known);
    return near.empty() ? "" : fmt::format(", did you mean '{}'?", near);
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <utility>

namespace spume {

/// Where #### or $F4 stands for a number in the name of a file, from and to; {npos, npos} if
/// nowhere.
std::pair<std::size_t, std::size_t> number_in_name(const std::string& path);
inline bool names_sequence(const std::string& path) {
    return number_in_name(path).first != std::string::npos;
}

}  // namespace spume

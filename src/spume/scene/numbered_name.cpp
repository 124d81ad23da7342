// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/numbered_name.h"

#include <cctype>

namespace spume {

std::pair<std::size_t, std::size_t> number_in_name(const std::string& path) {
    const std::size_t slash = path.rfind('/'), name = slash == std::string::npos ? 0 : slash;
    std::size_t begin = path.find('#', name);
    if (begin != std::string::npos) {
        const std::size_t end = path.find_first_not_of('#', begin);
        return {begin, end == std::string::npos ? path.size() : end};
    }
    begin = path.find("$F", name);
    if (begin == std::string::npos) return {begin, begin};
    std::size_t end = begin + 2;
    while (end < path.size() && std::isdigit(static_cast<unsigned char>(path[end]))) ++end;
    return {begin, end};
}

}  // namespace spume

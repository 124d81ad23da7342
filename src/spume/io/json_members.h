// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "spume/core/error.h"
#include "spume/io/sealed_json.h"

namespace spume {

/// A member of an object somebody else may have written. Whole numbers must be written as such and
/// fit their type: the JSON library casts whatever number it finds. Throws UserError for those, the
/// library's exception for everything else it knows to refuse.
template <class T>
void read_member(const Json& object, const char* name, T& value, const std::string& file) {
    const Json& member = object.at(name);
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
        const bool fits =
            member.is_number_unsigned()
                ? std::in_range<T>(member.get<std::uint64_t>())
                : member.is_number_integer() && std::in_range<T>(member.get<std::int64_t>());
        if (!fits)
            throw error_in_file(
                file,
                fmt::format("{} is not a whole number from {} to {}", name,
                            std::numeric_limits<T>::min(), std::numeric_limits<T>::max()),
                "the file is damaged: restore it from a copy");
    }
    member.get_to(value);
}

template <class T>
T read_member(const Json& object, const char* name, const std::string& file) {
    T value{};
    read_member(object, name, value, file);
    return value;
}

}  // namespace spume

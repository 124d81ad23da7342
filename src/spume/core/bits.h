// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <type_traits>

namespace spume {

/// The value with the same bits. std::bit_cast is missing in the library that comes with the
/// compiler for browsers; what it is made of is not.
template <class To, class From>
constexpr To bits_as(const From& from) {
    static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
                  std::is_trivially_copyable_v<From>);
    return __builtin_bit_cast(To, from);
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstddef>
#include <utility>

namespace spume {
namespace detail {

struct Anything {
    template <class T>
    operator T() const;  // NOLINT(google-explicit-constructor): stands for any member
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
    return requires { T{(void(I), Anything{})...}; };
}

}  // namespace detail

/// Number of members of an aggregate. A State's describe asserts it, so that a new member cannot be
/// left out of checkpoints unnoticed.
template <class T, std::size_t N = 24>
constexpr std::size_t member_count() {
    if constexpr (N == 0 || detail::takes<T>(std::make_index_sequence<N>{}))
        return N;
    else
        return member_count<T, N - 1>();
}

}  // namespace spume

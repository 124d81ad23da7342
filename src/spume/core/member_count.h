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

inline constexpr std::size_t kMostMembers = 64;

}  // namespace detail

/// An aggregate whose members can be counted. One that takes more values than we count up to is
/// none: a count that stops short would agree with a list that does too.
template <class T>
concept Countable = !detail::takes<T>(std::make_index_sequence<detail::kMostMembers + 1>{});

/// Number of members of an aggregate. A State's describe asserts it, so that a new member cannot be
/// left out of checkpoints unnoticed.
template <Countable T, std::size_t N = detail::kMostMembers>
constexpr std::size_t member_count() {
    if constexpr (N == 0 || detail::takes<T>(std::make_index_sequence<N>{}))
        return N;
    else
        return member_count<T, N - 1>();
}

}  // namespace spume

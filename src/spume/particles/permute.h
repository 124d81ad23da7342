// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "spume/core/array.h"
#include "spume/core/context.h"

namespace spume {

/// Attributes of up to this many bytes are sorted into a second array, which is small beside the
/// whole particle; larger ones in place, which takes no longer.
inline constexpr std::size_t kCopiedWhole = 8;

/// values[i] becomes what values[order[i]] was, without a second array. Particles move a little
/// between two sorts, so most come from the same stretch of the array: those from elsewhere are set
/// aside first, then each stretch is rewritten from a copy of itself.
///
///   values   [ stretch 0     | stretch 1     | … ]
///   aside    [ what 0 needs from elsewhere | what 1 needs | … ]
template <class T>
void permute_in_place(std::span<T> values, std::span<const std::uint32_t> order, Context& context,
                      int shift = 15) {
    const std::size_t stretch = std::size_t(1) << shift;
    const std::size_t n = order.size(), stretches = (n + stretch - 1) >> shift;
    const auto for_stretches = [&](auto&& f) {
        for_range(context.arena, n, stretch,
                  [&](std::size_t b, std::size_t e) { f(b >> shift, b, e); });
    };
    std::vector<std::size_t> first(stretches + 1, 0);
    for_stretches([&](std::size_t s, std::size_t b, std::size_t e) {
        std::size_t far = 0;
        for (std::size_t i = b; i < e; ++i) far += order[i] >> shift != s;
        first[s + 1] = far;
    });
    for (std::size_t s = 0; s < stretches; ++s) first[s + 1] += first[s];
    Array<T> aside;
    aside.resize_discard(first[stretches]);
    T* set_aside = aside.write().data();
    for_stretches([&](std::size_t s, std::size_t b, std::size_t e) {
        std::size_t k = first[s];
        for (std::size_t i = b; i < e; ++i)
            if (order[i] >> shift != s) set_aside[k++] = values[order[i]];
    });
    for_stretches([&](std::size_t s, std::size_t b, std::size_t e) {
        const auto own = values.subspan(b, std::min(stretch, values.size() - b));
        const std::vector<T> copy(own.begin(), own.end());
        std::size_t k = first[s];
        for (std::size_t i = b; i < e; ++i)
            values[i] = order[i] >> shift != s ? set_aside[k++] : copy[order[i] - b];
    });
}

}  // namespace spume

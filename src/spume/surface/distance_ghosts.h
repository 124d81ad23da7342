// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

#include "spume/grid/dense.h"

namespace spume {

/// Ghosts of a distance that is being made, on the side `side` of axis `a`, for the sample at a
/// place beside the wall. Where the distance grows outwards, or the surface is beside, it goes on
/// along its own slope. Elsewhere the nearest surface lies beyond the wall, and slopes are constant
/// along the ways from the surface: that of the neighbour along the wall that is nearer to it, none
/// where there is none.
template <class T, int D>
void continue_distance(T* f, const DenseShape<D>& shape, const Index<D>& i, int a, int side) {
    const std::size_t at = shape.at(i), stride = shape.stride(a);
    const auto inwards = [&](std::size_t j) { return side ? j - stride : j + stride; };
    const T here = f[at], sign = here < 0 ? T(-1) : T(1);
    T slope = here - f[inwards(at)], least = sign * here;
    if (sign * slope < 0) {
        const T own = slope;
        slope = 0;
        for (int b = 0; b < D; ++b) {
            if (b == a) continue;
            for (const int step : {-1, 1}) {
                if (i[b] + step < 0 || i[b] + step >= shape.size[b]) continue;
                const std::size_t j = step > 0 ? at + shape.stride(b) : at - shape.stride(b);
                const T there = sign * f[j];
                if (there >= least) continue;
                least = there;
                slope = there < 0 ? own : f[j] - f[inwards(j)];
            }
        }
        slope = sign * std::clamp(sign * slope, T(-1), T(0));
    }
    T* out = f + at;
    const std::ptrdiff_t outwards = side ? std::ptrdiff_t(stride) : -std::ptrdiff_t(stride);
    for (int k = 1; k <= DenseShape<D>::kGhosts; ++k) out[k * outwards] = here + T(k) * slope;
}

/// The same beside all walls that a sample lies at.
template <class T, int D>
void continue_distance(T* f, const DenseShape<D>& shape, const Index<D>& i) {
    for (int a = 0; a < D; ++a) {
        if (shape.size[a] < 2) continue;
        if (i[a] == 0) continue_distance<T, D>(f, shape, i, a, 0);
        if (i[a] == shape.size[a] - 1) continue_distance<T, D>(f, shape, i, a, 1);
    }
}

/// Does the surface pass between a sample, at p, and one beside it inside the box? A ghost of the
/// other sign is no surface.
template <class T, int D>
bool beside_surface(const T* p, const DenseShape<D>& shape, const Index<D>& i) {
    bool r = false;
    for (int a = 0; a < D; ++a) {
        const auto s = std::ptrdiff_t(shape.stride(a));
        r = r || (i[a] > 0 && (*p < 0) != (p[-s] < 0)) ||
            (i[a] + 1 < shape.size[a] && (*p < 0) != (p[s] < 0));
    }
    return r;
}

}  // namespace spume

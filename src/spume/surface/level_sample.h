// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include "spume/grid/dense.h"

namespace spume {

/// The 2^D samples around lattice coordinate u of a field at cell centres, which goes on evenly
/// beyond the box: the place of the lowest, and the weights of the upper ones.
template <int D>
struct LevelCorner {
    std::size_t place = 0;
    Index<D> lowest{};
    float w[D] = {};

    LevelCorner(const DenseShape<D>& shape, const Point<D>& u) {
        for (int a = 0; a < D; ++a) {
            const double x = std::min(std::max(u[a] - 0.5, -0.5), shape.size[a] - 0.5);
            const int i = int(x + 1) - 1;  // floor: x ≥ −½
            lowest[a] = i;
            w[a] = float(x - i);
        }
        place = shape.at(lowest);
    }
};

/// Multilinear interpolation at lattice coordinate u. Ghosts are filled.
template <int D>
inline float sample_level(const float* phi, const DenseShape<D>& shape, const Point<D>& u) {
    const LevelCorner<D> c(shape, u);
    float v[1 << D];
    for (int k = 0; k < (1 << D); ++k) {
        std::size_t at = c.place;
        for (int a = 0; a < D; ++a) at += (k >> a & 1) ? shape.stride(a) : 0;
        v[k] = phi[at];
    }
    for (int a = 0; a < D; ++a)
        for (int k = 0; k < (1 << (D - a - 1)); ++k)
            v[k] = v[2 * k] + c.w[a] * (v[2 * k + 1] - v[2 * k]);
    return v[0];
}

/// Slope of the level set at u, by differences over a voxel.
template <int D>
Vec<float, D> level_slope(const float* phi, const DenseShape<D>& shape, const Point<D>& u) {
    Vec<float, D> g{};
    for (int a = 0; a < D; ++a)
        g[a] = sample_level<D>(phi, shape, u + Point<D>::unit(a, 0.5)) -
               sample_level<D>(phi, shape, u - Point<D>::unit(a, 0.5));
    return g;
}

}  // namespace spume

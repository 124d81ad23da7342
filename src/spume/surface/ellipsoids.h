// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/core/context.h"
#include "spume/core/vec.h"

namespace spume {

/// |G (x − c)| = 1 with G symmetric.
template <int D>
struct Ellipsoid {
    Point<D> centre{};
    Vec<double, D> g[D] = {};          ///< rows of G
    double longest = 0, shortest = 0;  ///< semi-axes

    double reach() const { return longest; }
    /// Distance to first order: (|q| − 1) |q| / |G q| with q = G (x − c).
    double distance(const Point<D>& x) const;
};

/// How particles near each other stretch, [YT13] Eqs. 6–16 with its own constants.
struct Anisotropy {
    double smoothing = 0.9;  ///< λ: how far a centre moves to the mean of its neighbours
    double stretch = 4;      ///< k_r: the longest axis over any other, at most
    double lonely =
        0.5;  ///< k_n: size of a particle with few neighbours (N_ε: 25; 2D: 9), as a ball
};

/// One ellipsoid a particle: principal axes of its neighbours within `reach`, with the volume of a
/// ball of its radius.
template <int D>
std::vector<Ellipsoid<D>> ellipsoids_of(std::span<const Point<D>> positions,
                                        std::span<const double> radii, double reach,
                                        const Anisotropy& anisotropy, Context& context);

template <int D>
double Ellipsoid<D>::distance(const Point<D>& x) const {
    const Vec<double, D> d = x - centre;
    Vec<double, D> q{}, p{};
    for (int i = 0; i < D; ++i) q[i] = dot(g[i], d);
    for (int i = 0; i < D; ++i) p[i] = dot(g[i], q);
    const double n = length(q);
    return n > 1e-9 ? (n - 1) * n / length(p) : -shortest;
}

}  // namespace spume

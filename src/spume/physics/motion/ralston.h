// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/vec.h"

namespace spume {

/// The ways of N points in a flow that does not change over dt, by the third-order scheme of
/// Ralston [Ral62]:
///
///   k₁ = u(x),  k₂ = u(x + ½ dt k₁),  k₃ = u(x + ¾ dt k₂),  way = dt (2 k₁ + 3 k₂ + 4 k₃) / 9
///
/// `from` and the argument of u are in voxels, `step` is dt over the voxel. Points go abreast: each
/// stage of one waits for the stage before, and the others fill the time.
template <int N, int D, class Velocity>
inline __attribute__((always_inline)) void trace_ralston(const Point<D> (&from)[N], Velocity& u,
                                                         double step, double dt,
                                                         Vec<double, D> (&way)[N]) {
    Vec<double, D> k1[N], k2[N], k3[N];
    for (int n = 0; n < N; ++n) k1[n] = u(from[n]);
    for (int n = 0; n < N; ++n) k2[n] = u(from[n] + k1[n] * (0.5 * step));
    for (int n = 0; n < N; ++n) k3[n] = u(from[n] + k2[n] * (0.75 * step));
    for (int n = 0; n < N; ++n) way[n] = (k1[n] * 2 + k2[n] * 3 + k3[n] * 4) * (dt / 9);
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include <fmt/format.h>

#include "spume/core/step_limit.h"

namespace spume {

/// The longest substep in which the shortest waves on a level surface are stable, while gravity
/// acts on the surface at its begin. They change sign from cell to cell along all D − 1 axes: with
/// m = 4 (D − 1) the discrete pressure falls by e^κ a voxel downwards, 2 cosh κ − 2 = m, and by the
/// flow into the cells of the surface
///
///   ω² = (g / h) m / (1 − e^−κ),   Δt ≤ 2 / ω
///
/// which is 0.91 √(h/g) in the plane and 0.67 √(h/g) in space. Longer ones let still water boil
/// where its level lies a little above the centres of cells.
template <int D>
StepLimit wave_limit(double gravity, double voxel) {
    if (!(gravity > 0)) return {};
    const double m = 4 * (D - 1), across = 1 + m / 2;
    const double fall = across - std::sqrt(across * across - 1);  // e^−κ
    return {2 * std::sqrt(voxel / gravity * (1 - fall) / m),
            fmt::format("physics.gravity of {:.3g} m/s^2, by waves of a voxel", gravity),
            "use larger voxels"};
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/surface/level_set.h"
#include "spume/surface/parting.h"

namespace spume {

/// Part of a unit cell on the negative side of the plane n·x + distance = 0, x from its centre, n a
/// unit vector, the distance in cells. Exact.
double plane_fraction(const Vec<double, 2>& n, double distance);
double plane_fraction(const Vec<double, 3>& n, double distance);

/// Part of each cell that lies in the liquid, from the tangent plane of the level set; second
/// order. What a wall parts has no slope in common.
template <int D>
CellField<float, D> liquid_fractions(const LevelSet<D>& phi, Context& context,
                                     const Parting<D>* parting = nullptr);

}  // namespace spume

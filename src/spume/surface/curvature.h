// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/surface/level_set.h"

namespace spume {

/// κ = ∇·(∇φ/|∇φ|) in cells within two voxels of the surface, zero elsewhere: of the level through
/// the cell's centre, by central differences; (D − 1)/R around a ball of liquid. Cut at ±(D − 1)/h,
/// the most that a grid can hold.
template <int D>
CellField<double, D> curvature_of(const LevelSet<D>& phi, Context& context);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/foam.h"
#include "spume/physics/foam/grid_surface.h"

namespace spume {

/// The part of the surface that foam covers, in cells near the surface: with discs of area A = πr²
/// (2D: their width 2r) and a kernel K(s) = (1 − s²/R²)², R two voxels,
///
///   cover = Σ A K(|x − x_p|) / g(d),   g(d) = ∫ K over a plane at a distance d from x
///         = π/3 (R² − d²)³/R⁴,   2D: 16/15 (R² − d²)^(5/2)/R⁴
///
/// which is exact for even foam on a plane wherever the plane lies in the grid. At most 1. Zero
/// farther from the surface than linear interpolation on it reads.
template <int D>
CellField<float, D> foam_coverage(const Foam<D>& foam, const SurfaceFields<D>& fields,
                                  Context& context);

/// How many cells around foam `fields` must hold; normals of the surface there need fewer.
inline constexpr int kCoverageReach = 3;

}  // namespace spume

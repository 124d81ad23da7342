// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/constraint.h"
#include "spume/methods/constraint/rows.h"

namespace spume::constraint {

// A wall pushes liquid and does not hold it: 0 ≤ u·n ⊥ p − p_air ≥ 0, [BBB07] §4. Where liquid
// turns round an edge, a closed face would hold it by suction, and a jet would cling to the sides
// of its hole. So before the solve such faces are opened towards the air that can come in, as the
// sides of an open box are, with u the velocity before the solve a voxel off the wall, p the
// pressure of the substep before, and air of pressure zero:
//
//   p < ½ ρ (u·n)²        what the liquid's own motion off the wall overcomes
//   (u·n)² > |g| h        slower than that, a gap of a voxel closes as fast as it opens
//   u·n > |u| / 8         what slides along the wall is no voxel off it within a tile
//   u·n > h / 16 Δt       less is noise of particles
//
// Only at walls at rest. Bodies that the liquid moves keep what touches them.

/// Adds these faces to those of the air, and opens them in `geometry`.
template <int D>
void open_parting_faces(AirBoundary<D>& air, SubstepGeometry<D>& geometry, const State<D>& state,
                        const World<D>& world, const PlacedSolids<D>& solids, double dt,
                        Context& context);

}  // namespace spume::constraint

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/substep_geometry.h"

namespace spume::constraint {

// A surface reconstructed around scattered particles encloses a hundredth more or less from one
// substep to the next, faster than any flow could make up for. So it is moved, each region's part
// of it by its own way δ along the normal, until the volumes are what they should be:
//
//   φ ← φ + δ_r near region r,   V_r(δ) = its rest volume,   V_liquid(δ) = what is there
//
// Air outside and the region without a row in each closed compartment give way to the liquid, with
// one δ for all of them.

/// The largest δ in voxels. What is left is up to the flow.
inline constexpr double kMostOffset = 0.2;

/// Moves the state's surface; writes phi, volume, and what the ground derives from them. `carrier`
/// is the velocity that moved the particles to where they are. Returns the regions that the moved
/// surface encloses.
template <int D>
AirRegions<D> keep_volumes(State<D>& state, RebuiltGeometry<D>& geometry, const Params& params,
                           const World<D>& world, const PlacedSolids<D>& solids,
                           const std::type_identity_t<Carrier<D>>& carrier, Interval time,
                           Context& context);

}  // namespace spume::constraint

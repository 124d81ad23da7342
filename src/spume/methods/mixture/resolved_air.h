// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {

/// Does air fill most of any face? If not there are only clouds, and nothing to be done for bodies.
template <int D>
bool has_resolved_air(const MixtureFaces<D>& mixture, Context& context);

/// How full the fullest place within a voxel of each face is, after the fraction was averaged once
/// with (1 2 1)/4.
template <int D>
FaceField<double, D> fullness_near(const MixtureFaces<D>& mixture, const CutCells<D>& open,
                                   const GridDomain<D>& domain, Context& context);

/// How firmly the phases of each face are held together: resolved_lock of the fullness near it.
template <int D>
FaceField<double, D> lock_of(const MixtureFaces<D>& mixture, double water_density,
                             const CutCells<D>& open, const GridDomain<D>& domain,
                             Context& context);

/// How full the fullest place within a voxel of each bubble is, after the fraction was averaged
/// once with (1 2 1)/4 so that a lone particle, however large, is no body.
template <int D>
Array<double> fullness_around(const Bubbles<D>& bubbles, const MixtureFaces<D>& mixture,
                              const TileRanges<D>& ranges, const CutCells<D>& open,
                              const GridDomain<D>& domain, Context& context);

/// Bubbles in a body of air, and at its surface, go over to the velocity of the mixture, which lets
/// no volume vanish: backward Euler with a s (ρ_w − ρ_b)(u − u_b) / Δt. s is the resolved_share of
/// the fullness around. Light air has no inertia that could be lost by it. But beside water, where
/// the pressure gradient is the water's, it would be accelerated ρ_w / ρ_b times as much as the
/// water and leave the body through its surface. At equal densities nothing happens.
template <int D>
void join_resolved_air(Bubbles<D>& bubbles, const FaceField<double, D>& mixed,
                       const MixtureFaces<D>& mixture, const TileRanges<D>& ranges,
                       const GridDomain<D>& domain, double water_density, Context& context);

}  // namespace spume::mixture

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

/// The fraction of a body of air, where its particles are uneven. Eq. 30 finds them a quarter fewer
/// and more than the mean, and the clamp of Eq. 31 cuts only what is too much: bodies would be full
/// of holes, with water in them that a jet drives on, and loosen, since nothing draws them together
/// again. So near the surface of a body, and inside,
///
///   φ_b = ½ + 2 (φ̄_b − ½), between 0 and `most`,
///
/// which is full from ¾ and empty up to ¼, and leaves the surface where the particles' volume ends:
/// φ̄_b = ½. By 1 − swarm_share of the fullness near, so that clouds are left alone. Air that is
/// lost outside is gained inside; what is not, correct_body_volume makes up. Ours.
template <int D>
void sharpen_surface(MixtureFaces<D>& mixture, double most, const CutCells<D>& open,
                     const GridDomain<D>& domain, Context& context);

/// How far the phases of each face move as one, χ (ρ_w − ρ_b) / (ρ_b + χ (ρ_w − ρ_b)), with χ = 1 −
/// swarm_share of the fullness near: nothing in clouds, however dense, and at equal densities.
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

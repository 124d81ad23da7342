// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/two_fluid.h"

namespace spume {

/// Crowded bubbles at the surface of a body of air go where the surface goes that they stand for.
/// Where bubbles hold c times the air that there is room for, as markers do, the clamped fraction
/// ends 1 − 1/√c voxels outside them (the hat over a half space of density c reaches ½ there). The
/// surface would move with the flow at the bubbles, which in a mode n is slower by the power n − 1
/// of their radii. So they are carried on by that many voxels of the difference between the
/// mixture's velocity where they are and a voxel further inside: not outside, where the flow along
/// the surface may be another. Nothing is added to even flow, inside bodies, in clouds, or to a
/// velocity. Ours.
///
/// Not for air lighter than a hundredth of the water, in full from a tenth on: the flow in such
/// light air is mostly noise. Solids put back what enters them before the bubbles are next seen.
/// Returns whether there was any bubble to be carried on.
template <int D>
bool lead_surface(Bubbles<D>& bubbles, const FaceField<double, D>& mixed,
                  const MixtureFaces<D>& mixture, const Openings<D>& open, const Basin<D>& basin,
                  const Coupling<D>& coupling, Context& context);

}  // namespace spume

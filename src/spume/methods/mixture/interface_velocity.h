// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {

/// Crowded bubbles at the surface of a body of air go where the surface goes that they stand for.
/// Where bubbles hold c times the air that there is room for, as markers do, the clamped fraction
/// ends 1 − 1/√c voxels outside them (the hat over a half space of density c reaches ½ there). The
/// surface would move with the flow at the bubbles, which in a mode n is slower by the power n − 1
/// of their radii. So they are carried on by that many voxels of the difference between the
/// mixture's velocity where they are and a voxel further inside: not outside, where the flow along
/// the surface may be another. Nothing is added to even flow, inside bodies, in clouds, or to a
/// velocity. Ours.
///
/// Small bodies of light air are left alone: where the flow within one changes over two or three
/// voxels, and is not held by the air's own inertia, it says nothing of the surface.
///
/// `lead` is the share of that, from 0 to 1. Solids put back what enters them before the bubbles
/// are next seen.
template <int D>
void correct_interface_velocity(double lead, Bubbles<D>& bubbles, const FaceField<double, D>& mixed,
                                const MixtureFaces<D>& mixture, const CutCells<D>& open,
                                const GridDomain<D>& domain, double water_density, double dt,
                                Context& context);

}  // namespace spume::mixture

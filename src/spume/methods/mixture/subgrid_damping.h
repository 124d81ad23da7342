// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {

/// Takes from the bubbles' velocities what the grid cannot see of them. Where air fills space its
/// particles are samples of one flow; noise between particles of a voxel answers no force, is
/// never damped, and drives particles apart: the body of air swells and its surface is rough.
///
/// With P, to the faces and back, v_q loses `rate` s of (1 − P)² v, s = resolved_share: nothing of
/// even or linear flow, little of what is resolved. Momentum is kept; bubbles far from each other
/// keep their own velocities, as φ_b is small there. Ours; [WSB25] has no such measure.
template <int D>
void damp_subgrid_velocity(Bubbles<D>& bubbles, const MixtureFaces<D>& mixture,
                           const TileRanges<D>& ranges, const GridDomain<D>& domain, double rate,
                           Context& context);

}  // namespace spume::mixture

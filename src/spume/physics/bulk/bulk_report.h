// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/bulk/bulk.h"

namespace spume {

/// How well a bulk's surface moves with its velocity.
struct KinematicResidual {
    /// Root mean square of |∂Φ/∂t + u·∇Φ| on the surface over that of |u|: 0 for a surface that
    /// goes with the liquid, about 1 and more for velocities of another scale, axis or time. 0
    /// where nothing moves.
    double share = 0;
    double speed = 0;    ///< m/s; root mean square on the surface
    double fastest = 0;  ///< m/s
    long cells = 0;      ///< of the surface that were looked at
    /// Mean outward normal of the surface, each place weighing as much as it moves across itself:
    /// walls do not move, and of a free surface most faces up. 1 long at most.
    Vec<double, 3> facing{};
};

/// From one time to another, along the motion: DΦ/Dt = (Φ(x + Tū, t + T) − Φ(x, t)) / T, with ū the
/// mean of the velocities at both ends of the way, which holds for ways of many voxels.
template <int D>
KinematicResidual kinematic_residual(const Bulk<D>& bulk, Interval time, Context& context);

/// What `spume check` says of a scene's bulk, a line each: box, voxel, frames, residual.
std::vector<std::string> bulk_report(const Scene& scene, const Inputs& inputs, Context& context);

}  // namespace spume

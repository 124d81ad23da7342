// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/physics/bulk/bulk_report.h"

namespace spume {

/// What would make the velocity of a cached liquid fit its surface.
struct BulkAdvice {
    std::string what;  ///< empty: none of the usual mistakes
    double share = 1;  ///< kinematic residual then
};

/// Tries what usually goes wrong: velocities of other units, of the other sign, with another axis
/// up, of the frame before or after. The one with the least residual is named if it is much less
/// than that found.
BulkAdvice bulk_advice(const Scene& scene, const Inputs& inputs, Interval time,
                       const KinematicResidual& found, Context& context);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <limits>

#include "spume/core/math.h"

namespace spume {

/// The longest substep in which explicit surface tension is stable: sqrt(ρ h³ / 4πσ), [BKZ92]
/// Eq. 61, with ρ the sum of the densities on both sides. No limit without tension.
inline double capillary_limit(double density, double voxel, double tension) {
    if (!(tension > 0)) return std::numeric_limits<double>::infinity();
    return std::sqrt(density * voxel * voxel * voxel / (4 * math::kPi * tension));
}

}  // namespace spume

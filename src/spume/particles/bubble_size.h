// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include "spume/core/math.h"

namespace spume {

/// m³; 2D: area of the disc, m².
template <int D>
double bubble_volume(double radius) {
    const double disc = math::kPi * radius * radius;
    return D == 2 ? disc : 4.0 / 3 * disc * radius;
}

/// Radius of the ball (2D: disc) of this volume, m.
template <int D>
double bubble_radius(double volume) {
    return D == 2 ? std::sqrt(volume / math::kPi) : math::cbrt(volume * 0.75 / math::kPi);
}

}  // namespace spume

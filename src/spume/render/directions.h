// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/core/vec.h"

namespace spume {

/// Two vectors that make a right-handed frame with n, all of length one.
inline void frame_of(const Vec<double, 3>& n, Vec<double, 3>& a, Vec<double, 3>& b) {
    const Vec<double, 3> hint =
        std::abs(n[0]) > 0.7 ? Vec<double, 3>{0, 1, 0} : Vec<double, 3>{1, 0, 0};
    a = cross(n, hint);
    a = a / length(a);
    b = cross(n, a);
}

/// The direction at an angle of that cosine from the axis, turned around it by a part of a circle.
inline Vec<double, 3> around_axis(const Vec<double, 3>& axis, double cosine, double turn) {
    Vec<double, 3> a, b;
    frame_of(axis, a, b);
    const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine)), angle = 2 * math::kPi * turn;
    return a * (sine * math::cos(angle)) + b * (sine * math::sin(angle)) + axis * cosine;
}

}  // namespace spume

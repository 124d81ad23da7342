// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <numbers>

namespace spume {

/// Viscous liquid that falls from rest between walls `width` apart to which it sticks, free above
/// and below: velocity at x from the left wall after a time, by its Fourier series.
inline double viscous_fall(double x, double width, double nu, double time) {
    double u = 0;
    for (int n = 1; n < 60; n += 2) {
        const double k = n * std::numbers::pi / width;
        u += 4 * 9.81 / (n * std::numbers::pi * nu * k * k) * (1 - std::exp(-nu * k * k * time)) *
             std::sin(k * x);
    }
    return -u;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

namespace spume {

/// Speed at which buoyancy equals linear + quadratic drag per bubble volume:
///
///   quadratic v² + linear v = (ρ_w − ρ_b) g,   linear = 9 μ / 2 r²,   quadratic = 3 ρ_w / 8 r
///
/// that is C_D = 24 / Re + 1, [WSB25] Eq. 36. What is heavier than water does not rise.
inline double rise_speed(double linear, double quadratic, double density_difference,
                         double gravity) {
    const double push = std::max(0.0, density_difference) * gravity;
    return (std::sqrt(linear * linear + 4 * quadratic * push) - linear) / (2 * quadratic);
}

}  // namespace spume

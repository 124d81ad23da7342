// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include "spume/core/vec.h"

namespace spume {

/// Drag of a sphere that slips through water, per unit of bubble volume:
///
///   D(Δu) = (π μ r / V) (6 + ρ_w r |Δu| / 2μ) Δu,   Δu = u_w − u_b          [WSB25] Eq. 36
///   ∂D/∂u_b = −(π μ r / V)(6 + ρ_w r |Δu| / 2μ) I − (π ρ_w r² / 2V) Δu ⊗ Δu / |Δu|    Eq. 38
///
/// that is C_D = 24 / Re + 1. V is the volume of the sphere also in 2D, so that a bubble rises as
/// fast in a 2D scene as in a 3D one.
struct DragLaw {
    double water_density = 1000, viscosity = 1e-3;
    double coefficient = 1;  ///< χ of [WFS22] Eq. 5
};

template <int D>
struct Drag {
    Vec<double, D> force{};           ///< D
    double isotropic = 0, along = 0;  ///< −∂D/∂u_b = isotropic · I + along · Δu ⊗ Δu
    Vec<double, D> slip{};            ///< Δu

    double resistance(int row, int column) const {  ///< an element of −∂D/∂u_b
        return (row == column ? isotropic : 0) + along * slip[row] * slip[column];
    }
    /// Σ_β |∂D_αβ|: the lumped row of [WSB25] Eq. 40.
    double row_sum(int row) const {
        double s = 0;
        for (int c = 0; c < D; ++c) s += std::abs(resistance(row, c));
        return s;
    }
};

/// The law for one radius: −∂D/∂u_b = linear + quadratic |Δu| across the slip, twice that second
/// term along it.
struct DragCoefficients {
    double linear = 0;     ///< 6 π μ r / V = 9 μ / 2 r²
    double quadratic = 0;  ///< π ρ_w r² / 2V = 3 ρ_w / 8 r
};
inline DragCoefficients coefficients(const DragLaw& law, double radius) {
    return {law.coefficient * 4.5 * law.viscosity / (radius * radius),
            law.coefficient * 0.375 * law.water_density / radius};
}

template <int D>
Drag<D> drag_on_bubble(const DragCoefficients& c, const Vec<double, D>& slip) {
    const double speed = length(slip);
    Drag<D> r;
    r.slip = slip;
    r.isotropic = c.linear + c.quadratic * speed;
    r.along = speed > 0 ? c.quadratic / speed : 0;
    r.force = slip * r.isotropic;
    return r;
}
template <int D>
Drag<D> drag_on_bubble(const DragLaw& law, double radius, const Vec<double, D>& slip) {
    return drag_on_bubble<D>(coefficients(law, radius), slip);
}

}  // namespace spume

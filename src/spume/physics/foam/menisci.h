// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/physics/foam/foam_pairs.h"

namespace spume {

/// K₁, the modified Bessel function of the second kind, for x > 0; relative error below 1e-6.
double bessel_k1(double x);

/// Floating bubbles lift the liquid around them and slide up each other's menisci, [VM05]. For
/// spheres small beside the capillary length L = √(γ/ρg) the buoyancy W = ρ g V bends the surface,
/// and at a distance l
///
///   F = W_i W_j K₁(l/L) / (2πγ L) = 2πγ R Bo^(5/2) Σ² K₁(l/L) for equal ones,  Σ = ⅔, Bo = R²/L²
///   in the plane  F = W_i W_j exp(−l/L) / 2γ
///
/// A bubble that moves along the surface carries water with it, C ρ V with C = ½ (2D: 1), and feels
/// Stokes' drag 6πμR: it falls back to the liquid's velocity at the rate 6πμR/(C ρ V) = 9μ/(ρR²).
struct MeniscusLaw {
    double density = 1000;    ///< ρ, kg/m³
    double gravity = 9.81;    ///< g, m/s²
    double tension = 0.072;   ///< γ, N/m
    double viscosity = 1e-3;  ///< μ, Pa s
    double factor = 1;        ///< on the force

    double length() const;                                   ///< L, m
    double reach() const { return 4 * length(); }            ///< from there on the force is zero
    double drag() const { return 9 * viscosity / density; }  ///< m²/s; over R² it is a rate

    /// N (2D: N/m), towards each other; below contact that of contact.
    template <int D>
    double force(double distance, double radius_i, double radius_j) const;
};

/// Adds the accelerations F / (C ρ V). `pairs` must reach as far as the law.
template <int D>
void add_menisci(Array<Vec<double, D>>& acceleration, const Foam<D>& foam,
                 const FoamPairs<D>& pairs, const MeniscusLaw& law, Context& context);

}  // namespace spume

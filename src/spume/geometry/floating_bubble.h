// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/vec.h"

namespace spume {

/// A bubble at rest at the surface of a liquid, by the Young–Laplace equation: a cavity below, a
/// spherical film of water as its cap, and the meniscus the liquid is raised to around it; all
/// three are tangent where they meet, in a ring ([Toba59]). Lengths in m, z up from the level far
/// away, r from the axis.
struct FloatingBubble {
    double radius = 0;                   ///< R of the sphere of equal volume
    double cap = 0;                      ///< R_c of the film
    double ring = 0;                     ///< r_c
    double ring_z = 0;                   ///< height of the ring
    double depth = 0;                    ///< of the cavity's lowest point
    double slope = 0;                    ///< ψ_c, angle of the cavity's wall at the ring, radians
    std::vector<Vec<double, 2>> cavity;  ///< (r, z) from the bottom to the ring
    std::vector<Vec<double, 2>> meniscus;  ///< (r, z) from the ring outwards

    /// (r, z) of the cap at the angle ψ from the axis, up to π − ψ_c.
    Vec<double, 2> cap_at(double angle) const;
    double cap_angle() const;
    double volume() const;
};

/// `capillary` a = √(σ/ρg), m: 2.7 mm for clean water; the Bond number is (R/a)². Bond numbers from
/// 0.01, nearly a sphere, to 100, nearly a hemisphere; beyond, the nearest shape is scaled.
FloatingBubble floating_bubble(double radius, double capillary);

}  // namespace spume

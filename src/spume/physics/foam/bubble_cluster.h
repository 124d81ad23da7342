// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>

#include "spume/core/vec.h"
#include "spume/particles/set.h"

namespace spume {

// Bubbles and foam as spheres of fixed radii that stick together, [G04] §5 after Kück et al. They
// have no mass: the forces on each are in balance, which gives its velocity. They are passive, the
// liquid around them is given.

/// Where a bubble is against the surface, [G04] Fig. 10.
enum class SurfaceRegion : std::uint8_t { kBelow, kTouchingBelow, kTouchingAbove, kAbove };
inline constexpr int kSurfaceRegions = 4;

/// By Φ at the bubble's centre, negative in the liquid. The threshold is 0.1 in [G04] §5.3.1: of a
/// whole radius, a bubble at a wall deep below would count as one at the surface.
inline SurfaceRegion surface_region(double phi, double radius, double threshold) {
    if (phi < -threshold * radius) return SurfaceRegion::kBelow;
    if (phi < 0) return SurfaceRegion::kTouchingBelow;
    return phi < radius ? SurfaceRegion::kTouchingAbove : SurfaceRegion::kAbove;
}

/// Memory as drawn in particles/set.h.
template <int D>
struct ClusterBubbles {
    Array<Point<D>> position;        // m
    Array<Vec<double, D>> velocity;  // m/s
    Array<double> radius;            // m; double, so that volumes that are added stay what they are
    Array<double> exposure;          // of its films, see physics/foam/popping.h
    Array<float> age;                // s
    Array<std::uint8_t> region;      // SurfaceRegion in the last subcycle
    Array<std::int32_t> source;      // what made it, see Output::source; only where asked for
    Array<std::uint64_t> id;
    std::uint64_t next_id = 0;

    std::size_t size() const { return position.size(); }

    static constexpr auto attributes() {
        using B = ClusterBubbles;
        return std::tuple(Attribute{"position", &B::position}, Attribute{"velocity", &B::velocity},
                          Attribute{"radius", &B::radius}, Attribute{"exposure", &B::exposure},
                          Attribute{"age", &B::age}, Attribute{"region", &B::region},
                          Attribute{"source", &B::source, true}, Attribute{"id", &B::id});
    }
};

static_assert(names_all_attributes<ClusterBubbles<2>>() &&
              names_all_attributes<ClusterBubbles<3>>());

/// Coefficients of a region. Only their ratios count: forces over friction are velocities.
struct RegionCoefficients {
    double viscous = 1;     ///< K_visc, friction with the liquid
    double repulsion = 0;   ///< k_r
    double attraction = 0;  ///< k_a
    double friction = 0;    ///< k_v, with bubbles that touch
    double obstacle = 0;    ///< k_of, friction with solids and walls that touch
    double air = 0;         ///< k_air, resistance of the air
};

/// How the forces that switch where the surface is, pressure and gravity, are taken in a subcycle.
enum class SurfaceForces {
    kHeld,      ///< by backward Euler: who would be thrown across the surface stays on it
    kSwitched,  ///< as in [G04]: by the region at the subcycle's beginning; bubbles jitter
};

enum class ClusterIntegration { kExplicit, kImplicit };

template <int D>
struct ClusterLaw {
    RegionCoefficients region[kSurfaceRegions];
    double wall_repulsion = 1, wall_attraction = 1;  ///< factors on those of bubbles
    double threshold = 0.1;                          ///< [G04] §5.3.1
    double pressure = 1;                             ///< K_p of [G04] Eq. 32
    double largest_volume = 1e300;                   ///< V is clipped for it, [G04] §5.2.1
    Vec<double, D> gravity{};                        ///< F^g
    SurfaceForces surface = SurfaceForces::kHeld;
    ClusterIntegration integration = ClusterIntegration::kExplicit;
    double courant = 1;      ///< part of r_min / v_max that a subcycle may last, [G04] Eq. 41
    double stability = 0.5;  ///< part of the longest stable explicit subcycle
};

/// Attraction and repulsion of two spheres that touch, as a force along the line from j to i:
///
///   F^r = k_r (1/d − 1/l) d,   l = r_i + r_j                                  [G04] Eqs. 19, 20
///   F^a = k_a c_nb c_dist towards j,   c_nb = ½ (1/NB_i + 1/NB_j),
///         c_dist = (d − max r) / min r                                        [G04] Eqs. 21–24
///
/// NB counts the spheres that overlap one. Two rest where both are equal,
///
///   d* = (k_r + k_a r_max/r_min) / (k_r/l + k_a/r_min).
struct PairForce {
    double force = 0;      ///< > 0: apart
    double stiffness = 0;  ///< −dF/dd, never negative
};
inline PairForce pair_force(double distance, double radius_i, double radius_j, double share,
                            const RegionCoefficients& k) {
    const double l = radius_i + radius_j;
    const double large = radius_i > radius_j ? radius_i : radius_j, small = l - large;
    const double attraction = k.attraction * share;
    return {k.repulsion * (1 - distance / l) - attraction * (distance - large) / small,
            k.repulsion / l + attraction / small};
}

/// The same with a solid at a distance below the radius. An object has no radius: the bubble's own
/// is the scale of both, F^or = k_r (1 − s/r), F^oa = k_a s/r. It rests at s = r k_r/(k_r + k_a).
inline PairForce wall_force(double distance, double radius, double repulsion, double attraction) {
    return {repulsion * (1 - distance / radius) - attraction * distance / radius,
            (repulsion + attraction) / radius};
}

}  // namespace spume

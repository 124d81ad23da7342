// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solids.h"
#include "spume/physics/foam/bubble_cluster.h"
#include "spume/physics/foam/cluster_pairs.h"
#include "spume/physics/foam/fluid_between.h"

namespace spume {

/// What surrounds the bubbles at one moment.
template <int D>
struct ClusterSurroundings {
    const FluidBetween<D>& fluid;
    const PlacedSolids<D>& solids;
    const GridDomain<D>& domain;
    std::span<const Vec<double, D>> pressure_gradient;  ///< ∇p at each bubble, Pa/m
};

/// Places and sizes; radii of those that are gone are negative.
template <int D>
struct ClusterShape {
    std::span<const Point<D>> position;
    std::span<const double> radius;
    std::span<const std::uint64_t> id;
};

/// The forces on massless bubbles are in balance, which is an equation for the velocity v:
///
///   K_visc (u − v) + k_v (v̄ − v) + k_of (v_o − v) − k_air v + F^r + F^a + F^p + F^g = 0
///
///   below the surface     v = u + (F^r + F^p)/K_visc                          [G04] Eq. 36
///   touching it           v = (K_visc u + K_v ū + F^ra + F^p)/(K_visc + K_v)  [G04] Eq. 39
///   … from above          F^g instead of F^p                                  [G04] Eq. 40
///   in the air            v = (k_v v̄ + k_of v_o + F^ra + F^g)/(k_v + k_of + k_air)  [G04] Eq. 31
///
/// all of one form, with the coefficients of the bubble's region. v̄ is the mean velocity of those
/// that touch: of the liquid there, [G04] Eq. 37, and of themselves in the air, Eq. 25. Without
/// neighbours k_v is dropped, without contact k_of. F^p = −K_p V ∇p with V clipped, Eq. 32.
template <int D>
struct ClusterBalance {
    struct Bubble {
        FluidAt<D> fluid;
        Vec<double, D> push{};  ///< all terms but pressure, gravity and those with v
        double friction = 1;    ///< K, the sum of the coefficients of v
        double stiffness = 0;   ///< Σ −∂F/∂d over all that touch
        std::uint32_t touching = 0;
        SurfaceRegion region = SurfaceRegion::kBelow;
        bool at_wall = false;
    };
    std::vector<Bubble> bubbles;

    /// At a time; `velocity` is that of the last subcycle.
    void find(const ClusterShape<D>& shape, std::span<const Vec<double, D>> velocity,
              const ClusterPairs<D>& pairs, const ClusterLaw<D>& law,
              const ClusterSurroundings<D>& around, double time, Context& context);

    /// Pressure or gravity on bubble i, which the other forces alone would move by `way` in a time
    /// dt. Held at the surface, it is as much of them as brings the bubble there.
    Vec<double, D> surface_force(std::size_t i, const Vec<double, D>& way, double dt,
                                 const ClusterShape<D>& shape, const ClusterLaw<D>& law,
                                 const ClusterSurroundings<D>& around) const;
};

/// f(distance, normal, velocity) of solids and walls nearer to x than a radius.
template <int D, class F>
void for_walls(const Point<D>& x, double radius, const PlacedSolids<D>& solids,
               const GridDomain<D>& domain, F&& f) {
    for (const PlacedBody<D>& body : solids.placed) {
        if (!body.bounds().grown(radius).contains(x)) continue;
        const double distance = body.distance_within(x, radius);
        if (distance < radius) f(distance, body.normal(x), body.velocity(x));
    }
    const Box<double, D> box = domain.bounds();
    for (int a = 0; a < D; ++a) {
        if (domain.wall[a][0] && x[a] - box.lo[a] < radius)
            f(x[a] - box.lo[a], Vec<double, D>::unit(a), Vec<double, D>{});
        if (domain.wall[a][1] && box.hi[a] - x[a] < radius)
            f(box.hi[a] - x[a], Vec<double, D>::unit(a, -1), Vec<double, D>{});
    }
}

/// Distance of two bubbles and the direction from j to i; by their ids where they coincide.
template <int D>
double apart(const ClusterShape<D>& s, std::size_t i, std::size_t j, Vec<double, D>& normal) {
    const Vec<double, D> way = s.position[i] - s.position[j];
    const double distance = length(way);
    if (distance > 1e-9 * s.radius[i])
        normal = way / distance;
    else
        normal = Vec<double, D>::unit(0, s.id[i] < s.id[j] ? -1 : 1);
    return distance;
}

}  // namespace spume

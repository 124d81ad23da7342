// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/physics/domain/solid_set.h"
#include "spume/physics/foam/cluster_balance.h"
#include "spume/physics/foam/popping.h"

namespace spume {

/// What a step of a cluster did.
struct ClusterMotion {
    int subcycles = 0;
    int searches = 0;           ///< for neighbours
    int solver_iterations = 0;  ///< implicit: of all subcycles
    double max_speed = 0;       ///< m/s
    double farthest = 0;        ///< m; that a bubble went from where it began
    std::size_t popped = 0;
    double burst = 0;   ///< air of those, m³ (2D: m²)
    std::string wrong;  ///< why the step could not be finished; empty: it was
};

/// What a cluster moves in.
template <int D>
struct ClusterPlace {
    FluidBetween<D> fluid;  ///< of the whole step
    const SolidSet<D>& solids;
    const GridDomain<D>& domain;
    std::span<const Vec<double, D>> pressure_gradient;  ///< ∇p of each bubble, Pa/m
    double reach = 1e300;  ///< m; how far from their places the fluid is known
};

/// Moves bubbles through the time of the fluid, [G04] §5.4, in Euler subcycles of
///
///   Δt ≤ courant r_min/v_max                                                 [G04] Eq. 41
///   Δt ≤ stability K / Σ_j (k_r/l + k_a c_nb/r_min) of the stiffest bubble   (explicit only)
///
/// The second is the limit up to which Euler's rule does not oscillate or grow; [G04] takes a
/// hundredth of the first instead. Those that pop on the way are removed. Centres stay out of
/// solids.
template <int D>
ClusterMotion move_cluster(ClusterBubbles<D>& bubbles, const ClusterPlace<D>& place,
                           const ClusterLaw<D>& law, const PoppingLaw& popping, Context& context);

/// Volume of the bubbles in regions from `first` to `last`, summed over a fixed tree.
template <int D>
double cluster_volume(const ClusterBubbles<D>& bubbles, SurfaceRegion first, SurfaceRegion last,
                      Context& context);

}  // namespace spume

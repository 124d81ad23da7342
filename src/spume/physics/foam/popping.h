// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <vector>

#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/physics/foam/bubble_cluster.h"

namespace spume {

/// Bubbles by their ids, both counted in.
struct IdRange {
    std::uint64_t first = 0, last = 0;
    bool holds(std::uint64_t id) const { return id >= first && id <= last; }
};

/// Films drain and break. Larger bubbles break sooner, those at walls later, none below the
/// surface, [G04] §4.5.
struct PoppingLaw {
    double life = 1e300;       ///< T, s: mean life at the surface of bubbles up to `small_radius`
    double wall_life = 1e300;  ///< the same of those that touch a solid or wall
    double small_radius = 1e-3, large_radius = 5e-3;  ///< r_s and r_l, m
    double scale = 1;                                 ///< S: 1 + S times as often at r_l
    bool in_air = false;  ///< what loses the surface pops at once, [G04] §5.3.4
    std::uint64_t seed = 1;
    std::vector<IdRange> spared;  ///< they do not pop by themselves
};

/// How often a bubble pops, 1/s:
///
///   (1 + L)/T,   L = max(0, S (r_b − r_s)/(r_l − r_s))                       [G04] Eq. 17
inline double popping_rate(const PoppingLaw& law, double radius, bool at_wall) {
    const double above =
        law.scale * (radius - law.small_radius) / (law.large_radius - law.small_radius);
    return (1 + (above > 0 ? above : 0)) / (at_wall ? law.wall_life : law.life);
}

inline constexpr double kNeverPops = 1e300;

/// [G04] Eq. 18 removes a bubble in a step Δt when a random number is below Δt (1 + L)/T: lives are
/// exponential, up to an error of the order of Δt/T. The same without that error, and with one
/// random number a bubble: it pops when its exposure, the integral of the rate over its time at the
/// surface, reaches this number, which is exponential with mean one. So lives depend on the seed
/// and the bubble, not on the steps, and with other lifetimes the same bubbles pop first.
inline double exposure_limit(const PoppingLaw& law, std::uint64_t id) {
    for (const IdRange& range : law.spared)
        if (range.holds(id)) return kNeverPops;
    return -math::log(1 - Random(law.seed, id, 0, Purpose::kLifetime).uniform(0));
}

}  // namespace spume

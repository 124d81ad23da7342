// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <memory>

#include "tension_run.h"

// Resolved air, seeded to a radius that the grid sees.

namespace spume {

enum class Rule { kShare, kMarker };
inline const char* name_of(Rule rule) { return rule == Rule::kShare ? "cell_share" : "marker"; }
template <int D>
double particle_radius(Rule rule, double voxel) {
    return rule == Rule::kShare ? share_radius<D>(voxel) : std::sqrt(D / 4.0) * voxel;
}

/// Volume (2D: area) of the air that the grid sees.
template <int D>
double seen_volume(MixtureRun<D>& run) {
    return mixture::summary(run.state, run.params, run.world, run.context).air.grid;
}

template <int D>
double ball_radius(double volume) {
    return D == 2 ? std::sqrt(volume / std::numbers::pi)
                  : std::cbrt(3 * volume / (4 * std::numbers::pi));
}

/// A run with air wherever distance(x − centre) < shift, `shift` chosen such that the grid sees
/// `volume` of it.
template <int D>
std::unique_ptr<MixtureRun<D>> seeded_run(const Scene& scene, const mixture::Params& params,
                                          Rule rule, const Point<D>& centre, double reach,
                                          double volume,
                                          const std::function<double(const Point<D>&)>& distance,
                                          int threads = 1) {
    const double h = scene.voxel();
    std::unique_ptr<MixtureRun<D>> best;
    double low = -1.5 * h, high = 0.5 * h;
    for (int n = 0; n < 7; ++n) {
        const double shift = 0.5 * (low + high);
        best = std::make_unique<MixtureRun<D>>(scene, params, threads);
        fill(*best, centre, reach, 2, particle_radius<D>(rule, h),
             [&](const Point<D>& x) { return distance(x) < shift; });
        best->until(1e-9);
        (seen_volume(*best) > volume ? high : low) = shift;
    }
    return best;
}

}  // namespace spume

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

/// [Pop09]: a drop of diameter 0.8 at rest in a whole box of side 2, σ = 1, ρ = 1 everywhere,
/// μ = √(0.8/La); here with advection.
inline std::unique_ptr<MixtureRun<2>> drop_at_rest(double laplace, int smoothing) {
    Scene scene = hero_scene<2>(64, 1.0 / 32, 1, 1, 1);
    scene.physics.viscosity = std::sqrt(0.8 / laplace);
    mixture::Params p = hero_params();
    p.curvature_smoothing = smoothing;
    p.drag = 1;
    p.mixture_viscosity = true;
    p.air_viscosity = scene.physics.viscosity;
    const double radius = 0.4;
    return seeded_run<2>(scene, p, Rule::kMarker, {1, 1}, 0.5, std::numbers::pi * radius * radius,
                         [&](const Point<2>& x) { return length(x) - radius; });
}

}  // namespace spume

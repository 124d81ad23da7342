// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "finite_swing.h"
#include "run.h"
#include "spume/surface/fraction.h"

namespace spume {

/// Puts a surface in place of the one that was laid around the particles.
template <int D>
void set_surface(constraint::State<D>& state,
                 const std::function<double(const Point<D>&)>& distance) {
    double* v = state.phi.write();
    for (int t = 0; t < state.grid.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            v[std::size_t(t) * kTileCells<D> + std::size_t(o)] = distance(state.phi.position(t, o));
}

/// A massless bubble of radius 1 in a tank 8 wide, by the whole method in 2D: times when mode n is
/// zero, in Lamb's periods; fewer if it was lost. `place` in voxels from a corner of the grid.
inline std::vector<double> swing_zeros(int n, int cells_per_diameter, const Point<2>& place,
                                       double swing, std::size_t count) {
    const double radius = 1, h = 2 * radius / cells_per_diameter;
    Scene scene = tank(2, h, {8, 8, 1});
    scene.physics.gravity = {0, 0, 0};
    scene.physics.water_density = 1;
    scene.physics.surface_tension = 1;
    scene.physics.viscosity = 0;
    const Point<2> middle{4.0 + place[0] * h, 4.0 + place[1] * h};
    scene.liquids = {liquid_box({-1, -1, -1}, {9, 9, 1}),
                     liquid_ball({middle[0], middle[1], 0}, radius, LiquidMode::kHollow)};
    ConstraintRun<2> run(scene, {});
    const auto bulge = [&](const Point<2>& x, double r) {
        return swing * std::cos(n * std::atan2(x[1], x[0])) * std::pow(radius / r, n + 1);
    };
    for (auto& x : run.state.liquid.position.write()) {
        const Point<2> from = x - middle;
        const double r = length(from);
        x += from * (bulge(from, r) / r);
        for (int a = 0; a < 2; ++a) x[a] = std::clamp(x[a], 1e-3 * h, 8 - 1e-3 * h);
    }
    set_surface<2>(run.state, [&](const Point<2>& x) {
        const Point<2> from = x - middle;
        const double r = std::max(length(from), 0.3);
        return 1 + bulge(from, radius) - r;
    });
    const auto mode = [&] {
        const auto part = liquid_fractions<2>(run.state.phi, run.context);
        double sum = 0;
        for (int t = 0; t < run.state.grid.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<2>; ++o) {
                const Point<2> x = part.position(t, o) - middle;
                const double r = length(x);
                if (r < 1.6 && r > 0.1)
                    sum += (1 - double(part.at(t, o))) * std::cos(n * std::atan2(x[1], x[0])) / r *
                           h * h;
            }
        return sum / std::numbers::pi;
    };
    const double exact = FiniteSwing::lamb_period(n);
    double last = mode(), last_time = 0;
    std::vector<double> zeros;  // in exact periods
    while (run.state.time < 2.5 * exact && zeros.size() < count && !run.failed) {
        run.one_step(run.state.time +
                     constraint::max_dt(run.state, run.params, run.world, run.context));
        const double now = mode();
        if (last * now < 0)
            zeros.push_back((last_time + (run.state.time - last_time) * last / (last - now)) /
                            exact);
        last = now, last_time = run.state.time;
    }
    return zeros;
}

}  // namespace spume

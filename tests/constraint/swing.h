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
void set_surface(LevelSet<D>& phi, const std::function<double(const Point<D>&)>& distance) {
    double* v = phi.write();
    for (int t = 0; t < phi.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            v[std::size_t(t) * kTileCells<D> + std::size_t(o)] = distance(phi.position(t, o));
}

/// Shape of mode n: around the origin in the plane, around the upright axis in space.
template <int D>
double swing_shape(int n, const Point<D>& x) {
    if constexpr (D == 2) return std::cos(n * std::atan2(x[1], x[0]));
    return std::legendre(unsigned(n), x[1] / length(x));
}

/// A massless bubble of radius 1 in a tank `width` wide, by the whole method: times when mode n is
/// zero, in Lamb's periods; fewer if it was lost. `place` in voxels from a corner of the grid.
template <int D>
std::vector<double> swing_zeros(int n, int cells_per_diameter, const Point<D>& place, double swing,
                                std::size_t count, double width = 8) {
    const double h = 2.0 / cells_per_diameter;
    Scene scene = tank(D, h, {width, width, D == 2 ? 1 : width});
    scene.physics.gravity = {0, 0, 0};
    scene.physics.water_density = 1;
    scene.physics.surface_tension = 1;
    scene.physics.viscosity = 0;
    const Point<D> middle = Point<D>::filled(width / 2) + place * h;
    Vec<double, 3> centre{};
    for (int a = 0; a < D; ++a) centre[a] = middle[a];
    scene.liquids = {liquid_box({-1, -1, -1}, {width + 1, width + 1, width + 1}),
                     liquid_ball(centre, 1, LiquidMode::kHollow)};
    ConstraintRun<D> run(scene, {});
    const auto bulge = [&](const Point<D>& x, double r) {
        return swing * swing_shape<D>(n, x) * std::pow(1 / r, n + D - 1);
    };
    for (auto& x : run.state.liquid.position.write()) {
        const Point<D> from = x - middle;
        const double r = length(from);
        x += from * (bulge(from, r) / r);
        for (int a = 0; a < D; ++a) x[a] = std::clamp(x[a], 1e-3 * h, width - 1e-3 * h);
    }
    set_surface<D>(run.state.phi, [&](const Point<D>& x) {
        const Point<D> from = x - middle;
        const double r = length(from);
        return r > 0.3 ? 1 + bulge(from, 1) - r : 0.7;
    });
    // ∫ of the shape over what the bubble has and a round one lacks, less the reverse; each ray is
    // weighed so that a bulge counts once. Cells inside both would only add the grid's own noise.
    const auto mode = [&] {
        LevelSet<D> round = run.state.phi;
        set_surface<D>(round, [&](const Point<D>& x) { return 1 - length(x - middle); });
        const auto part = liquid_fractions<D>(run.state.phi, run.context);
        const auto base = liquid_fractions<D>(round, run.context);
        double sum = 0;
        for (int t = 0; t < run.state.grid.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Point<D> x = part.position(t, o) - middle;
                const double r = length(x);
                if (r < 1.6 && r > 0.4)
                    sum += double(base.at(t, o) - part.at(t, o)) * swing_shape<D>(n, x) /
                           std::pow(r, D - 1);
            }
        return sum;
    };
    const double exact = FiniteSwing<D>::lamb_period(n);
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

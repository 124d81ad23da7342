// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <numbers>

#include "swing.h"

namespace spume {

/// On a pool half a metre long and `depth` deep: lifts the surface by `rise` cos 2πx. Areas are
/// kept, so that the particles are as dense as before: the canonical map of the generating function
/// x'y + rise/k sin kx' g(y), with the displacement of a linear wave, g = sinh ky / sinh kH.
inline void raise_wave(ConstraintRun<2>& run, double rise, double depth = 0.5) {
    const double k = 2 * std::numbers::pi, deep = std::sinh(k * depth);
    for (auto& x : run.state.liquid.position.write()) {
        const double lift = rise * std::sinh(k * x[1]) / deep;
        const double slope = rise * std::cosh(k * x[1]) / deep;
        double next = x[0];
        for (int i = 0; i < 8; ++i)
            next -=
                (next + slope * std::sin(k * next) - x[0]) / (1 + slope * k * std::cos(k * next));
        x = {next, x[1] + lift * std::cos(k * next)};
    }
    set_surface<2>(run.state.phi,
                   [&](const Point<2>& x) { return x[1] - depth - rise * std::cos(k * x[0]); });
}

/// First mode of the heights of columns of liquid.
inline double wave_amplitude(ConstraintRun<2>& run) {
    const auto part = liquid_fractions<2>(run.state.phi, run.context);
    double sum = 0;
    for (int t = 0; t < run.state.grid.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const Point<2> x = part.position(t, o);
            if (x[0] > 0 && x[0] < 0.5 && x[1] > 0)
                sum += double(part.at(t, o)) * std::cos(2 * std::numbers::pi * x[0]) / (64 * 64);
        }
    return 4 * sum;
}

/// An inviscid standing wave, 64 cells a wavelength, amplitude λ/40, depth λ/2: the share of its
/// amplitude that is left after five periods.
inline double wave_left(Transfer transfer, double flip, double memory, std::uint64_t seed) {
    Scene scene = tank(2, 1.0 / 64, {0.5, 0.75, 1});
    scene.seed = seed;
    scene.physics.surface_tension = scene.physics.viscosity = 0;
    scene.liquids = {liquid_box({0, 0, -1}, {0.5, 0.5, 1})};
    constraint::Params params;
    params.transfer = transfer;
    params.flip = flip;
    params.surface_memory = memory;
    params.cfl = 1;
    params.min_substeps = 2;
    ConstraintRun<2> run(scene, params);
    const double k = 2 * std::numbers::pi;
    raise_wave(run, 1.0 / 40);
    const double period = 2 * std::numbers::pi / std::sqrt(9.81 * k * std::tanh(k * 0.5));
    double first = 0, last = 0;
    while (run.state.time < 5.25 * period) {
        run.one_step(run.state.time +
                     constraint::max_dt(run.state, params, run.world, run.context).seconds);
        if (first == 0) first = wave_amplitude(run);
        if (run.state.time > 4.75 * period) last = std::max(last, wave_amplitude(run));
    }
    return last / first;
}

/// The same, 64 cells a wavelength, from an amplitude and a level above half a metre in voxels: the
/// period, by where the amplitude is zero, over that of a wave of this height,
/// ω² = gk tanh kH (1 − (ka)²/4) [Ray15], less one.
inline double wave_period_error(double amplitude, double above) {
    const double h = 1.0 / 64, k = 2 * std::numbers::pi, depth = 0.5 + above * h;
    Scene scene = tank(2, h, {0.5, 0.75, 1});
    scene.physics.surface_tension = 0;
    scene.physics.viscosity = 1;
    scene.liquids = {liquid_box({-1, -1, -1}, {1, depth, 1})};
    constraint::Params params;
    params.cfl = 1;
    ConstraintRun<2> run(scene, params);
    raise_wave(run, amplitude * h, depth);
    const double steep = k * amplitude * h,
                 period = k / std::sqrt(9.81 * k * std::tanh(k * depth) * (1 - steep * steep / 4));
    double before = wave_amplitude(run), then = 0, first = -1, last = -1;
    int crossings = 0;
    for (int frame = 1; frame < 60 * 3.5 * period; ++frame) {
        run.until(frame / 60.0);
        const double now = wave_amplitude(run);
        if ((now > 0) != (before > 0)) {
            last = then + (run.state.time - then) * before / (before - now);
            if (crossings++ == 0) first = last;
        }
        before = now;
        then = run.state.time;
    }
    return 2 * (last - first) / (crossings - 1) / period - 1;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "../tests/methods/constraint/swing.h"
#include "../tests/methods/constraint/wave.h"
#include "spume/surface/fraction.h"

// Motions whose law is known, by the whole method: waves, rest, levels, oscillating bubbles.

namespace spume::bench {

/// Over ten seeds: where the particles start makes a difference of several per cent.
inline void wave_study(Transfer transfer, double flip, double memory) {
    double sum = 0, least = 1e9, most = 0;
    const int seeds = 10;
    for (int seed = 1; seed <= seeds; ++seed) {
        const double left = 100 * wave_left(transfer, flip, memory, std::uint64_t(seed));
        sum += left;
        least = std::min(least, left), most = std::max(most, left);
    }
    fmt::print(
        "standing wave {} {:.2f}, memory {}: {:.1f} % of the amplitude left after five periods, "
        "mean of {} seeds, {:.1f} to {:.1f}   (aim: 95)\n",
        transfer == Transfer::kApic ? "apic" : "flip", flip, memory, sum / seeds, seeds, least,
        most);
}

/// Still water: the largest speed over 10 s. With `reconstructed` the first surface is that of the
/// particles, otherwise that of the scene.
inline void rest_study(int dimensions, double memory, bool laid) {
    const auto measure = [&](auto run) {
        double fastest = 0, late = 0, sum = 0;
        run->until(10, [&] {
            fastest = std::max(fastest, run->last.max_speed);
            sum += run->last.max_speed;
            if (run->state.time > 5) late = std::max(late, run->last.max_speed);
        });
        const double scale = std::sqrt(9.81);
        fmt::print(
            "rest for 10 s, {}D, memory {}, first surface {}: max |u| / sqrt(g L) = {:.4f} (aim: "
            "0.01), after "
            "5 s {:.4f}, mean of the maxima {:.4f}, volume drift {:.3f} %\n",
            dimensions, memory, laid ? "of the particles" : "exact", fastest / scale, late / scale,
            sum / run->steps / scale, 100 * (run->state.volume / run->state.target_volume - 1));
    };
    Scene scene = tank(dimensions, 1.0 / 32, {1, 1, 1});
    scene.physics.surface_tension = 0;
    scene.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 2})};
    constraint::Params params;
    params.surface_memory = laid ? 0 : memory;
    if (dimensions == 2) {
        auto run = std::make_unique<ConstraintRun<2>>(scene, params);
        run->params.surface_memory = memory;
        measure(std::move(run));
    } else {
        auto run = std::make_unique<ConstraintRun<3>>(scene, params);
        run->params.surface_memory = memory;
        measure(std::move(run));
    }
}

/// A closed tank parted by a wall with two holes, the upper one up to 0.3 m, liquid on the left:
/// once the upper hole is covered the levels stay where they are, H0 − z_t and z_t, as long as
/// sloshing does not lay it bare again.
inline void holes_study(double voxel, double viscosity, double hole, double seconds) {
    Scene scene = tank(2, voxel, {1.04, 1, 1});
    scene.physics.viscosity = viscosity;
    scene.solids = {solid_box({0.5, -0.1, -1}, {0.54, 0.05, 1}),
                    solid_box({0.5, 0.05 + hole, -1}, {0.54, 0.3 - hole, 1}),
                    solid_box({0.5, 0.3, -1}, {0.54, 1.1, 1})};
    scene.liquids = {liquid_box({0, 0, -1}, {0.5, 0.8, 1})};
    ConstraintRun<2> run(scene, {});
    const auto levels = [&] {
        const auto part = liquid_fractions<2>(run.state.phi, run.context);
        std::array<double, 2> sum{};
        for (int t = 0; t < run.state.grid.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<2>; ++o) {
                const Point<2> x = part.position(t, o);
                if (x[0] < 0 || x[0] > 1.04 || x[1] < 0 || x[1] > 1 || std::abs(x[0] - 0.52) < 0.02)
                    continue;
                sum[x[0] > 0.52] += double(part.at(t, o)) * voxel * voxel / 0.5;
            }
        return sum;
    };
    for (double t = 1; t <= seconds; ++t) {
        run.until(t);
        const auto now = levels();
        double pressure[2] = {};
        for (const AirBubble& b : run.state.air.bubbles)
            if (b.volume > 0.05) pressure[b.centre[0] > 0.52] = b.pressure;
        fmt::print("  {:4.1f} s: levels {:.3f} and {:.3f} m, pressures {:.0f} Pa apart\n", t,
                   now[0], now[1], pressure[1] - pressure[0]);
    }
    const auto end = levels();
    fmt::print(
        "wall with holes of {} m, h = {} m, viscosity {} Pa s: ends at {:.3f} and {:.3f} m   (0.5 "
        "and 0.3 within {:.3f} and {:.3f})\n",
        hole, voxel, viscosity, end[0], end[1], voxel + 0.015, voxel + 0.009);
}

/// Shape oscillation of a massless bubble, mode n, amplitude `swing` R, tank 8 R wide (in 3D 5 R),
/// its middle `place` voxels off a corner of the grid: its period from the zeros of the mode.
template <int D>
void oscillation_study(int n, int cells_per_diameter, const Point<D>& place, double swing = 0.1) {
    const auto zeros =
        swing_zeros<D>(n, cells_per_diameter, place, swing, D == 2 ? 4 : 3, D == 2 ? 8 : 5);
    if (zeros.size() < 3)
        return void(fmt::print("oscillation n = {}: fewer than three zeros\n", n));
    const std::vector<double> exact = FiniteSwing<D>::zeros(n, swing, 3);
    const double period = zeros[2] - zeros[0], truth = exact[2] - exact[0];
    fmt::print(
        "oscillation {}D, n = {}, {} R, D/h = {}, at ({}, {}): period {:+.1f} % of Lamb's (aim: "
        "5), {:+.1f} % of potential flow with this swing, which has {:+.1f} %; zeros at {:.3f}\n",
        D, n, swing, cells_per_diameter, place[0], place[1], 100 * (period - 1),
        100 * (period / truth - 1), 100 * (truth - 1), fmt::join(zeros, " "));
    std::fflush(stdout);
}

}  // namespace spume::bench

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <chrono>
#include <cmath>

#include <fmt/core.h>

#include "gb17_rows.h"
#include "spume/surface/fraction.h"

// Bottles that empty, beside Clanet & Searby 2004 and Torricelli; a frame of the paper's cooler.

namespace spume::bench {

/// A square bottle upside down in open air, water 0.2 m high, with a square hole in the plate that
/// closes it: `across` of a voxel's widths. A round bottle of the same areas has the diameters D0
/// and d. With `scale` 1 it is the smallest one whose hole is wide against the capillary length;
/// the law of Clanet & Searby has no surface tension in it, so a large one is nearer to what it is
/// about.
struct Bottle {
    double across = 8;             ///< voxels across the hole
    double scale = 1;              ///< size over that of the smallest
    double neck = 0.025 * scale;   ///< d, m
    double bottle = 0.05 * scale;  ///< D0, m
    double height = 0.2 * scale;   ///< L, m
    double side(double diameter) const { return diameter * std::sqrt(3.14159265358979 / 4); }
    double voxel() const { return side(neck) / across; }

    Scene scene() const {
        const double h = voxel(), wall = 2 * h, half = side(bottle) / 2, air = 4 * h;
        const double out = half + wall, plate = 2 * h, below = 10 * h;
        Scene s = tank(3, h, {2 * out + 8 * h, 0, 0});
        s.domain.lower = {-out - 4 * h, -below, -out - 4 * h};
        s.domain.upper = {out + 4 * h, height + air + wall + 2 * h, out + 4 * h};
        s.domain.sides = s.domain.bottom = s.domain.top = Border::kOpen;
        add_plate(s, {-out, -plate, -out}, {out, 0, out}, side(neck));
        const double top = height + air;
        s.solids.push_back(solid_box({-out, -plate, -out}, {-half, top, out}));
        s.solids.push_back(solid_box({half, -plate, -out}, {out, top, out}));
        s.solids.push_back(solid_box({-half, -plate, -out}, {half, top, -half}));
        s.solids.push_back(solid_box({-half, -plate, half}, {half, top, out}));
        s.solids.push_back(solid_box({-out, top, -out}, {out, top + wall, out}));
        s.liquids = {liquid_box({-half, -plate, -half}, {half, height, half})};
        return s;
    }
    double clanet_searby() const {
        return 3 * height / std::sqrt(9.81 * bottle) * std::pow(bottle / neck, 2.5);
    }
    double torricelli(double discharge) const {
        return std::pow(bottle / neck, 2) * std::sqrt(2 * height / 9.81) *
               std::sqrt(1 - std::pow(neck / bottle, 4)) / discharge;
    }
};

/// Time for the middle eight tenths of the water to leave, over 0.8.
inline double emptying_time(const Bottle& bottle, const constraint::Params& params, int threads) {
    ConstraintRun<3> run(bottle.scene(), params, threads);
    // Not the particles: their number a voxel changes on the way.
    const auto inside = [&] {
        const auto part = liquid_fractions<3>(run.state.phi, run.context);
        const double half = bottle.side(bottle.bottle) / 2;
        double cells = 0;
        for (int t = 0; t < run.state.grid.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<3>; ++o) {
                const Point<3> x = part.position(t, o);
                if (x[1] > 0 && x[1] < bottle.height + 4 * bottle.voxel() &&
                    std::abs(x[0]) < half && std::abs(x[2]) < half)
                    cells += double(part.at(t, o));
            }
        return cells;
    };
    const double full = inside(), begin = core_seconds();
    double from = -1, to = -1, worst = 0;
    const double limit = 2 * bottle.clanet_searby();
    const double rate = 30 / std::sqrt(bottle.scale);
    for (int frame = 1; to < 0 && frame / rate < limit && run.until(frame / rate); ++frame) {
        const double left = inside() / full;
        if (from < 0 && left < 0.9) from = run.state.time;
        if (to < 0 && left < 0.1) to = run.state.time;
        worst = std::max(worst, std::abs(run.state.volume / run.state.target_volume - 1));
        if (frame % 30 == 0)
            fmt::print("    {:5.1f} s: {:4.1f} % left\n", run.state.time, 100 * left),
                std::fflush(stdout);
    }
    fmt::print(
        "  {}: {:.2f} s for the whole ({} substeps, {:.0f} core-seconds, {:.0f} voxels of water "
        "at first, liquid drift "
        "{:.2f} % at most)\n",
        params.bubbles == constraint::BubbleMode::kOff ? "vented" : "trapped air",
        (to - from) / 0.8, run.steps, core_seconds() - begin, full, 100 * worst);
    return (to - from) / 0.8;
}

inline void emptying_study(double across, double scale, int threads) {
    const Bottle bottle{across, scale};
    fmt::print("bottle D0 = {} m, d = {} m, L = {} m, {} voxels across the hole\n", bottle.bottle,
               bottle.neck, bottle.height, across);
    constraint::Params params;
    const double trapped = emptying_time(bottle, params, threads);
    params.bubbles = constraint::BubbleMode::kOff;
    const double vented = emptying_time(bottle, params, threads);
    fmt::print(
        "  Clanet & Searby {:.2f} s; Torricelli {:.2f} s, with a discharge of 0.61 {:.2f} s\n",
        bottle.clanet_searby(), bottle.torricelli(1), bottle.torricelli(0.61));
    fmt::print("ratio bottle_emptying clanet_searby {:.2f}   (aim: 1 within 0.15)\n",
               trapped / bottle.clanet_searby());
    fmt::print("ratio bottle_emptying vented {:.2f}   (aim: 3 to 6)\n", trapped / vented);
}

/// A few frames of a cooler of the paper's size, 128×256×128 cells and 4 M particles: a bottle half
/// as wide as the box, on a plate across it.
inline void figure_study(int cells, int frames, int threads) {
    const double h = 0.6 / cells, half = 0.3 * 66 / 256, wall = 0.3 * 6 / 256;
    Scene scene = tank(3, h, {0.3, 0.6, 0.3});
    scene.time.fps = 30;
    add_plate(scene, {0, 0.28, 0}, {0.3, 0.3, 0.3}, 0.04);
    const double a = 0.15 - half, b = 0.15 + half;
    scene.solids.push_back(solid_box({a - wall, 0.3, a - wall}, {a, 0.7, b + wall}));
    scene.solids.push_back(solid_box({b, 0.3, a - wall}, {b + wall, 0.7, b + wall}));
    scene.solids.push_back(solid_box({a, 0.3, a - wall}, {b, 0.7, a}));
    scene.solids.push_back(solid_box({a, 0.3, b}, {b, 0.7, b + wall}));
    scene.liquids = {liquid_box({a, 0.28, a}, {b, 0.57, b})};
    const double start = core_seconds();
    ConstraintRun<3> run(scene, {}, threads);
    fmt::print("cooler {}x{}x{}: {} particles, set up in {:.1f} core-seconds\n", cells / 2, cells,
               cells / 2, run.state.liquid.size(), core_seconds() - start);
    run.context.times.clear();
    double last = 0;
    for (int f = 1; f <= frames; ++f) {
        const double begin = core_seconds();
        const int steps = run.steps;
        run.until(f / 30.0);
        last = core_seconds() - begin;
        fmt::print("  frame {}: {:.1f} core-seconds, {} substeps, fastest {:.2f} m/s\n", f, last,
                   run.steps - steps, run.last.max_speed);
        std::fflush(stdout);
    }
    for (const auto& e : run.context.times.entries())
        fmt::print("  {:14} {:8.1f} ms a substep\n", e.name, 1000 * e.seconds / run.steps);
    fmt::print(
        "  300 frames like the last: {:.2f} core-hours; [GB17] 2 h 55 on six cores, 17.5 "
        "core-hours\n",
        300 * last / 3600);
    fmt::print("ratio cooler_{}_core_hours gb17 {:.1f}   (aim: 3; 300 times the last frame)\n",
               cells, 17.5 / (300 * last / 3600));
}

}  // namespace spume::bench

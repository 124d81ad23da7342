// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "gb17_rows.h"
#include "spume/surface/fraction.h"

// Bottles that empty, beside Clanet & Searby 2004 and Torricelli; a frame of the paper's cooler.

namespace spume::bench {

constexpr double kPi = 3.14159265358979323846;

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
    double plate = neck / 4;       ///< its thickness, m: water and air pass each other better the
                                   ///< longer the hole is
    double until = 0.1;            ///< share of the water that is left when a run ends
    /// The bottle of a water cooler, 19 l.
    static Bottle of_a_cooler(double across) {
        Bottle b{across};
        b.neck = 0.05, b.bottle = 0.27, b.height = 0.36, b.plate = b.neck / 4;
        return b;
    }
    /// Share that is left when the clock starts: the first gulps are slower.
    double first() const { return until < 0.5 ? 0.9 : 0.95; }
    double side(double diameter) const { return diameter * std::sqrt(kPi / 4); }
    double voxel() const { return side(neck) / across; }
    double air() const { return 4 * voxel(); }  ///< its height above the water at first

    Scene scene() const {
        const double h = voxel(), wall = 2 * h, half = side(bottle) / 2;
        const double out = half + wall, below = plate + 8 * h;
        Scene s = tank(3, h, {2 * out + 8 * h, 0, 0});
        s.domain.lower = {-out - 4 * h, -below, -out - 4 * h};
        s.domain.upper = {out + 4 * h, height + air() + wall + 2 * h, out + 4 * h};
        s.domain.sides = s.domain.bottom = s.domain.top = Border::kOpen;
        add_plate(s, {-out, -plate, -out}, {out, 0, out}, side(neck));
        const double top = height + air();
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
    /// Voxels of liquid above the plate.
    double inside(ConstraintRun<3>& run) const {
        // Not the particles: their number a voxel changes on the way.
        const auto part = liquid_fractions<3>(run.state.phi, run.context);
        const double half = side(bottle) / 2;
        double cells = 0;
        for (int t = 0; t < run.state.grid.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<3>; ++o) {
                const Point<3> x = part.position(t, o);
                if (x[1] > 0 && x[1] < height + air() && std::abs(x[0]) < half &&
                    std::abs(x[2]) < half)
                    cells += double(part.at(t, o));
            }
        return cells;
    }
};

/// The pressure of the air on top while a bottle empties.
struct Glugs {
    std::vector<double> time, pressure;

    void note(const constraint::State<3>& state) {
        double largest = 0, value = 0;
        for (const AirBubble& b : state.air.bubbles)
            if (!b.outside && b.volume > largest) largest = b.volume, value = b.pressure;
        time.push_back(state.time);
        pressure.push_back(value);
    }
    /// The strongest period between two limits from one time to another, by its Fourier sum.
    double period(double from, double to, double shortest, double longest) const {
        double best = 0, most = 0, mean = 0, all = 0;
        const auto sum = [&](const auto& f) {
            for (std::size_t i = 1; i < time.size(); ++i)
                if (time[i] > from && time[i] < to) f(i, time[i] - time[i - 1]);
        };
        sum([&](std::size_t i, double dt) { mean += pressure[i] * dt, all += dt; });
        mean /= all;
        for (double t = shortest; t < longest; t *= 1.02) {
            double c = 0, s = 0;
            sum([&](std::size_t i, double dt) {
                c += (pressure[i] - mean) * std::cos(2 * kPi * time[i] / t) * dt;
                s += (pressure[i] - mean) * std::sin(2 * kPi * time[i] / t) * dt;
            });
            if (c * c + s * s > most) most = c * c + s * s, best = t;
        }
        return best;
    }
};

/// Time for the whole, from a part of the water: with trapped air it leaves evenly, vented the
/// level falls as (1 − t/T)².
inline double emptying_time(const Bottle& bottle, constraint::BubbleMode bubbles, int threads) {
    constraint::Params params;
    params.bubbles = bubbles;
    ConstraintRun<3> run(bottle.scene(), params, threads);
    const double full = bottle.inside(run), begin = core_seconds();
    double from = -1, to = -1, half_full = -1, worst = 0;
    const double limit = 2 * bottle.clanet_searby();
    const double rate =
        (bubbles == constraint::BubbleMode::kOff ? 120 : 30) / std::sqrt(bottle.scale);
    Glugs glugs;
    for (int frame = 1; to < 0 && frame / rate < limit; ++frame) {
        if (!run.until(frame / rate, [&] { glugs.note(run.state); })) break;
        const double left = bottle.inside(run) / full;
        if (from < 0 && left < bottle.first()) from = run.state.time;
        if (half_full < 0 && left < 0.5) half_full = run.state.time;
        if (to < 0 && left < bottle.until) to = run.state.time;
        worst = std::max(worst, std::abs(run.state.volume / run.state.target_volume - 1));
        if (frame % 30 == 0)
            fmt::print("    {:5.1f} s: {:4.1f} % left\n", run.state.time, 100 * left),
                std::fflush(stdout);
    }
    const bool vented = bubbles == constraint::BubbleMode::kOff;
    const double whole = (to - from) / (vented ? std::sqrt(bottle.first()) - std::sqrt(bottle.until)
                                               : bottle.first() - bottle.until);
    fmt::print(
        "  {}: {:.2f} s for the whole, by what left from {:.0f} to {:.0f} % ({} substeps, {:.0f} "
        "core-seconds, {:.0f} voxels of water "
        "at first, liquid drift "
        "{:.2f} % at most)\n",
        vented                                             ? "vented"
        : bubbles == constraint::BubbleMode::kCompressible ? "compressible air"
                                                           : "incompressible air",
        whole, 100 * bottle.first(), 100 * bottle.until, run.steps, core_seconds() - begin, full,
        100 * worst);
    if (half_full > 0 && bubbles == constraint::BubbleMode::kCompressible) {
        // A column of water z on air in a bottle of length L: T = 2π √(z (L − z)) / √(γ P0 / ρ).
        const double long_by = bottle.height + bottle.air(), z = 0.5 * bottle.height;
        const double spring =
            2 * kPi *
            std::sqrt(z * (long_by - z) * 1000 / (params.gas_exponent * params.atmosphere));
        const double window = (to - from) / 6;
        fmt::print("  pressure on top, half full: period {:.3f} s, of the spring {:.3f} s\n",
                   glugs.period(half_full - window, half_full + window, spring / 4, spring * 4),
                   spring);
    }
    return whole;
}

inline void emptying_study(const Bottle& bottle, int threads) {
    fmt::print("bottle D0 = {} m, d = {} m, L = {} m, hole {} m long, {} voxels across\n",
               bottle.bottle, bottle.neck, bottle.height, bottle.plate, bottle.across);
    Bottle open = bottle;
    open.until = 0.1;
    const double vented = emptying_time(open, constraint::BubbleMode::kOff, threads);
    fmt::print("  Torricelli {:.2f} s, with a discharge of 0.61 {:.2f} s\n", bottle.torricelli(1),
               bottle.torricelli(0.61));
    for (const auto& [name, mode] :
         {std::pair("incompressible", constraint::BubbleMode::kConstrained),
          std::pair("compressible", constraint::BubbleMode::kCompressible)}) {
        const double trapped = emptying_time(bottle, mode, threads);
        fmt::print("  Clanet & Searby {:.2f} s\n", bottle.clanet_searby());
        fmt::print("ratio bottle_emptying_{} clanet_searby {:.2f}   (aim: 1 within 0.15)\n", name,
                   trapped / bottle.clanet_searby());
        fmt::print("ratio bottle_emptying_{} vented {:.2f}   (aim: 3 to 6)\n", name,
                   trapped / vented);
    }
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

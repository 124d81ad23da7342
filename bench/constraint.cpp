// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The liquid with trapped air: seconds a substep of a dam break and where they go, beside what
// other programs were measured to need on such a machine; and what the rows of trapped air cost on
// one geometry of the water cooler, beside [GB17] §5.2. CPU seconds of the process, so that a busy
// machine spoils less.
//
//   bench_constraint [--quick] [--threads N]

#include "spume/methods/constraint/constraint.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fmt/core.h>

#include "spume/methods/constraint/ground.h"
#include "spume/surface/fraction.h"

namespace spume {
namespace {

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

LiquidBody box_of_liquid(const Vec<double, 3>& lo, const Vec<double, 3>& hi) {
    LiquidBody l;
    l.shape.kind = ShapeKind::kBox;
    l.shape.center = (lo + hi) / 2.0;
    l.shape.size = hi - lo;
    return l;
}

Scene closed_tank(const Vec<double, 3>& size, double voxel) {
    Scene s;
    s.method = "constraint";
    s.domain.lower = {0, 0, 0};
    s.domain.upper = size;
    s.domain.voxel = voxel;
    s.domain.sides = s.domain.bottom = s.domain.top = Border::kWall;
    s.time.fps = 60;
    return s;
}

/// A quarter of a cube of `cells` a side falls; frames of 1/60 s.
void dam_break(int cells, int frames, int threads) {
    Scene scene = closed_tank({1, 1, 1}, 1.0 / cells);
    scene.liquids = {box_of_liquid({0, 0, 0}, {0.5, 0.5, 1})};
    const constraint::Params params;
    Context context(threads);
    auto world = constraint::world_of<3>(scene, params, {});
    auto state = constraint::init<3>(world, params, context);
    context.times.clear();
    int substeps = 0, iterations = 0;
    const double begin = cpu_seconds();
    for (int f = 0; f < frames; ++f)
        while (state.time < (f + 1) / 60.0 * (1 - 1e-12)) {
            const double left = (f + 1) / 60.0 - state.time;
            const double count =
                std::ceil(left / constraint::max_dt(state, params, world, context) * (1 - 1e-12));
            const auto report = constraint::step(
                state, params, world,
                {state.time, count <= 1 ? (f + 1) / 60.0 : state.time + left / count}, context);
            iterations += report.pressure_iterations;
            ++substeps;
        }
    const double seconds = cpu_seconds() - begin, particles = double(state.liquid.size());
    const double cell_count = double(state.grid.tiles->active()) * kTileCells<3>;
    fmt::print(
        "dam break {}^3: {:.0f} particles, {:.0f} cells stored, {} frames, {} substeps, "
        "{:.1f} iterations a solve, {} threads\n",
        cells, particles, cell_count, frames, substeps, double(iterations) / substeps, threads);
    fmt::print("  {:.3f} CPU s a substep, {:.3f} a frame, {:.2f} M particles a second\n",
               seconds / substeps, seconds / frames, particles * substeps / seconds / 1e6);
    for (const auto& e : context.times.entries())
        fmt::print("  {:12} {:8.1f} ms a substep (wall)\n", e.name, 1000 * e.seconds / substeps);
    fmt::print("  volume drift {:.4f} %\n", 100 * (state.volume / state.target_volume - 1));
    const double a_particle = seconds / substeps / particles;
    // Peers: Jet FLIP 64^3, 517 k particles, 1.3 s a substep; Mantaflow 96x48x48, 159 k, 1.19 s a
    // frame, of one substep.
    fmt::print("ratio dam_break_{}_particle_substep jet {:.2f}\n", cells, 1.3 / 517e3 / a_particle);
    fmt::print("ratio dam_break_{}_particle_substep mantaflow {:.2f}\n", cells,
               1.19 / 159e3 / a_particle);
}

/// Rows on against rows off on one geometry of the cooler, from a zero guess.
void cooler_rows(int cells, int substeps) {
    Scene scene = closed_tank({0.3, 0.6, 0.3}, 0.6 / cells);
    const auto plate = [&](const Vec<double, 3>& center, const Vec<double, 3>& size) {
        Solid s;
        s.shape.kind = ShapeKind::kBox;
        s.shape.center = center;
        s.shape.size = size;
        scene.solids.push_back(s);
    };
    plate({0.055, 0.3, 0.15}, {0.13, 0.04, 0.4});
    plate({0.245, 0.3, 0.15}, {0.13, 0.04, 0.4});
    plate({0.15, 0.3, 0.055}, {0.062, 0.04, 0.13});
    plate({0.15, 0.3, 0.245}, {0.062, 0.04, 0.13});
    scene.liquids = {box_of_liquid({0, 0.28, 0}, {0.3, 0.56, 0.3})};
    const constraint::Params params;
    Context context(1);
    auto world = constraint::world_of<3>(scene, params, {});
    auto state = constraint::init<3>(world, params, context);
    for (int n = 0; n < substeps; ++n)
        constraint::step(
            state, params, world,
            {state.time,
             state.time + std::min(1 / 30.0, constraint::max_dt(state, params, world, context))},
            context);
    const Bodies<3> solids = world.solids.at(state.time);
    const auto ground = constraint::ground_of(state, params, world, solids, state.time, context);
    const double before_labels = cpu_seconds();
    const auto regions = constraint::regions_of(ground, world, solids, context);
    const double labelling = cpu_seconds() - before_labels;
    const auto faces =
        surface_faces<3>(state.phi, ground.phase, ground.open.area, regions.label, {}, 0, context);
    std::vector<int> dropped;
    const auto rows =
        constrained_rows(regions, std::span<const SurfaceFace>(faces), ground.open.area, dropped);
    const std::vector<RegionRow> none(rows.size());
    int constrained = 0;
    for (const RegionRow& r : rows) constrained += r.constrained;
    FaceField<double, 3> velocity = state.velocity;
    for (std::size_t i = 0; i < velocity.component(1).size(); ++i)
        velocity.write(1)[i] -= 9.81 / 240;
    double seconds[2] = {1e300, 1e300};
    int iterations[2] = {0, 0};
    for (int repeat = 0; repeat < 3; ++repeat)
        for (int with = 0; with < 2; ++with) {
            const auto system = bubble_system<3>(
                velocity, ground.phase, ground.open, std::span<const SurfaceFace>(faces),
                with ? rows : none, {}, {1 / 240.0, 1000, 0}, context);
            CellField<double, 3> p(state.grid.tiles);
            const double begin = cpu_seconds();
            const auto report = world.solver.solve(system.system, p, {}, context);
            seconds[with] = std::min(seconds[with], cpu_seconds() - begin);
            iterations[with] = report.iterations;
        }
    fmt::print("cooler {}^3 after {} substeps: {} regions, {} rows\n", cells, substeps,
               regions.regions.size(), constrained);
    fmt::print(
        "  rows off {} iterations {:.3f} s; rows on {} iterations {:.3f} s; labelling {:.4f} s"
        " = {:.1f} % of the solve   [GB17]: 245 against 263 iterations, labelling 11 %\n",
        iterations[0], seconds[0], iterations[1], seconds[1], labelling,
        100 * labelling / seconds[1]);
    fmt::print("ratio cooler_{}_rows_on_over_off_iterations {:.3f}\n", cells,
               double(iterations[1]) / iterations[0]);
    fmt::print("ratio cooler_{}_rows_on_over_off_seconds {:.3f}\n", cells, seconds[1] / seconds[0]);
}

/// An inviscid standing wave, 64 cells a wavelength, amplitude λ/40, depth λ/2: what is left of its
/// amplitude after five periods.
void standing_wave(Transfer transfer, double flip) {
    Scene scene = closed_tank({0.5, 0.75, 1}, 1.0 / 64);
    scene.domain.dimensions = 2;
    scene.physics.surface_tension = scene.physics.viscosity = 0;
    scene.liquids = {box_of_liquid({0, 0, -1}, {0.5, 0.5, 1})};
    constraint::Params params;
    params.transfer = transfer;
    params.flip = flip;
    params.cfl = 1;
    params.min_substeps = 2;
    Context context(1);
    auto world = constraint::world_of<2>(scene, params, {});
    auto state = constraint::init<2>(world, params, context);
    const double k = 2 * M_PI, rise = 1.0 / 40;
    for (auto& x : state.liquid.position.write()) x[1] *= 1 + rise / 0.5 * std::cos(k * x[0]);
    // First mode of the heights of columns of liquid.
    const auto amplitude = [&] {
        const auto part = liquid_fractions<2>(state.phi, context);
        double sum = 0;
        for (int t = 0; t < state.grid.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<2>; ++o) {
                const Point<2> x = part.position(t, o);
                if (x[0] > 0 && x[0] < 0.5 && x[1] > 0)
                    sum += double(part.at(t, o)) * std::cos(k * x[0]) / (64 * 64);
            }
        return 4 * sum;
    };
    const double period = 2 * M_PI / std::sqrt(9.81 * k * std::tanh(k * 0.5));
    double first = 0, last = 0;
    while (state.time < 5.25 * period) {
        const double dt = constraint::max_dt(state, params, world, context);
        constraint::step(state, params, world, {state.time, state.time + dt}, context);
        if (first == 0) first = amplitude();
        if (state.time > 4.75 * period) last = std::max(last, amplitude());
    }
    fmt::print("standing wave {} {:.2f}: {:.1f} % of the amplitude left after five periods\n",
               transfer == Transfer::kApic ? "apic" : "flip", flip, 100 * last / first);
}

/// Still water whose surface is laid around particles: the largest speed over 10 s.
void rest(int smoothing) {
    Scene scene = closed_tank({1, 1, 1}, 1.0 / 32);
    scene.domain.dimensions = 2;
    scene.physics.surface_tension = 0;
    scene.liquids = {box_of_liquid({0, 0, -1}, {1, 0.5, 1})};
    constraint::Params params;
    params.smoothing = smoothing;
    Context context(1);
    auto world = constraint::world_of<2>(scene, params, {});
    auto state = constraint::init<2>(world, params, context);
    double fastest = 0, sum = 0;
    int steps = 0;
    while (state.time < 10) {
        const double dt = constraint::max_dt(state, params, world, context);
        const auto report =
            constraint::step(state, params, world, {state.time, state.time + dt}, context);
        fastest = std::max(fastest, report.max_speed);
        sum += report.max_speed;
        ++steps;
    }
    fmt::print(
        "rest for 10 s, smoothing {}: max |u| / sqrt(g L) = {:.4f}, mean of the maxima {:.4f}, "
        "volume drift {:.3f} %\n",
        smoothing, fastest / std::sqrt(9.81), sum / steps / std::sqrt(9.81),
        100 * (state.volume / state.target_volume - 1));
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    bool quick = false;
    int threads = 1;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0) quick = true;
        if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc) threads = std::atoi(argv[++i]);
    }
    spume::dam_break(quick ? 32 : 64, quick ? 6 : 12, threads);
    spume::standing_wave(spume::Transfer::kApic, 1);
    spume::standing_wave(spume::Transfer::kFlip, 0.99);
    spume::rest(2);
    spume::rest(6);
    spume::cooler_rows(quick ? 64 : 128, quick ? 12 : 24);
    return 0;
}

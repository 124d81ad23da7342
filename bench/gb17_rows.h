// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <ctime>
#include <memory>

#include <fmt/core.h>

#include "../tests/methods/constraint/run.h"
#include "spume/methods/constraint/substep_geometry.h"

// What the rows of trapped air cost on one geometry of the water cooler, beside [GB17] Table 1.

namespace spume::bench {

inline double core_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// A plate across a tank with a square hole in its middle.
inline void add_plate(Scene& scene, const Vec<double, 3>& lo, const Vec<double, 3>& hi,
                      double hole) {
    const double x = (lo[0] + hi[0]) / 2, z = (lo[2] + hi[2]) / 2, half = hole / 2;
    const double out = 0.1 * (hi[0] - lo[0]);  // walls of the box are no place for a gap
    scene.solids.push_back(
        solid_box({lo[0] - out, lo[1], lo[2] - out}, {x - half, hi[1], hi[2] + out}));
    scene.solids.push_back(
        solid_box({x + half, lo[1], lo[2] - out}, {hi[0] + out, hi[1], hi[2] + out}));
    scene.solids.push_back(solid_box({x - half, lo[1], lo[2] - out}, {x + half, hi[1], z - half}));
    scene.solids.push_back(solid_box({x - half, lo[1], z + half}, {x + half, hi[1], hi[2] + out}));
}

/// [GB17] Fig. 1: two closed chambers joined by a neck, the upper one full.
inline Scene cooler_scene(int cells) {
    Scene scene = tank(3, 0.6 / cells, {0.3, 0.6, 0.3});
    add_plate(scene, {0, 0.28, 0}, {0.3, 0.32, 0.3}, 0.06);
    scene.liquids = {liquid_box({0, 0.28, 0}, {0.3, 0.56, 0.3})};
    return scene;
}

/// Seconds of a stage in all substeps so far.
inline double stage_seconds(const Context& context, std::string_view name) {
    for (const auto& e : context.times.entries())
        if (e.name == name) return e.seconds;
    return 0;
}

/// Rows on against rows off, from a zero guess, after so many substeps.
inline void rows_study(int cells, int substeps) {
    const double dt = 1 / 240.0;
    ConstraintRun<3> run(cooler_scene(cells), {}, 1);
    run.context.times.clear();
    for (int n = 0; n < substeps; ++n)
        run.one_step(run.state.time +
                     constraint::max_dt(run.state, run.params, run.world, run.context).seconds);
    auto& state = run.state;
    const double all_regions = stage_seconds(run.context, "regions") / substeps,
                 all_solves = stage_seconds(run.context, "pressure") / substeps;
    double all = 0;
    for (const auto& e : run.context.times.entries()) all += e.seconds / substeps;
    const PlacedSolids<3> solids = run.world.solids.at(state.time);
    const auto rebuilt = constraint::rebuild_geometry(state, run.params, run.world, solids,
                                                      state.velocity, state.time, run.context);
    const auto& geometry = rebuilt.geometry;
    AirRegions<3> regions;
    double labelling = 1e300;
    for (int k = 0; k < 3; ++k) {
        const double begin = core_seconds();
        regions = constraint::regions_of(geometry, run.world, solids, run.context);
        labelling = std::min(labelling, core_seconds() - begin);
    }
    const auto faces = surface_faces<3>(state.phi, geometry.phase, geometry.open.area,
                                        regions.label, {}, 0, run.context);
    std::vector<int> dropped;
    const auto rows =
        constrained_rows(regions, std::span<const SurfaceFace>(faces), geometry.open.area, dropped);
    const std::vector<RegionRow> none(rows.size());
    int constrained = 0;
    for (const RegionRow& r : rows) constrained += r.constrained;
    FaceField<double, 3> velocity = state.velocity;
    for (std::size_t i = 0; i < velocity.component(1).size(); ++i)
        velocity.write(1)[i] -= 9.81 * dt;
    PressureSolver<3> solver;
    double seconds[2] = {1e300, 1e300};
    int iterations[2] = {0, 0};
    for (int repeat = 0; repeat < 3; ++repeat)
        for (int with = 0; with < 2; ++with) {
            const auto system = bubble_system<3>(velocity, {geometry.phase, geometry.open, faces},
                                                 {with ? rows : none}, {dt, 1000}, run.context);
            CellField<double, 3> p(state.grid.tiles);
            const double begin = core_seconds();
            const auto report = solver.solve(system.system, p, {}, run.context);
            seconds[with] = std::min(seconds[with], core_seconds() - begin);
            iterations[with] = report.iterations;
        }
    fmt::print("cooler {}x{}x{} after {} substeps: {} particles, {} regions, {} rows\n", cells / 2,
               cells, cells / 2, substeps, state.liquid.size(), regions.regions.size(),
               constrained);
    fmt::print(
        "  iterations to 1e-5: rows off {}, on {}      [GB17] cooler 245 and 263, moving solid 405 "
        "and 411\n",
        iterations[0], iterations[1]);
    fmt::print(
        "  core-seconds: rows off {:.4f}, on {:.4f}, labelling {:.4f} ({:.1f} % of the solve, "
        "[GB17] 11 %)\n",
        seconds[0], seconds[1], labelling, 100 * labelling / seconds[1]);
    fmt::print(
        "  a whole substep: regions labelled, measured, tracker {:.2f} ms, its solves {:.2f} ms, "
        "all {:.1f} ms: regions are {:.1f} % of the solves, {:.1f} % of the substep\n",
        1000 * all_regions, 1000 * all_solves, 1000 * all, 100 * all_regions / all_solves,
        100 * all_regions / all);
    fmt::print("ratio cooler_{}_rows_on_over_off_iterations {:.3f}   (aim: 1.1 or two more)\n",
               cells, double(iterations[1]) / iterations[0]);
    fmt::print("ratio cooler_{}_rows_on_over_off_seconds {:.3f}   (aim: 1.15)\n", cells,
               seconds[1] / seconds[0]);
}

}  // namespace spume::bench

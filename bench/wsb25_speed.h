// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <chrono>
#include <ctime>

#include "spume/run/session.h"
#include "wsb25_hero.h"

// Speed beside [WSB25] Table 2, and large bubbles that rise.

namespace spume::bench {

inline constexpr double kPaperCores = 32;

/// Processor time of all threads, s: core-seconds also on a machine that others use.
inline double core_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// [WSB25] Fig. 1 and 3: an inverted barrel full of air under water, h = 1 cm. The paper prints no
/// size: a barrel of 60 cm by 80 cm is assumed.
inline Scene barrel_scene(double sigma) {
    Scene s = open_water(0.01, {-1, 0, -1}, {1, 3, 1});
    s.time.fps = 48;
    s.physics.water_density = 10;
    s.physics.air_density = 1;
    s.physics.surface_tension = sigma;
    Solid barrel;
    barrel.name = "barrel";
    barrel.shape.kind = ShapeKind::kCylinder;
    barrel.shape.center = {0, 0.8, 0};
    barrel.shape.radius = 0.3;
    barrel.shape.height = 0.8;
    barrel.shape.shell = 0.03;
    barrel.shape.open_top = true;
    barrel.shape.rotation = {0, 0, 160};
    s.solids = {barrel};
    Emitter air;
    air.name = "air";
    air.mode = EmitMode::kSeed;
    air.shape = barrel.shape;
    air.shape.shell = 0;
    air.shape.open_top = false;
    air.shape.radius = 0.26;
    air.shape.height = 0.72;
    air.spacing = 0.005;
    air.law = RadiusLaw::kMarker;
    s.emitters = {air};
    return s;
}

/// [WSB25] Fig. 8: a breath of about a litre in bursts, h = 1 mm, particles of h³/8. The trilinear
/// basis; the paper used power kernels.
inline Scene exhale_scene() {
    Scene s = open_water(1e-3, {-0.1, 0, -0.1}, {0.1, 0.4, 0.1});
    s.time.fps = 48;
    s.physics.air_density = 100;
    s.physics.surface_tension = 0.36;
    Emitter air;
    air.name = "breath";
    air.mode = EmitMode::kSeed;
    air.shape.kind = ShapeKind::kSphere;
    air.shape.center = {0, 0.15, 0};
    air.shape.radius = 0.03;
    air.spacing = 5e-4;
    air.law = RadiusLaw::kCellShare;
    s.emitters = {air};
    return s;
}

struct PaperRow {
    const char* name;
    int substeps, newton;
    double seconds;  ///< a frame, on 32 cores
};

/// A few substeps of the paper's length, the first left out, scaled to a frame.
inline void speed_of(const Scene& scene, mixture::Params p, const PaperRow& paper, int substeps,
                     int threads) {
    p.newton_iterations = paper.newton;
    p.scheme = Scheme::kStabilized;
    Context context(threads);
    auto world = mixture::world_of<3>(scene, p, {});
    auto state = mixture::init<3>(world, p, context);
    const double dt = 1 / (scene.time.fps * paper.substeps);
    using Clock = std::chrono::steady_clock;
    auto begin = Clock::now();
    double spent = core_seconds();
    std::int64_t unknowns = 0;
    int solves = 0, iterations = 0;
    for (int n = 0; n <= substeps; ++n) {
        if (n == 1)
            context.times.clear(), begin = Clock::now(), spent = core_seconds(),
                                   solves = iterations = 0;
        const auto r = mixture::step(state, p, world, {state.time, state.time + dt}, context);
        unknowns = r.pressure_unknowns;
        solves += r.pressure_solves, iterations += r.pressure_iterations;
    }
    const double one = std::chrono::duration<double>(Clock::now() - begin).count() / substeps;
    const double cores = (core_seconds() - spent) / substeps;
    const double frame = one * paper.substeps, voxels = state.water_cells;
    std::printf("%s: %.3g voxels, %zu particles, %d substeps of %d iterations a frame\n",
                paper.name, voxels, state.bubbles.size(), paper.substeps, paper.newton);
    std::printf("  %.2f s a frame, %.1f core-seconds (paper %.0f core-seconds)\n", frame,
                cores * paper.substeps, paper.seconds * kPaperCores);
    std::printf(
        "  %.3g core-seconds a voxel and substep, %.3g unknowns a second and core, %.1f CG "
        "iterations a solve\n",
        cores / voxels, double(unknowns) * solves / (cores * substeps),
        double(iterations) / solves);
    double sum = 0;
    for (const auto& s : context.times.entries()) sum += s.seconds;
    std::printf("  ");
    for (const auto& s : context.times.entries())
        if (s.seconds > 0.01 * sum)
            std::printf(" %s %.0f %%", s.name.c_str(), 100 * s.seconds / sum);
    std::printf("\n");
    std::printf("  a voxel-substep costs as much as the paper's if that had %.2g voxels\n",
                paper.seconds * kPaperCores / paper.substeps / (cores / voxels));
    std::fflush(stdout);
}

inline void speed_study(int threads) {
    std::printf("\n== speed: [WSB25] Table 2 on %d threads\n", threads);
    mixture::Params p;
    p.surface_tension = true;
    p.capillary_cfl = 2;
    speed_of(barrel_scene(0.5), p, {"barrel, Fig. 1", 30, 2, 1312}, 3, threads);
    speed_of(exhale_scene(), p, {"exhale, Fig. 8", 20, 2, 798}, 3, threads);
}

/// Fig. 13a: a cloud that grows from a source.
inline void column_study(int threads) {
    Scene column = open_water(0.02, {-0.5, 0, -0.5}, {0.5, 2, 0.5});
    Emitter jet;
    jet.name = "jet";
    jet.shape.kind = ShapeKind::kSphere;
    jet.shape.center = {0, 0.2, 0};
    jet.shape.radius = 0.08;
    jet.rate = 1e-4;
    jet.law = RadiusLaw::kInverseCubic;
    column.emitters = {jet};
    mixture::Params q;
    q.scheme = Scheme::kStabilized;
    q.min_substeps = 2;
    MixtureRun<3> run(column, q, threads);
    run.until(2);
    run.context.times.clear();
    const auto begin = std::chrono::steady_clock::now();
    const double spent = core_seconds();
    run.until(2 + 12 / 24.0);
    const double frame =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 12;
    std::printf(
        "column, Fig. 13a: %.3f s a frame, %.3f core-seconds, at %.3g voxels, %zu bubbles (paper "
        "0.1 s on 32 "
        "cores)\n",
        frame, (core_seconds() - spent) / 12, double(run.voxels), run.state.bubbles.size());
    double sum = 0;
    for (const auto& stage : run.context.times.entries()) sum += stage.seconds;
    for (const auto& stage : run.context.times.entries())
        if (stage.seconds > 0.01 * sum)
            std::printf(" %s %.0f %%", stage.name.c_str(), 100 * stage.seconds / sum);
    std::printf("\n");
}

}  // namespace spume::bench

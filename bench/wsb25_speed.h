// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <chrono>
#include <ctime>

#include "spume/run/job_scene.h"
#include "wsb25_hero.h"

// Speed beside [WSB25] Table 2, and large bubbles that rise.

namespace spume::bench {

inline constexpr double kPaperCores = 32;

/// Processor time of all threads, s: core-seconds also on a machine that others use.
inline double core_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

struct PaperRow {
    const char *scene, *name;
    int substeps;    ///< a frame
    double seconds;  ///< a frame, on 32 cores
    double warm_up;  ///< s of our time before the frame that is measured
};

/// A frame of a bundled scene as the paper has it, preset `paper`: the first one that begins when
/// `warm_up` is over. What is not done of it after `most` seconds is scaled.
inline void speed_of(const PaperRow& paper, double most, int threads) {
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point t) {
        return std::chrono::duration<double>(Clock::now() - t).count();
    };
    const auto files = make_posix_file_system();
    SceneRequest request;
    request.file = std::string(SPUME_SOURCE) + "/scenes/" + paper.scene + ".toml";
    request.selection.preset = "paper";
    const LoadedScene loaded = load_scene(*files, request);
    Context context(threads);
    const auto simulation = start_session(loaded.scene, loaded.params, loaded.inputs, context);
    auto begin = Clock::now();
    int frame = loaded.manifest.first_frame;
    while (since(begin) < paper.warm_up && frame < loaded.manifest.last_frame)
        simulation->advance_frame(frame++);
    context.times.clear();
    begin = Clock::now();
    const double spent = core_seconds(), start = simulation->time();
    context.progress = [&](double) {
        if (since(begin) > most) context.stop.request();
    };
    const FrameReport r = simulation->advance_frame(frame);
    const double share = (simulation->time() - start) * loaded.scene.time.fps;
    const double seconds = since(begin), cores = core_seconds() - spent;
    const StateSummary now = simulation->summary();
    const double voxels = double(now.voxels), substeps = r.substeps / share;
    std::printf("%s, %s, preset paper, frame %d: %.3g voxels, %lld particles\n", paper.name,
                paper.scene, frame, voxels, static_cast<long long>(now.bubbles));
    std::printf(
        "  %d substeps, %.0f %% of the frame%s: %.1f substeps, %.1f s and %.1f core-seconds a "
        "frame (paper %.0f s x %.0f cores = %.0f core-seconds)\n",
        r.substeps, 100 * share, share < 1 ? ", scaled" : "", substeps, seconds / share,
        cores / share, paper.seconds, kPaperCores, paper.seconds * kPaperCores);
    std::printf(
        "  %.3g core-seconds a voxel and substep, %.3g unknowns solved a second and core, %.1f "
        "CG iterations a solve\n",
        cores / r.substeps / voxels, double(r.pressure_unknowns) * r.pressure_solves / cores,
        double(r.pressure_iterations) / r.pressure_solves);
    double sum = 0;
    for (const auto& s : context.times.entries()) sum += s.seconds;
    std::printf("  ");
    for (const auto& s : context.times.entries())
        std::printf(" %s %.1f %%", s.name.c_str(), 100 * s.seconds / sum);
    std::printf(
        "\n  the paper's core-seconds a voxel and substep are ours if it had %.2g voxels in its %d "
        "substeps\n",
        paper.seconds * kPaperCores / paper.substeps / (cores / r.substeps / voxels),
        paper.substeps);
    std::fflush(stdout);
}

/// The barrel holds all its air from the start; the breath has to leave the mouth first.
inline void speed_study(int threads) {
    std::printf("\n== speed: [WSB25] Table 2 on %d threads\n", threads);
    speed_of({"wsb25_fig1_barrel", "barrel, Fig. 1", 30, 1312, 0}, 180, threads);
    speed_of({"wsb25_fig8_exhale", "exhale, Fig. 8", 20, 798, 120}, 180, threads);
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

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// A dam break of particles with one and two threads: where the time goes, core-seconds a particle
// and substep, memory; and the same dam break in Blender's Mantaflow (found as the program
// `blender`): same cells, particles, frames and substeps. Core-seconds are processor time of all
// threads, so that other work on the machine counts for neither.
//
//   bench_flip [--quick] [--cells N] [--alone] [--transfer flip|apic]
//
// alone: one thread, without Mantaflow. Memory is told of both transfers, or of the one named, each
// by a process of its own: a process knows only the most it ever held.

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tests/methods/constraint/run.h"
#include "mantaflow.h"

namespace spume {
namespace {

constexpr int kFps = 60;

const char* name_of(Transfer transfer) { return transfer == Transfer::kApic ? "apic" : "flip"; }

double core_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }
double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}
/// The most memory this process has held, bytes.
double peak_bytes() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return 1024.0 * double(used.ru_maxrss);
}

/// GB/s of a = b + s·c.
double triad(int threads) {
    Context context(threads);
    const std::size_t n = std::size_t(12) << 20;
    Array<double> a(n, 0.0), b(n, 1.0), c(n, 2.0);
    double* out = a.write().data();
    double best = 0;
    for (int k = 0; k < 8; ++k) {
        const double begin = wall_seconds();
        for_range(context.arena, n, std::size_t(1) << 16, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) out[i] = b[i] + 3 * c[i];
        });
        best = std::max(best, 24e-9 * double(n) / (wall_seconds() - begin));
    }
    return best;
}

struct Cost {
    double core = 0, wall = 0;  ///< seconds of all substeps
    double particles = 0;
    int frames = 0, substeps = 0;
    double a_particle() const { return core / substeps / particles; }
};

/// The tank is 2 by 1 by 1 m, the water 0.5 m long and 0.75 m high. The first frame is left out.
Cost ours(int cells, int frames, int substeps, int threads, Transfer transfer, bool stages) {
    Scene scene = tank(3, 2.0 / cells, {2, 1, 1});
    scene.liquids = {liquid_box({0, 0, 0}, {0.5, 0.75, 1})};
    constraint::Params params;
    params.transfer = transfer;
    const double before = peak_bytes();
    ConstraintRun<3> run(scene, params, threads);
    Cost cost;
    cost.frames = frames - 1;
    double core = 0, wall = 0, iterations = 0;
    for (int f = 0; f < frames; ++f) {
        if (f == 1) {
            core = core_seconds(), wall = wall_seconds();
            run.context.times.clear();
            run.steps = 0, iterations = 0;
        }
        for (int k = 0; k < substeps; ++k) {
            run.one_step((f + (k + 1.0) / substeps) / kFps);
            iterations += run.last.pressure_iterations;
        }
    }
    cost.core = core_seconds() - core;
    cost.wall = wall_seconds() - wall;
    cost.particles = double(run.state.liquid.size());
    cost.substeps = run.steps;
    const double stored = double(run.state.grid.tiles->active()) * kTileCells<3>;
    fmt::print(
        "ours, {}, {}x{}x{}, {} threads: {:.0f} particles, {:.0f} cells stored, {} frames, "
        "{} substeps, {:.1f} iterations a solve, volume drift {:.3f} %\n",
        name_of(transfer), cells, cells / 2, cells / 2, threads, cost.particles, stored,
        cost.frames, cost.substeps, iterations / cost.substeps,
        100 * (run.state.volume / run.state.target_volume - 1));
    fmt::print(
        "  {:.3f} core-seconds a substep, {:.3f} s on the clock, {:.2f} M particles a second a "
        "core\n",
        cost.core / cost.substeps, cost.wall / cost.substeps, 1e-6 / cost.a_particle());
    if (!stages) return cost;
    for (const auto& e : run.context.times.entries())
        fmt::print("  {:14} {:8.1f} ms a substep, {:6.1f} ns a particle\n", e.name,
                   1000 * e.seconds / cost.substeps,
                   1e9 * e.seconds / cost.substeps / cost.particles);
    const double held = peak_bytes() - before, allowed = 120 * cost.particles + 200 * stored;
    fmt::print(
        "  memory at the peak {:.1f} MB; aim: 120 bytes a particle and 200 a cell are {:.1f} MB\n",
        held / 1e6, allowed / 1e6);
    fmt::print("ratio {}_memory_allowed_over_held {:.2f}\n", name_of(transfer), allowed / held);
    return cost;
}

/// What the frames after the first cost Mantaflow.
bool mantaflow(int cells, int frames, int substeps, int threads, Cost& cost) {
    bench::BakeCost baked;
    if (!bench::bake_after_first({"dam", cells, frames, substeps, kFps, threads}, baked))
        return false;
    cost = {baked.core, baked.wall, baked.particles, baked.frames, 0};
    cost.substeps = cost.frames * substeps;
    fmt::print(
        "Mantaflow, {} threads: {:.0f} particles, {} frames of {} substeps: {:.3f} core-seconds a "
        "substep, {:.3f} s on the clock, {:.2f} M particles a second a core\n",
        threads, cost.particles, cost.frames, substeps, cost.core / cost.substeps,
        cost.wall / cost.substeps, 1e-6 / cost.a_particle());
    return true;
}

/// Time and memory of one thread, in a process that has run nothing else. Must come before this
/// one has any threads.
void ours_apart(int cells, int frames, int substeps, Transfer transfer) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        ours(cells, frames, substeps, 1, transfer, true);
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        fmt::print("transfer {} did not end well\n", name_of(transfer));
}

void compare(int cells, int frames, int substeps) {
    double wall[2] = {}, rate[2] = {};
    for (int threads = 1; threads <= 2; ++threads) {
        const Cost us = ours(cells, frames, substeps, threads, Transfer::kFlip, false);
        wall[threads - 1] = us.wall / us.particles;
        rate[threads - 1] = triad(threads);
        if (Cost them; mantaflow(cells, frames, substeps, threads, them))
            fmt::print("ratio flip_particle_substep_{}_threads mantaflow {:.2f}\n", threads,
                       them.a_particle() / us.a_particle());
    }
    fmt::print("ratio flip_two_threads_over_triad {:.2f}   (speed-up {:.2f}, triad {:.2f})\n",
               wall[0] / wall[1] / (rate[1] / rate[0]), wall[0] / wall[1], rate[1] / rate[0]);
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    using spume::Transfer;
    bool quick = false, alone = false;
    int cells = 0;
    std::string only;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0) quick = true;
        if (std::strcmp(argv[i], "--alone") == 0) alone = true;
        if (std::strcmp(argv[i], "--cells") == 0 && i + 1 < argc) cells = std::atoi(argv[++i]);
        if (std::strcmp(argv[i], "--transfer") == 0 && i + 1 < argc) only = argv[++i];
    }
    if (cells <= 0) cells = quick ? 64 : 128;
    const int frames = quick ? 7 : 13;
    for (const Transfer transfer : {Transfer::kFlip, Transfer::kApic})
        if (only.empty() || only == spume::name_of(transfer))
            spume::ours_apart(cells, frames, 2, transfer);
    if (!alone) spume::compare(cells, frames, 2);
    return 0;
}

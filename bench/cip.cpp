// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// A dam break in water and air by the cip method: milliseconds of processor time a substep by
// stage, beside the constraint method on as many cells, and cell-updates a second of one field with
// its derivatives by CIP, limited and not, and linearly.
//
//   bench_cip [--quick] [--steps] [--threads N]          --steps: dam breaks in 2D only

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>

#include <fmt/core.h>

#include "../tests/methods/cip/cip_run.h"
#include "../tests/methods/constraint/run.h"

namespace spume {
namespace {

double core_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Substeps of a dam break, after a start that wets the pages.
template <int D>
void dam_break(int cells, int height, int steps, int threads) {
    const double h = 1.0 / cells;
    Scene scene = cip_box(D, h, {1, height * h, 1});
    scene.physics.surface_tension = 0;
    scene.liquids = {water_box({-1, -1, -1}, {0.4, 0.8 * height * h, 2})};
    cip::Params p;
    p.pressure_tolerance = 1e-3;
    CipRun<D> run(scene, p, threads);
    const double dt = D == 2 ? 2e-3 * 512 / cells : 4e-3 * 80 / cells;
    for (int n = 0; n < 5; ++n) run.one_step(run.state.time + dt);
    run.context.times.clear();
    double total = 0, best = 1e300;
    int iterations = 0;
    for (int n = 0; n < steps; ++n) {
        const double begin = core_seconds();
        run.one_step(run.state.time + dt);
        best = std::min(best, core_seconds() - begin);
        total += core_seconds() - begin;
        iterations += run.last.pressure_iterations;
    }
    fmt::print(
        "cip {}D {:>4} x {:<4} {} threads: {:8.2f} ms of core a substep (best {:.2f}), {:.1f} "
        "iterations\n",
        D, cells, height, threads, 1e3 * total / steps, 1e3 * best, double(iterations) / steps);
    for (const auto& entry : run.context.times.entries())
        fmt::print("    {:<12} {:8.2f} ms\n", entry.name, 1e3 * entry.seconds / steps);
}

/// The same column of water, without air.
template <int D>
void without_air(int cells, int height, int steps) {
    const double h = 1.0 / cells;
    Scene scene = tank(D, h, {1, height * h, 1});
    scene.physics.surface_tension = 0;
    scene.liquids = {liquid_box({-1, -1, -1}, {0.4, 0.8 * height * h, 2})};
    ConstraintRun<D> run(scene, {});
    const double dt = D == 2 ? 2e-3 * 512 / cells : 4e-3 * 80 / cells;
    for (int n = 0; n < 3; ++n) run.one_step(run.state.time + dt);
    const double begin = core_seconds();
    for (int n = 0; n < steps; ++n) run.one_step(run.state.time + dt);
    fmt::print("constraint {}D {:>4} x {:<4}: {:8.2f} ms of core a substep\n", D, cells, height,
               1e3 * (core_seconds() - begin) / steps);
}

/// One field with its derivatives along a smooth flow at CFL 2.
template <class T, int D>
void advection(int cells, Profile profile, const char* name, double& linear) {
    Context context(1);
    const Index<D> size = Index<D>::filled(cells);
    CipField<T, D> field(DensePlace<D>::centres(size));
    T* f = field.f.write();
    for_rows(context.arena, field.f.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1])
            f[at] = T(std::sin(0.2 * i[0]) * std::cos(0.3 * i[1]));
    });
    difference(field, context);
    Feet<T, D> feet;
    for (int a = 0; a < D; ++a) {
        feet.x[a] = DenseField<T, D>(field.f.shape);
        T* x = feet.x[a].write();
        for_rows(context.arena, field.f.shape, [&](Index<D> i, std::size_t at, int count) {
            for (int n = 0; n < count; ++n, ++at, ++i[D - 1])
                x[at] =
                    std::clamp(T(i[a] + 0.5 + 2 * std::sin(0.01 * i[(a + 1) % D])), T(0), T(cells));
        });
    }
    const int repeats = D == 2 ? 10 : 4;
    advect(field, feet, profile, context);
    const double begin = core_seconds();
    for (int n = 0; n < repeats; ++n) advect(field, feet, profile, context);
    const double rate = repeats * std::pow(cells, D) / (core_seconds() - begin);
    if (profile == Profile::kLinear) linear = rate;
    fmt::print("advect {}D {} {:<9}: {:7.2f} M cell-updates a second, linear x {:.2f}\n", D,
               sizeof(T) == 4 ? "float " : "double", name, 1e-6 * rate, rate / linear);
}

template <class T, int D>
void all_profiles(int cells) {
    double linear = 0;
    advection<T, D>(cells, Profile::kLinear, "linear", linear);
    advection<T, D>(cells, Profile::kCip, "cip", linear);
    advection<T, D>(cells, Profile::kMonotone, "region", linear);
    advection<T, D>(cells, Profile::kClamped, "square", linear);
    advection<T, D>(cells, Profile::kRational, "rational", linear);
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    using namespace spume;
    bool quick = false, steps = false;
    int threads = 1;
    for (int i = 1; i < argc; ++i) {
        quick = quick || std::strcmp(argv[i], "--quick") == 0;
        steps = steps || std::strcmp(argv[i], "--steps") == 0;
        if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            threads = std::atoi(argv[i + 1]);
    }
    if (!steps) {
        all_profiles<double, 2>(512);
        all_profiles<double, 3>(quick ? 64 : 96);
        all_profiles<float, 3>(quick ? 64 : 96);
    }
    dam_break<2>(64, 48, 200, threads);
    dam_break<2>(512, 384, quick ? 5 : 20, threads);
    if (steps) return 0;
    without_air<2>(512, 384, quick ? 5 : 20);
    dam_break<3>(quick ? 40 : 80, quick ? 40 : 80, quick ? 3 : 5, threads);
    without_air<3>(quick ? 40 : 80, quick ? 40 : 80, quick ? 3 : 5);
    return 0;
}

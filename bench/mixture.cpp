// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Speed of the diffuse mixture: seconds a substep against voxels and bubbles, the share of each
// stage, and the size of [WFS22]'s coupling example (20 s a frame there, on a many-core machine).
//
//   bench_mixture [--quick] [--threads N] [--wfs22]

#include "spume/methods/mixture/mixture.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "spume/core/context.h"

namespace spume {
namespace {

struct Measured {
    double voxels = 0, stored = 0;  ///< cells of water, and of the tiles that hold them
    double bubbles = 0, seconds = 0;
    int solves = 0, iterations = 0;
    std::vector<StageTimes::Entry> stages;
};

/// A cube of open water full of seeded bubbles, so that voxels and bubbles can be chosen apart.
Scene filled_cube(int cells, double bubbles) {
    Scene scene;
    scene.domain.lower = {0, 0, 0};
    scene.domain.upper = {1, 1, 1};
    scene.domain.voxel = 1.0 / cells;
    scene.domain.dense = true;
    Emitter e;
    e.name = "cloud";
    e.mode = EmitMode::kSeed;
    e.shape.kind = ShapeKind::kBox;
    e.shape.center = {0.5, 0.5, 0.5};
    e.shape.size = {0.8, 0.8, 0.8};
    e.law = RadiusLaw::kInverseCubic;
    e.radius_min = 0.1 / cells / std::cbrt(bubbles / std::pow(0.8 * cells, 3) + 1);
    e.radius_max = 5 * e.radius_min;
    e.count = static_cast<int>(bubbles);
    scene.emitters = {e};
    return scene;
}

Measured measure(const Scene& scene, const mixture::Params& params, int substeps, double dt,
                 int threads) {
    Context context(threads);
    auto world = mixture::world_of<3>(scene, params, {});
    auto state = mixture::init<3>(world, params, context);
    Measured m;
    auto begin = std::chrono::steady_clock::now();
    for (int n = 0; n <= substeps; ++n) {
        if (n == 1) {  // the first one emits and builds the hierarchy
            context.times.clear();
            m.solves = m.iterations = 0;
            begin = std::chrono::steady_clock::now();
        }
        const StepReport report =
            mixture::step(state, params, world, {state.time, state.time + dt}, context);
        m.solves += report.pressure_solves;
        m.iterations += report.pressure_iterations;
    }
    m.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / substeps;
    m.voxels = state.water_cells;
    m.stored = double(state.grid.tiles->active()) * kTileCells<3>;
    m.bubbles = double(state.bubbles.size());
    m.stages = context.times.entries();
    return m;
}

void print_stages(const Measured& m, int substeps) {
    double sum = 0;
    for (const auto& s : m.stages) sum += s.seconds;
    for (const auto& s : m.stages)
        fmt::print("    {:<12} {:8.4f} s  {:5.1f} %\n", s.name, s.seconds / substeps,
                   100 * s.seconds / sum);
}

/// Least-squares slope of log seconds against log size.
double slope(const std::vector<std::pair<double, double>>& points) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const double n = double(points.size());
    for (const auto& [x, y] : points) {
        const double lx = std::log(x), ly = std::log(y);
        sx += lx, sy += ly, sxx += lx * lx, sxy += lx * ly;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void grow_voxels(bool quick, int threads) {
    fmt::print("substep against voxels, 0.25 bubbles a voxel, 2 Newton iterations\n");
    std::vector<std::pair<double, double>> points;
    std::vector<int> sides =
        quick ? std::vector<int>{32, 48, 64} : std::vector<int>{32, 48, 64, 96, 144};
    for (int side : sides) {
        const int substeps = side <= 64 ? 4 : 2;
        const Measured m =
            measure(filled_cube(side, 0.25 * side * side * side), {}, substeps, 1.0 / 96, threads);
        points.emplace_back(m.stored, m.seconds);
        fmt::print(
            "  {:9.0f} voxels in tiles of {:9.0f}, {:8.0f} bubbles {:8.4f} s  {:6.1f} ns a stored "
            "voxel, {} iterations in {} solves\n",
            m.voxels, m.stored, m.bubbles, m.seconds, 1e9 * m.seconds / m.stored, m.iterations,
            m.solves);
        if (side == sides.back()) print_stages(m, substeps);
    }
    fmt::print("  log-log slope against stored voxels {:.3f}\n", slope(points));
}

void grow_bubbles(bool quick, int threads) {
    fmt::print("substep against bubbles, 64^3 voxels\n");
    std::vector<double> x, y;
    for (double bubbles :
         quick ? std::vector<double>{1e4, 1e5} : std::vector<double>{1e4, 1e5, 1e6, 3e6}) {
        const Measured m = measure(filled_cube(64, bubbles), {}, 3, 1.0 / 96, threads);
        x.push_back(m.bubbles);
        y.push_back(m.seconds);
        fmt::print("  {:9.0f} bubbles {:8.4f} s\n", m.bubbles, m.seconds);
    }
    fmt::print("  marginal cost {:.1f} ns a bubble and substep\n",
               1e9 * (y.back() - y.front()) / (x.back() - x.front()));
}

/// 2.0 M voxels, 2.5 M bubbles of 0.5–5 mm, 2 substeps of 3 Newton iterations a frame.
void wfs22_coupling(int threads) {
    Scene scene = filled_cube(125, 2.5e6);
    scene.domain.upper = {1.25, 1.25, 1.25};
    scene.domain.voxel = 0.01;
    scene.emitters[0].shape.center = {0.625, 0.625, 0.625};
    scene.emitters[0].shape.size = {1.1, 1.1, 1.1};
    scene.emitters[0].radius_min = 0.5e-3;
    scene.emitters[0].radius_max = 5e-3;
    mixture::Params params;
    params.newton_iterations = 3;
    const Measured m = measure(scene, params, 2, 1.0 / 48, threads);
    fmt::print(
        "[WFS22] coupling example: {:.0f} voxels, {:.0f} bubbles, 2 substeps of 3 iterations\n",
        m.voxels, m.bubbles);
    print_stages(m, 2);
    fmt::print("  {:.2f} s a frame on {} threads, {} iterations in {} solves\n", 2 * m.seconds,
               threads, m.iterations, m.solves);
    fmt::print("ratio wfs22_coupling_frame published_20s {:.2f}\n", 20 / (2 * m.seconds));
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    bool quick = false, only_wfs22 = false;
    int threads = 2;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--quick")) quick = true;
        if (!std::strcmp(argv[i], "--wfs22")) only_wfs22 = true;
        if (!std::strcmp(argv[i], "--threads") && i + 1 < argc) threads = std::stoi(argv[++i]);
    }
    if (!only_wfs22) {
        spume::grow_voxels(quick, threads);
        spume::grow_bubbles(quick, threads);
    }
    if (!quick) spume::wfs22_coupling(threads);
    return 0;
}

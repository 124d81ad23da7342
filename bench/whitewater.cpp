// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Bubbles over a cached liquid: a frame of [WFS22]'s coupling example with a bulk (2.0 M voxels,
// 2.5 M bubbles, 2 substeps of 3 Newton iterations; 20 s published), the share that the bulk takes,
// growth with size, one and two threads, and particles a second one way; what bubbles cost that are
// coupled to a liquid while it runs; particles a second over a cache of Mantaflow's beside its own
// secondary particles (found as the program `blender`).
//
//   bench_whitewater [--quick] [--cells N] [--threads N]
//                    [coupling | growth | one_way | threads | live | mantaflow]

#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "../tests/methods/constraint/run.h"
#include "spume/frame/volumes.h"
#include "spume/methods/guided/guided.h"
#include "whitewater_peer.h"

namespace spume {
namespace {

constexpr int kFrames = 4;

/// Of the processor, all threads together: others may work on the machine.
double core_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Frames of a standing wave in memory: a cache without its files.
class MemorySource final : public BulkSource {
  public:
    explicit MemorySource(Scene scene) {
        scene.bulk.kind = BulkKind::kAnalytic;
        const auto wave = bulk_of<3>(scene, {});
        Context context(2);
        const auto tiles = Tiles<3>::build(wave->liquid_tiles(0, 0.1, context), wave->transform());
        for (int n = 0; n < kFrames; ++n) {
            const auto fields = wave->on(tiles, n / scene.time.fps, context);
            Frame f;
            f.number = n;
            f.time = n / scene.time.fps;
            f.free_surface = true;
            f.volumes.push_back(
                volume_of(fields.phi, "surface", "m", VolumeKind::kLevelSet, context));
            f.volumes.push_back(volume_of(fields.velocity, "vel", "m/s", context));
            frames_.push_back(std::move(f));
        }
        info_.path = "memory";
        info_.voxel = scene.domain.voxel;
        info_.origin = scene.domain.lower;
        info_.fps = scene.time.fps;
        info_.first = 0;
        info_.last = kFrames - 1;
        info_.box = {scene.domain.lower, scene.domain.upper};
        for (auto& axis : info_.closed) axis[0] = axis[1] = true;  // a tank
        info_.closed[1][1] = false;
    }
    const BulkInfo& info() const override { return info_; }
    bool has(int frame) const override { return frame >= 0 && frame < kFrames; }
    Frame read(int frame) const override { return frames_[std::size_t(frame)]; }

  private:
    BulkInfo info_;
    std::vector<Frame> frames_;
};

/// A cube of water under a wave, full of bubbles of 0.5 to 5 mm.
Scene wave_with_bubbles(int cells, double bubbles) {
    Scene s;
    s.method = "guided";
    const double size = 0.01 * cells;
    s.domain.lower = {0, 0, 0};
    s.domain.upper = {size, 1.15 * size, size};
    s.domain.upper[1] = 0.01 * std::round(100 * s.domain.upper[1]);
    s.domain.voxel = 0.01;
    s.time.start = 0;
    s.bulk.present = true;
    s.bulk.kind = BulkKind::kCache;
    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.start = 0;
    s.bulk.level = size;
    s.bulk.amplitude = 0.04 * size;
    s.bulk.wavelength = size;
    Emitter e;
    e.name = "cloud";
    e.mode = EmitMode::kSeed;
    e.shape.kind = ShapeKind::kBox;
    e.shape.center = {size / 2, 0.48 * size, size / 2};
    e.shape.size = {0.88 * size, 0.8 * size, 0.88 * size};
    e.law = RadiusLaw::kInverseCubic;
    e.radius_min = 0.5e-3;
    e.radius_max = 5e-3;
    e.count = static_cast<int>(bubbles);
    s.emitters = {e};
    return s;
}

struct Measured {
    double voxels = 0, bubbles = 0, seconds = 0, core = 0;  ///< a substep
    double bulk = 0;                                        ///< share of reading and interpolating
    std::vector<StageTimes::Entry> stages;
};

Measured measure(const Scene& scene, const guided::Params& params, int substeps, double dt,
                 int threads) {
    Context context(threads);
    Inputs inputs;
    inputs.bulk = std::make_shared<const MemorySource>(scene);
    auto world = guided::world_of<3>(scene, params, inputs);
    auto state = guided::init<3>(world, params, context);
    auto begin = std::chrono::steady_clock::now();
    double core = 0;
    for (int n = 0; n <= substeps; ++n) {
        if (n == 1) {  // the first one emits and builds the hierarchy
            context.times.clear();
            core = core_seconds();
            begin = std::chrono::steady_clock::now();
        }
        const auto report =
            guided::step(state, params, world, {state.time, state.time + dt}, context);
        if (report.failed) fmt::print("  failed: {}\n", report.why);
    }
    Measured m;
    m.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / substeps;
    m.core = (core_seconds() - core) / substeps;
    m.voxels = double(state.grid.tiles->active()) * kTileCells<3>;
    m.bubbles = double(state.bubbles.size());
    m.stages = context.times.entries();
    double sum = 0;
    for (const auto& s : m.stages) sum += s.seconds;
    for (const auto& s : m.stages)
        for (const char* name : {"bulk", "extrapolate", "redistance"})  // new frames made ready
            if (s.name == name) m.bulk += s.seconds / sum;
    return m;
}

void print_stages(const Measured& m, int substeps) {
    double sum = 0;
    for (const auto& s : m.stages) sum += s.seconds;
    for (const auto& s : m.stages)
        fmt::print("    {:<12} {:8.4f} s  {:5.1f} %\n", s.name, s.seconds / substeps,
                   100 * s.seconds / sum);
}

guided::Params three_iterations() {
    guided::Params p;
    p.newton_iterations = 3;
    return p;
}

double per_voxel(int cells) { return 2.5e6 / std::pow(125.0, 3) * std::pow(double(cells), 3); }

void coupling(int cells, int threads) {
    const Measured m = measure(wave_with_bubbles(cells, per_voxel(cells)), three_iterations(), 2,
                               1.0 / 48, threads);
    fmt::print("[WFS22] coupling with a bulk: {:.0f} voxels, {:.0f} bubbles, 2 substeps of 3\n",
               m.voxels, m.bubbles);
    print_stages(m, 2);
    fmt::print("  {:.2f} s a frame on {} threads; the bulk takes {:.1f} %\n", 2 * m.seconds,
               threads, 100 * m.bulk);
    if (cells == 125)
        fmt::print("ratio guided_coupling_frame published_20s {:.2f}\n", 20 / (2 * m.seconds));
}

void growth(bool quick, int threads) {
    fmt::print("substep of 3 iterations against size, 1.3 bubbles a voxel\n");
    for (int cells : quick ? std::vector<int>{32, 48} : std::vector<int>{32, 48, 64, 96, 128}) {
        const Measured m = measure(wave_with_bubbles(cells, per_voxel(cells)), three_iterations(),
                                   2, 1.0 / 96, threads);
        fmt::print(
            "  {:9.0f} voxels {:9.0f} bubbles {:8.4f} s, {:6.1f} ns a voxel; bulk {:.1f} %\n",
            m.voxels, m.bubbles, m.seconds, 1e9 * m.seconds / m.voxels, 100 * m.bulk);
    }
}

void one_way(double bubbles, int threads) {
    guided::Params p;
    p.mode = guided::Mode::kOneWay;
    const Measured m = measure(wave_with_bubbles(64, bubbles), p, 2, 1.0 / 24, threads);
    const double apart = m.core * (1 - m.bulk);
    fmt::print("one way: {:.0f} bubbles, a frame in one substep {:.3f} s on {} threads\n",
               m.bubbles, m.seconds, threads);
    print_stages(m, 2);
    fmt::print(
        "  {:.2f} M particle-frames a core-second, reading the bulk apart; {:.2f} M with it\n",
        1e-6 * m.bubbles / apart, 1e-6 * m.bubbles / m.core);
}

/// A dam break of [WFS22]'s Figure 14 kind: the liquid alone, and with so many bubbles in it that
/// it feels.
void live(int cells, int bubbles, int threads) {
    double core[2] = {};
    for (int with : {0, 1}) {
        Scene scene = tank(3, 2.0 / cells, {2, 1, 1});
        scene.liquids = {liquid_box({0, 0, 0}, {0.5, 0.75, 1})};
        if (with) {
            scene.whitewater.on = true;
            Emitter e;
            e.mode = EmitMode::kSeed;
            e.shape.kind = ShapeKind::kBox;
            e.shape.center = {0.25, 0.35, 0.5};
            e.shape.size = {0.4, 0.6, 0.9};
            e.law = RadiusLaw::kInverseCubic;
            e.radius_max = 4e-3;
            e.count = bubbles;
            scene.emitters = {e};
        }
        ConstraintRun<3> run(scene, {}, threads);
        run.until(2.0 / 60, [] {});
        run.context.times.clear();
        const double begin = core_seconds();
        const int before = run.steps;
        run.until(8.0 / 60, [] {});
        core[with] = (core_seconds() - begin) / (run.steps - before);
        fmt::print("live: {:.0f} particles of liquid, {} bubbles: {:.3f} core-seconds a substep\n",
                   double(run.state.liquid.size()), run.state.small.size(), core[with]);
        if (!with) continue;
        for (const auto& e : run.context.times.entries())
            fmt::print("    {:<14} {:8.1f} ms\n", e.name, 1000 * e.seconds / (run.steps - before));
    }
    fmt::print("ratio live_bubbles_over_liquid_alone {:.2f}\n", core[1] / core[0]);
}

void threads(int cells) {
    double seconds[2];
    for (int n : {1, 2})
        seconds[n - 1] =
            measure(wave_with_bubbles(cells, per_voxel(cells)), three_iterations(), 2, 1.0 / 96, n)
                .seconds;
    fmt::print("two threads: {:.2f} times as fast as one ({:.3f} s, {:.3f} s a substep)\n",
               seconds[0] / seconds[1], seconds[0], seconds[1]);
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    bool quick = false;
    int threads = 2, cells = 125;
    std::string what;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--quick"))
            quick = true;
        else if (!std::strcmp(argv[i], "--threads") && i + 1 < argc)
            threads = std::stoi(argv[++i]);
        else if (!std::strcmp(argv[i], "--cells") && i + 1 < argc)
            cells = std::stoi(argv[++i]);
        else
            what = argv[i];
    }
    if (quick && cells == 125) cells = 48;
    const auto wanted = [&](const char* name) { return what.empty() || what == name; };
    if (wanted("coupling")) spume::coupling(cells, threads);
    if (wanted("growth")) spume::growth(quick, threads);
    if (wanted("one_way")) spume::one_way(quick ? 2e5 : 1.5e6, threads);
    if (wanted("threads")) spume::threads(quick ? 32 : 64);
    if (wanted("live")) spume::live(quick ? 64 : 128, 100000, threads);
    if (wanted("mantaflow")) spume::bench::beside_mantaflow(quick ? 48 : 96, quick ? 12 : 16);
    return 0;
}

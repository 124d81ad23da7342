// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// What the particle level set costs on one core: WENO in cell-stages a second, markers with their
// corrections in markers a second, and both again at twice the resolution; a whole splash beside
// `constraint` and Blender's Mantaflow (found as the program `blender`), in core-seconds a frame.
// Bubbles of a splash at three resolutions. What a splash gains or loses without compensation.
//
//   bench_pls [parts]                     level set and markers
//   bench_pls splash [CELLS [FRAMES]]     the splash (128, 9); both without a word
//   bench_pls volume [CELLS [SECONDS]]    without compensation, frames of 1/30 s (64, 4)
//   bench_pls resolutions [SPLASHES]      30, 60 and 90 cells in the plane, mean of some splashes
//   (5)

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "../tests/methods/constraint/run.h"
#include "../tests/methods/particle_level_set/pls_run.h"
#include "../tests/methods/particle_level_set/transport.h"
#include "mantaflow.h"
#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

double core_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Seconds of the core in f, the least of five.
template <class F>
double seconds(F&& f) {
    double best = 1e9;
    for (int k = 0; k < 5; ++k) {
        const std::clock_t begin = std::clock();
        f();
        best = std::min(best, double(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return best;
}

void measure(int cells) {
    Context context(1);
    const auto c = transport::deformation(cells, 3);
    const Transform<3> lattice{1.0 / cells, {}};
    const SurfaceMotion how;
    ParticleLevelSet<3> s;
    s.phi = transport::level_of(c, lattice, context);
    seed_markers(s.markers, s.phi, lattice, how.markers, 1, 0, context);
    const auto flow = dense_flow_of<3>(lattice, Index<3>::filled(cells), c.velocity);
    const double dt = 0.5 / crossed_voxels(flow, lattice.voxel, context);
    const Band<3> band = band_of(s.phi, 6, context);
    const auto velocity = flow_in_band<3>(flow, band, lattice, context);
    auto phi = s.phi;
    const double weno = seconds([&] { advect_weno(phi, band, velocity, dt, context); });
    phi = s.phi;
    const double distance = seconds([&] { redistance_band(phi, how.distance, context); });
    std::printf("%d^3, band %zu cells, %zu markers of %zu bytes\n", cells, band.cells,
                s.markers.size(), sizeof(Point<3>) + 2 * sizeof(float) + sizeof(std::uint64_t));
    std::printf("  WENO5: %.1f M cell-stages/s, %.1f M whole steps/s\n",
                3e-6 * double(band.cells) / weno, 1e-6 * double(band.cells) / weno);
    std::printf("  redistancing, 6 iterations: %.1f M cells/s\n",
                1e-6 * double(band.cells) / distance);
    for (const auto motion : {MarkerMotion::kThirdOrder, MarkerMotion::kEuler}) {
        auto markers = s.markers;
        phi = s.phi;
        const double move =
            seconds([&] { move_markers(markers, flow, 1e-3 * dt, motion, context); });
        const double correct = seconds([&] {
            correct_with_markers(phi, markers, lattice, how.markers, context);
            correct_with_markers(phi, markers, lattice, how.markers, context);
            adjust_markers(markers, phi, lattice, how.markers, context);
        });
        std::printf("  markers %s: moved %.1f M/s, with both corrections and radii %.1f M/s\n",
                    motion == MarkerMotion::kEuler ? "Euler" : "third order",
                    1e-6 * double(markers.size()) / move,
                    1e-6 * double(markers.size()) / (move + correct));
    }
}

constexpr int kFps = 30;

Scene splash(int dimensions, int cells, double place) {
    const auto block = [&](double lo, double hi) {
        return dimensions == 2 ? pls_water({place - 0.12, lo, 0}, {place + 0.12, hi, 1})
                               : pls_water({place - 0.15, lo, 0.35}, {place + 0.15, hi, 0.65});
    };
    Scene s = pls_box(dimensions, 1.0 / cells, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.time.fps = kFps;
    s.liquids = {pls_water({0, 0, 0}, {1, 0.25, 1}), block(0.4, 0.8)};
    return s;
}

/// Frames after the first, on one thread.
template <class Run, class Count>
double frames_of(const char* name, Run& run, int frames, Count&& count) {
    double begin = core_seconds();
    int before = 0;
    for (int f = 1; f <= frames && run.until(double(f) / kFps); ++f)
        if (f == 1) begin = core_seconds(), before = run.steps, run.context.times.clear();
    const double each = (core_seconds() - begin) / (frames - 1);
    std::printf("%s: %.2f core-seconds a frame, %.1f substeps a frame, %.0f particles\n", name,
                each, double(run.steps - before) / (frames - 1), double(count()));
    double all = 0;  // by the clock: shares only
    for (const auto& e : run.context.times.entries()) all += e.seconds;
    for (const auto& e : run.context.times.entries())
        if (e.seconds > 0.03 * all)
            std::printf("  %-18s %4.0f %%\n", e.name.c_str(), 100 * e.seconds / all);
    std::fflush(stdout);
    return each;
}

void compare(int cells, int frames) {
    double ours = 0;
    {
        particle_level_set::Params params;
        PlsRun<3> run(splash(3, cells, 0.5), params, 1);
        ours = frames_of("particle_level_set", run, frames,
                         [&] { return run.state.surface.markers.size(); });
    }
    {
        ConstraintRun<3> run(splash(3, cells, 0.5), constraint::Params(), 1);
        const double theirs =
            frames_of("constraint", run, frames, [&] { return run.state.liquid.size(); });
        std::printf("ratio pls_splash_frame constraint %.2f\n", theirs / ours);
    }
    bench::BakeCost cost;
    if (!bench::bake_after_first({"splash", cells, frames, 0, kFps, 1}, cost)) return;
    std::printf("Mantaflow: %.2f core-seconds a frame, %.0f particles\n", cost.core / cost.frames,
                cost.particles);
    std::printf("ratio pls_splash_frame mantaflow %.2f\n", cost.core / cost.frames / ours);
}

void volume(int cells, int seconds) {
    particle_level_set::Params params;
    params.compensation = false;
    PlsRun<3> run(splash(3, cells, 0.5), params, 1);
    double worst = 0;
    for (int f = 1; f <= seconds * kFps && run.until(double(f) / kFps); ++f) {
        const double drift = run.state.volume / run.state.target_volume - 1;
        if (std::abs(drift) > std::abs(worst)) worst = drift;
        if (f % 6 == 0)
            std::printf("%.1f s: %+.2f %%, at worst %+.2f %%, %.0f core-seconds\n", run.state.time,
                        100 * drift, 100 * worst, core_seconds());
        std::fflush(stdout);
    }
}

/// Bubbles that a splash of 2 s makes with `thinning = "area"`: how many, and their air.
struct Made {
    double count = 0, air = 0, pockets = 0;
};
Made bubbles_of(int cells, double place) {
    particle_level_set::Params p;
    p.live_bubbles = true;
    p.bubbles.life = p.bubbles.wall_life = 1e8;
    p.bubbles.markers.thinning = Thinning::kArea;
    p.bubbles.markers.density = p.markers * 900.0;  // all of those at 30 cells
    PlsRun<2> run(splash(2, cells, place), p, 1);
    run.until(2);
    const auto& live = run.state.live;
    return {double(live.set.next_id), live.emitted, run.state.pocket_air};
}

void resolutions(int splashes) {
    Made mean[3];
    constexpr int kCells[] = {30, 60, 90};
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < splashes; ++i) {
            const double place = splashes == 1 ? 0.5 : 0.44 + 0.12 * i / (splashes - 1);
            const Made m = bubbles_of(kCells[k], place);
            std::printf(
                "  %d cells, block at %.3f m: %.0f bubbles, %.3e m^2 of air, %.3e of it of "
                "pockets\n",
                kCells[k], place, m.count, m.air, m.pockets);
            mean[k].count += m.count / splashes, mean[k].air += m.air / splashes;
            mean[k].pockets += m.pockets / splashes;
        }
        std::printf("%d cells: %.1f bubbles, %.3e m^2, %.3e of pockets\n", kCells[k], mean[k].count,
                    mean[k].air, mean[k].pockets);
        std::fflush(stdout);
    }
    const auto spread = [&](auto part) {
        double sum = 0, most = 0;
        for (const Made& m : mean) sum += part(m) / 3;
        for (const Made& m : mean) most = std::max(most, std::abs(part(m) / sum - 1));
        return 100 * most;
    };
    std::printf(
        "farthest from the mean of the three: count %.0f %%, air %.0f %%, air of single "
        "markers %.0f %%\n",
        spread([](const Made& m) { return m.count; }), spread([](const Made& m) { return m.air; }),
        spread([](const Made& m) { return m.air - m.pockets; }));
}

}  // namespace
}  // namespace spume

int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    const auto number = [&](int at, int usual) { return argc > at ? std::atoi(argv[at]) : usual; };
    const bool all = *what == 0;
    if (all || std::strcmp(what, "parts") == 0) {
        spume::measure(64);
        spume::measure(128);
    }
    if (all || std::strcmp(what, "splash") == 0) spume::compare(number(2, 128), number(3, 9));
    if (std::strcmp(what, "volume") == 0) spume::volume(number(2, 64), number(3, 4));
    if (std::strcmp(what, "resolutions") == 0) spume::resolutions(number(2, 5));
    return 0;
}

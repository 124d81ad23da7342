// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// One body of air that rises, as a scene seeds it, against published speeds:
//
//   bench_bodies rise EOTVOS MORTON RATIO CELLS RULE [END [PADDING [KEY=VALUE…]]]   3D, [BW81]
//   bench_bodies hysing CASE CELLS RULE [KEY=VALUE…]                                2D, [HTK09]
//
// Without arguments: an ellipsoid and the first case of [HTK09], small.
//
// CELLS: voxels a radius; RULE: cell_share or marker; PADDING: tiles around the body. By intervals
// of √(d/g), and of a tenth of a second: speed, air on the grid over that seeded.

#include <cstdlib>
#include <cstring>
#include <string>

#include "wsb25_rise.h"

namespace {

using namespace spume;

void rise(int count, const char* const* v) {
    const bench::RiseCase c{
        "body",          std::atof(v[0]),
        std::atof(v[1]), std::atof(v[2]),
        std::atof(v[3]), std::strcmp(v[4], "marker") == 0 ? Rule::kMarker : Rule::kShare};
    const bench::RiseScales scale(c);
    const double end = count > 5 ? std::atof(v[5]) : 4;
    bench::RisingBody body = bench::rising_body(c, scale, end, 4);
    mixture::Params& p = body.params;
    if (count > 6) p.padding = std::atoi(v[6]);
    for (int i = 7; i < count; ++i) {
        if (std::strncmp(v[i], "lead=", 5) == 0)
            p.interface_velocity_correction = std::atof(v[i] + 5);
        if (std::strncmp(v[i], "drag=", 5) == 0) p.drag = std::atof(v[i] + 5);
        if (std::strncmp(v[i], "damp=", 5) == 0) p.subgrid_velocity_damping = std::atof(v[i] + 5);
        if (std::strncmp(v[i], "sweeps=", 7) == 0) p.curvature_smoothing = std::atoi(v[i] + 7);
    }
    MixtureRun<3> run(body.scene, p, 1);
    run.until(1e-9);
    std::printf("Eo %g Mo %g 1:%g R/h %g %s pad %d law %.4f m/s Re %.3g:", c.eotvos, c.morton,
                1 / c.ratio, c.cells, name_of(c.rule), p.padding, scale.speed,
                scale.water * scale.speed * scale.d / scale.viscosity);
    for (double i = 0.5; i <= end + 1e-9 && !run.failed; i += 0.5) {
        const double before = run.centroid()[1], t = run.state.time;
        run.until(i * scale.time);
        std::printf(" %.3f (%.2f, %.1f)",
                    (run.centroid()[1] - before) / (run.state.time - t) / scale.speed,
                    seen_volume(run) / run.state.seeded, run.fastest / scale.speed);
        run.fastest = 0;
        std::fflush(stdout);
    }
    double high = 0, across = 0;
    const Point<3> m = run.centroid();
    for (const auto& x : run.state.bubbles.position) {
        high += (x[1] - m[1]) * (x[1] - m[1]);
        across += ((x[0] - m[0]) * (x[0] - m[0]) + (x[2] - m[2]) * (x[2] - m[2])) / 2;
    }
    std::printf(" aspect %.2f, %lld voxels%s\n", std::sqrt(high / across),
                static_cast<long long>(run.voxels), run.failed ? ", failed" : "");
}

void hysing(int count, const char* const* v) {
    const bool two = std::atoi(v[0]) == 2;
    const double cells = std::atof(v[1]);
    const Rule rule = std::strcmp(v[2], "marker") == 0 ? Rule::kMarker : Rule::kShare;
    Scene scene = open_water(0.25 / cells, {0, 0, 0}, {1, 2, 1}, 2);
    scene.domain.dense = true;
    scene.domain.sides = scene.domain.top = scene.domain.bottom = Border::kWall;
    scene.physics = {{0, -0.98, 0}, 1000, two ? 1.0 : 100.0, 10, two ? 1.96 : 24.5};
    scene.time.fps = 20;
    mixture::Params p = hero_params();
    p.drag = 1;
    p.mixture_viscosity = true;
    p.air_viscosity = two ? 0.1 : 1;
    p.no_slip_ends = true;
    for (int i = 3; i < count; ++i) {
        if (std::strncmp(v[i], "lead=", 5) == 0)
            p.interface_velocity_correction = std::atof(v[i] + 5);
        if (std::strncmp(v[i], "sweeps=", 7) == 0) p.curvature_smoothing = std::atoi(v[i] + 7);
    }
    Emitter ball = seeded_ball({0.5, 0.5, 0.5}, 0.25, 1, 0.25 / cells);
    ball.law = rule == Rule::kShare ? RadiusLaw::kCellShare : RadiusLaw::kMarker;
    ball.spacing = 0.125 / cells;
    scene.emitters = {ball};
    MixtureRun<2> run(scene, p, 1);
    run.until(1e-9);
    const double end = two ? 1.5 : 3;
    std::printf("hysing %d R/h %g %s:", two ? 2 : 1, cells, name_of(rule));
    double most = 0, at = 0;
    for (double t = 0.1; t < end + 1e-9; t += 0.1) {
        const double before = run.centroid()[1];
        run.until(t);
        const double now = (run.centroid()[1] - before) / 0.1;
        if (now > most) most = now, at = t - 0.05;
        std::printf(" %.3f(%.3f)", now, seen_volume(run) / run.state.seeded);
        std::fflush(stdout);
    }
    std::printf(" | v_max %+.1f %% at %.2f (published %.2f), y_c %.4f (%+.2f %%)%s\n",
                100 * (most / (two ? 0.25022 : 0.24166) - 1), at, two ? 0.732 : 0.924,
                run.centroid()[1], 100 * (run.centroid()[1] / (two ? 0.80073 : 1.08175) - 1),
                run.failed ? " failed" : "");
}

}  // namespace

int main(int count, char** values) {
    if (count > 6 && std::strcmp(values[1], "rise") == 0)
        rise(count - 2, values + 2);
    else if (count > 4 && std::strcmp(values[1], "hysing") == 0)
        hysing(count - 2, values + 2);
    else if (count == 1) {
        // An ellipsoid and the first case of Hysing et al., small.
        const char* const ellipsoid[] = {"10", "1e-3", "0.001", "4", "cell_share"};
        const char* const first[] = {"1", "8", "cell_share"};
        rise(5, ellipsoid);
        hysing(3, first);
    } else
        return 2;
    return 0;
}

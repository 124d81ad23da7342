// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "wsb25_hero.h"

// Terminal speed of single bodies of air in 3D, in liquids viscous enough that they become steady.

namespace spume::bench {

/// Drag of bubbles in dirty or viscous water, Mo > 4e-3, [BW81]: 16/Re of Hadamard and Rybczynski
/// for slow round ones, 2.67 of Davies and Taylor for caps.
inline double bhaga_weber_drag(double reynolds) {
    return std::pow(std::pow(2.67, 0.9) + std::pow(16 / reynolds, 0.9), 1 / 0.9);
}

struct RiseCase {
    const char* name;
    double eotvos, morton;
    double ratio;  ///< of the densities, ρ_b / ρ_w
    double cells;  ///< a radius
    Rule rule;
};

/// What a case is in SI units: a body of air of 2 cm in diameter.
struct RiseScales {
    double d = 0.02, g = 9.81, water = 1000;
    double air, sigma, viscosity, time, speed;

    explicit RiseScales(const RiseCase& c) : air(c.ratio * water) {
        const double lighter = water - air;
        sigma = lighter * g * d * d / c.eotvos;
        viscosity =
            std::pow(c.morton * water * water * sigma * sigma * sigma / (g * lighter), 0.25);
        time = std::sqrt(d / g);
        const double weight = 4.0 / 3 * g * d * lighter / water;  // C_D U² = 4/3 g d Δρ/ρ
        double low = 0, high = 10 * std::sqrt(g * d);
        for (int n = 0; n < 100; ++n) {
            speed = (low + high) / 2;
            const double drag = bhaga_weber_drag(water * speed * d / viscosity) * speed * speed;
            (drag < weight ? low : high) = speed;
        }
    }
};

/// A ball of air in open water, and what moves it; `end` in √(d/g), `frames` in each of them.
struct RisingBody {
    Scene scene;
    mixture::Params params;
};

inline RisingBody rising_body(const RiseCase& c, const RiseScales& scale, double end,
                              double frames) {
    const double h = scale.d / (2 * c.cells), wide = 4 * scale.d;
    RisingBody r{open_water(h, {-wide, 0, -wide}, {wide, (end + 8) * scale.d, wide}),
                 hero_params()};
    r.scene.physics.air_density = scale.air;
    r.scene.physics.surface_tension = scale.sigma;
    r.scene.physics.viscosity = scale.viscosity;
    r.scene.time.fps = frames / scale.time;
    r.params.drag = 1;
    r.params.mixture_viscosity = true;
    r.params.air_viscosity = scale.viscosity / 100;
    r.params.padding = 2;
    Emitter ball = seeded_ball({0.3 * h, 3 * scale.d, 0.1 * h}, scale.d / 2, 1, h);
    ball.law = c.rule == Rule::kShare ? RadiusLaw::kCellShare : RadiusLaw::kMarker;
    ball.spacing = h / 2;
    r.scene.emitters = {ball};
    return r;
}

/// Speeds of the middle by intervals of √(d/g), and what the body looks like at the end.
inline void rise_of(const RiseCase& c, int threads) {
    constexpr int kEnd = 6;
    const RiseScales scale(c);
    const RisingBody body = rising_body(c, scale, kEnd, 2);
    MixtureRun<3> run(body.scene, body.params, threads);
    run.until(1e-9);
    std::printf("%s, Eo %g, Mo %g, 1:%g, %g cells a radius, %s, law %.4f m/s (Re %.3g):", c.name,
                c.eotvos, c.morton, 1 / c.ratio, c.cells, name_of(c.rule), scale.speed,
                scale.water * scale.speed * scale.d / scale.viscosity);
    for (int i = 1; i <= kEnd && !run.failed; ++i) {
        const double before = run.centroid()[1], t = run.state.time;
        run.until(i * scale.time);
        std::printf(" %.3f (%.2f, %.1f)",
                    (run.centroid()[1] - before) / (run.state.time - t) / scale.speed,
                    seen_volume(run) / run.state.seeded, run.fastest);
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
    std::fflush(stdout);
}

inline void rise_study(const StudyOptions& o) {
    std::printf(
        "\n== rise: speed over that of [BW81] by intervals of sqrt(d/g) (air on the grid over that "
        "seeded, greatest speed)\n");
    for (const double cells : {6.0, 8.0})
        for (const double ratio : {0.1, 0.001})
            for (const Rule rule : {Rule::kShare, Rule::kMarker})
                for (const RiseCase& c : {RiseCase{"cap", 116, 1.31, ratio, cells, rule},
                                          RiseCase{"ellipsoid", 17.7, 4.63e-3, ratio, cells, rule},
                                          RiseCase{"sphere", 1, 0.1, ratio, cells, rule}})
                    rise_of(c, o.threads);
}

}  // namespace spume::bench

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "wsb25_hero.h"

// Caps: large bubbles that gravity and inertia alone shape.

namespace spume::bench {

/// The height below which nineteen twentieths of the air lie: single particles may race.
inline double top_of(const MixtureRun<3>& run) {
    std::vector<double> y;
    for (const auto& x : run.state.bubbles.position) y.push_back(x[1]);
    const auto place = y.begin() + std::ptrdiff_t(y.size() * 19 / 20);
    std::nth_element(y.begin(), place, y.end());
    return *place;
}

struct CapCase {
    double air, water, sigma, drag;
};

/// A ball of air let go; mean speed of its top and of its middle between 0.3 and 0.6 s, against
/// 0.707 √(g d Δρ/ρ) with d from the air that the grid sees in that time.
inline void cap_of(const CapCase& c, int threads) {
    const double d = 0.05, h = 0.004, start = 0.3, end = 0.6;
    Scene s = open_water(h, {-0.16, 0, -0.16}, {0.16, 0.7, 0.16});
    s.physics.air_density = c.air;
    s.physics.water_density = c.water;
    s.physics.surface_tension = c.sigma;
    s.time.fps = 48;
    mixture::Params p = hero_params();
    p.surface_tension = c.sigma > 0;
    p.drag = c.drag;
    const auto run = seeded_run<3>(
        s, p, Rule::kMarker, {0, 0.08, 0}, d, std::numbers::pi / 6 * d * d * d,
        [&](const Point<3>& x) { return length(x) - d / 2; }, threads);
    const double at_first = seen_volume(*run);
    run->until(start);
    const double top = top_of(*run), middle = run->centroid()[1];
    double volume = 0;
    constexpr int kLooks = 6;
    for (int i = 1; i <= kLooks; ++i) {
        run->until(start + (end - start) * i / kLooks);
        volume += seen_volume(*run) / kLooks;
    }
    const double wide = 2 * ball_radius<3>(volume);
    const double law = 0.707 * std::sqrt(9.81 * wide * (1 - c.air / c.water));
    const double speed = (top_of(*run) - top) / (end - start);
    std::printf(
        "%4.0f:%4.0f, sigma %.3f, drag %.0f: top %.3f m/s, middle %.3f, law %.3f for d = %.1f mm "
        "(%+.0f %%, middle %+.0f %%), air on the grid %.2f of the start%s\n",
        c.air, c.water, c.sigma, c.drag, speed, (run->centroid()[1] - middle) / (end - start), law,
        1e3 * wide, 100 * (speed / law - 1),
        100 * ((run->centroid()[1] - middle) / (end - start) / law - 1), volume / at_first,
        run->failed ? ", failed" : "");
    std::fflush(stdout);
}

inline void cap_study(int threads) {
    std::printf("\n== cap: ball of air of 50 mm in 3D, h 4 mm, marker, 0.3 to 0.6 s\n");
    for (double sigma : {0.0, 0.072})
        for (double drag : {1.0, 0.0}) cap_of({1, 1000, sigma, drag}, threads);
    cap_of({100, 1000, 0, 1}, threads);
    cap_of({1, 10, 0, 1}, threads);
}

}  // namespace spume::bench

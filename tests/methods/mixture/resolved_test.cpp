// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "seeded_run.h"

// Short forms of studies of bench/wsb25.cpp.

namespace spume::mixture {
namespace {

/// Greatest rise velocity in case 1 of Hysing et al. 2009, markers.
double hysing_fastest() {
    Scene scene = open_water(1.0 / 32, {0, 0, 0}, {1, 2, 1}, 2);
    scene.domain.dense = true;
    scene.domain.sides = scene.domain.top = scene.domain.bottom = Border::kWall;
    scene.physics = {{0, -0.98, 0}, 1000, 100, 10, 24.5};
    scene.time.fps = 20;
    mixture::Params p = hero_params();
    p.drag = 1;
    p.mixture_viscosity = true;
    p.air_viscosity = 1;
    p.no_slip_ends = true;
    const double radius = 0.25;
    const auto run =
        seeded_run<2>(scene, p, Rule::kMarker, {0.5, 0.5}, 0.3, std::numbers::pi * radius * radius,
                      [&](const Point<2>& x) { return length(x) - radius; });
    double most = 0;
    for (double t = 0.05; t < 1.3 && run->until(t); t += 0.05)
        most = std::max(most, run->mean_velocity()[1]);
    EXPECT_FALSE(run->failed);
    return most;
}

TEST(RisingBubble, SpeedOfHysingsFirstCase) {
    const double error = hysing_fastest() / 0.24166 - 1;
    RecordProperty("error", std::to_string(error));
    EXPECT_NEAR(error, 0, 0.08);
}

/// [Pop09]: drop of diameter 0.8 at rest, σ = 1, ρ = 1, μ = √(0.8/La): capillary number of the
/// largest velocity in the last tenth of a time, given as its share of D²/μ.
double currents(double laplace, double share, int smoothing) {
    const auto run = drop_at_rest(laplace, smoothing);
    const double viscosity = run->scene.physics.viscosity, end = share * 0.64 / viscosity;
    EXPECT_TRUE(run->until(0.9 * end));
    run->fastest = 0;
    EXPECT_TRUE(run->until(end));
    return run->fastest * viscosity;
}

TEST(SpuriousCurrents, OfADropAtRestAreWeak) {
    const double now = currents(120, 0.05, TensionLaw{}.smoothing),
                 printed = currents(120, 0.02, 0);
    RecordProperty("capillary_number", std::to_string(now));
    EXPECT_LT(now, 1e-3);
    EXPECT_GT(printed, 1e-3) << "the curvature as printed has more";
}

/// Share of the air of [WSB25] Fig. 14 that the grid sees in cells more than half full, at 0.25 s:
/// particles of an eighth of a voxel, without surface tension.
double in_bodies(bool merging) {
    const double voxel = 4e-3, share = share_radius<3>(voxel);
    Scene scene = open_water(voxel, {-0.05, 0, -0.05}, {0.05, 0.25, 0.05});
    scene.physics.air_density = 100;
    scene.physics.surface_tension = 0;
    mixture::Params p;
    p.split_merge = merging;
    p.split_radius = share;
    MixtureRun<3> run(scene, p);
    fill(run, Point<3>{0, 0.03, 0}, 0.0106, 2, share,
         [](const Point<3>& x) { return length(x) < 0.0106; });
    EXPECT_TRUE(run.until(0.25));
    double full = 0, all = 0;
    const Frame frame = mixture::view(run.state, p, run.world, run.context);
    for (const Volume& v : frame.volumes)
        if (v.name == "density")
            for (const float phi : v.values[0]) {
                all += double(phi);
                full += phi > 0.5f ? double(phi) : 0.0;
            }
    return full / all;
}

TEST(SplitMergeInTheMethod, KeepsMoreAirInBodies) {
    const double alone = in_bodies(false), merged = in_bodies(true);
    RecordProperty("alone", std::to_string(alone));
    RecordProperty("merged", std::to_string(merged));
    EXPECT_GT(merged, 1.25 * alone);
}

}  // namespace
}  // namespace spume::mixture

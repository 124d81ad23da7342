// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "mixture_box.h"
#include "mixture_run.h"
#include "spume/core/random.h"

namespace spume::mixture {
namespace {

/// Nothing moves: only tension, gravity and the frame limit the substep.
double limit(double tension, double water, double air, double gravity, mixture::Params p) {
    Scene s = open_water(0.01, {-0.1, 0, -0.1}, {0.1, 0.2, 0.1}, 2);
    s.physics.surface_tension = tension;
    s.physics.water_density = water;
    s.physics.air_density = air;
    s.physics.gravity = {0, -gravity, 0};
    s.time.fps = 0.1;
    s.emitters = {seeded_ball({0, 0.1, 0}, 0.04, 0.1, 1e-3)};
    MixtureRun<2> run(s, p);
    return mixture::max_dt(run.state, run.params, run.world, run.context).seconds;
}

TEST(MixtureSubstep, CapillaryWavesOfAVoxelLimitIt) {
    // [BKZ92] Eq. 61: √((ρ_w + ρ_a) h³ / 4πσ), times capillary_cfl.
    const auto exact = [](double tension, double densities) {
        return std::sqrt(densities * 1e-6 / (4 * std::numbers::pi * tension));
    };
    mixture::Params p;
    p.surface_tension = true;
    EXPECT_NEAR(limit(0.072, 1000, 1, 0, p) / exact(0.072, 1001), 1, 1e-12);
    EXPECT_NEAR(limit(0.5, 10, 1, 9.81, p) / exact(0.5, 11), 1, 1e-12);
    p.capillary_cfl = 0.5;
    EXPECT_NEAR(limit(0.5, 10, 1, 9.81, p) / exact(0.5, 11), 0.5, 1e-12);
    // Without tension gravity does: two voxels from rest.
    p.surface_tension = false;
    EXPECT_NEAR(limit(0.5, 10, 1, 9.81, p) / std::sqrt(2 * 0.02 / 9.81), 1, 1e-12);
}

TEST(BinaryFraction, EveryFaceIsAirOrWater) {
    for (const bool binary : {false, true}) {
        MixtureBox<2> box({24, 24}, 0.01, true);
        for (std::uint64_t i = 0; i < 400; ++i) {
            const Random random(3, i, 0, Purpose::kTest);
            box.add({0.05 + 0.14 * random.uniform(0), 0.05 + 0.14 * random.uniform(1)},
                    1e-3 + 2e-3 * random.uniform(2), 1);
        }
        box.coupling.binary = binary;
        box.settle();
        int air = 0, between = 0;
        for (int a = 0; a < 2; ++a)
            for (std::size_t i = 0; i < std::size_t(box.tiles->active()) * kTileCells<2>; ++i) {
                const double bar = box.mixture.unclamped.read(a)[i],
                             bubble = box.mixture.bubble.read(a)[i];
                if (bubble == 1) ++air;
                if (bubble > 0 && bubble < 1) ++between;
                EXPECT_EQ(box.mixture.water.read(a)[i], 1 - bubble);
                if (binary) {
                    EXPECT_EQ(bubble, bar >= 0.5 ? 1 : 0);
                }
            }
        EXPECT_GT(air, 0);
        if (binary)
            EXPECT_EQ(between, 0);
        else
            EXPECT_GT(between, 100) << "an ordinary fraction has values between";
    }
}

/// A substep, and the fraction that the frame shows, the mean of a cell's four faces.
TEST(BinaryFraction, ReachesTheWholeMethod) {
    Scene s = open_water(0.01, {-0.1, 0, -0.1}, {0.1, 0.2, 0.1}, 2);
    s.emitters = {seeded_ball({0, 0.1, 0}, 0.04, 0.5, 2e-3)};
    double speed[2] = {};
    for (const bool binary : {false, true}) {
        mixture::Params p;
        p.binary_fraction = binary;
        MixtureRun<2> run(s, p);
        ASSERT_TRUE(run.until(1e-3));
        for (const double u : run.state.water.component(1))
            speed[binary ? 1 : 0] = std::max(speed[binary ? 1 : 0], std::abs(u));
        int quarters = 0, others = 0;
        const Frame frame = mixture::view(run.state, p, run.world, run.context);
        for (const Volume& v : frame.volumes)
            if (v.name == "density")
                for (const float phi : v.values[0])
                    if (phi > 0) ++(4 * phi == std::round(4 * phi) ? quarters : others);
        EXPECT_GT(quarters + others, 20);
        EXPECT_EQ(others == 0, binary);
    }
    EXPECT_GT(std::abs(speed[1] - speed[0]), 1e-3 * speed[0]) << "the substep feels it";
}

}  // namespace
}  // namespace spume::mixture

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "run.h"
#include "spume/physics/air/coalescence.h"
#include "spume/physics/motion/move_bubbles.h"

namespace spume {
namespace {

/// Water at rest without gravity under a pocket of air, in voxels of a centimetre, and `count`
/// bubbles of `volume` voxels each around a place in it.
template <int D>
struct PoolWithCloud : ConstraintRun<D> {
    static constexpr double kVoxel = 0.01;

    static Scene pool() {
        Scene s = tank(D, kVoxel, {0.24, 0.32, 0.24});
        s.physics.gravity = {0, 0, 0};
        s.physics.surface_tension = 0;
        s.liquids = {liquid_box({0, 0, -1}, {1, 0.24, 1})};
        return s;
    }
    static constraint::Params with_small_bubbles() {
        constraint::Params p;
        p.small_bubbles = true;
        return p;
    }
    PoolWithCloud(int count, double volume, double spread)
        : ConstraintRun<D>(pool(), with_small_bubbles()) {
        std::vector<LostRegion> cloud;
        for (int i = 0; i < count; ++i) {
            const double angle = 2 * std::numbers::pi * i / count, r = spread * kVoxel;
            const Vec<double, 3> place{0.122 + r * std::cos(angle), 0.118 + r * std::sin(angle),
                                       0.12};
            cloud.push_back({place, volume * std::pow(kVoxel, D)});
        }
        hand_over<D>(this->state.small, cloud, 1.2, this->context);
    }
};

/// Rest volumes of all regions, and the small bubbles.
template <int D>
double all_air(ConstraintRun<D>& run) {
    double sum = total_volume(run.state.small, run.context);
    for (const AirBubble& b : run.state.air.bubbles) sum += b.rest;
    return sum;
}

template <int D>
void expect_a_region(double volume) {
    PoolWithCloud<D> run(8, volume, 0.9);
    const double air = all_air(run), liquid = run.state.volume;
    const double cloud = total_volume(run.state.small, run.context);
    ASSERT_EQ(run.state.air.bubbles.size(), 1u);
    ASSERT_TRUE(run.one_step(0.005));
    EXPECT_EQ(run.state.small.size(), 0u);
    ASSERT_EQ(run.state.air.bubbles.size(), 2u) << "at once";
    ASSERT_TRUE(run.until(0.1));
    EXPECT_EQ(run.state.small.size(), 0u);
    ASSERT_EQ(run.state.air.bubbles.size(), 2u);
    const auto& [first, second] = std::pair(run.state.air.bubbles[0], run.state.air.bubbles[1]);
    const AirBubble& found = first.id > second.id ? first : second;
    EXPECT_NEAR(found.centre[1], 0.118, 0.01);
    EXPECT_NEAR(found.rest, cloud, 1e-6 * cloud);
    EXPECT_NEAR(found.volume, cloud, 0.01 * cloud);
    EXPECT_NEAR(all_air(run), air, 1e-9 * air);
    EXPECT_NEAR(run.state.air.lost, 0, 1e-6 * cloud);
    EXPECT_NEAR(run.state.volume, liquid, 0.002 * liquid);
}

TEST(ConstraintCrowds, BecomeARegionThatKeepsTheirAir) {
    expect_a_region<2>(3);
    expect_a_region<3>(8);
}

TEST(ConstraintCrowds, TooFewOrTooFarApartStayBubbles) {
    for (const bool few : {true, false}) {
        PoolWithCloud<2> run(few ? 4 : 8, 3, few ? 0.9 : 6);
        ASSERT_TRUE(run.until(0.05));
        EXPECT_EQ(run.state.small.size(), few ? 4u : 8u);
        EXPECT_EQ(run.state.air.bubbles.size(), 1u);
    }
}

}  // namespace
}  // namespace spume

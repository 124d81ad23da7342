// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "mixture_run.h"
#include "spume/physics/motion/emitter_room.h"

namespace spume {
namespace {

constexpr double kBall = 0.015, kVoxel = 0.01;

/// A ball of 15 mm in open water that is asked for `rate`, m³/s.
Scene with_ball(double rate, double bubble_radius) {
    Scene s = open_water(kVoxel, {-0.16, 0, -0.16}, {0.16, 0.4, 0.16});
    s.domain.bottom = Border::kWall;
    Emitter e;
    e.name = "ball";
    e.shape.kind = ShapeKind::kSphere;
    e.shape.center = {0, 0.08, 0};
    e.shape.radius = kBall;
    e.rate = rate;
    e.radius = bubble_radius;
    s.emitters = {e};
    return s;
}

double owed(const MixtureRun<3>& run) {
    double sum = 0;
    for (const double debt : run.state.owed.read()) sum += debt;
    return sum;
}

/// No faster than the slip of a bubble and the speed at which the air must leave the ball, three
/// times: the plume has risen by five diameters and gathers way of its own. What did not come is
/// owed.
TEST(OverFull, EmittersDoNotThrowTheirBubbles) {
    for (const auto& [rate, radius] : {std::pair{0.5e-3, 2e-3}, {2e-3, 4e-3}}) {
        MixtureRun<3> run(with_ball(rate, radius), {});
        ASSERT_TRUE(run.until(0.25, 50));
        const double ejection = rate / (std::numbers::pi * kBall * kBall);
        EXPECT_LT(run.fastest, 3 * (terminal_speed(radius) + ejection)) << rate;
        EXPECT_LT(run.fastest, 1.5) << rate;
        EXPECT_NEAR(run.state.emitted + owed(run), 0.25 * rate, 1e-12) << rate;
        EXPECT_GT(run.state.held_back, 0) << rate;
        EXPECT_GT(run.state.emitted, 0.05e-3) << rate;
    }
}

/// Nor where the rate would fit but a voxel is smaller than a bubble.
TEST(OverFull, BubblesLargerThanAVoxelAreNotThrownEither) {
    Scene s = with_ball(0.1e-3, 4e-3);
    s.domain.voxel = 5e-3;
    s.domain.lower = {-0.08, 0, -0.08}, s.domain.upper = {0.08, 0.24, 0.08};
    MixtureRun<3> run(s, {});
    ASSERT_TRUE(run.until(0.2, 50));
    const double ejection = 0.1e-3 / (std::numbers::pi * kBall * kBall);
    EXPECT_LT(run.fastest, 3 * (terminal_speed(4e-3) + ejection));
}

/// Second moments of the cloud about its axis, turned by any angle: the grid does not show.
TEST(OverFull, CloudsAreRound) {
    MixtureRun<3> run(with_ball(0.5e-3, 1e-3), {});
    ASSERT_TRUE(run.until(0.25, 50));
    double xx = 0, zz = 0, xz = 0, sum = 0;
    const Point<3> middle = run.centroid();
    for (const Point<3>& p : run.state.bubbles.position.read()) {
        const double x = p[0] - middle[0], z = p[2] - middle[2];
        xx += x * x, zz += z * z, xz += x * z, sum += 1;
    }
    const double mean = (xx + zz) / 2;
    EXPECT_NEAR(xx / mean, 1, 0.05);
    EXPECT_NEAR(xz / mean, 0, 0.05);
    // It is wider than the ball: crowded air makes itself room.
    EXPECT_GT(std::sqrt(2 * mean / sum), kBall / std::sqrt(2.0));
}

TEST(OverFull, TheGridSeesNearlyAllOfTheAir) {
    MixtureRun<3> run(with_ball(1e-3, 2e-3), {});
    ASSERT_TRUE(run.until(0.25, 50));
    const auto air = mixture::summary(run.state, run.params, run.world, run.context).air;
    EXPECT_GT(air.grid, 0.85 * air.bubbles);
    EXPECT_NEAR(air.owed, 0.25e-3 - air.emitted, 1e-12);
}

/// A rate that the place can take is given whole, whatever the shape is to the grid: a ball, a
/// nozzle smaller than a voxel, a thin plate.
TEST(OverFull, RatesThatFitAreGivenWhole) {
    struct Case {
        Vec<double, 3> size;
        double rate, radius;
    };
    for (const Case& c :
         {Case{{0.004, 0.004, 0.004}, 2e-5, 1e-3}, Case{{0.1, 0.001, 0.1}, 0.5e-3, 2e-3},
          Case{{0.06, 0.06, 0.06}, 0.5e-3, 3e-3}}) {
        Scene s = with_ball(c.rate, c.radius);
        s.emitters[0].shape.kind = ShapeKind::kBox;
        s.emitters[0].shape.size = c.size;
        MixtureRun<3> run(s, {});
        ASSERT_TRUE(run.until(0.15));
        EXPECT_EQ(run.state.held_back, 0) << c.size[0];
        EXPECT_NEAR(run.state.emitted, 0.15 * c.rate, 4.2 * c.radius * c.radius * c.radius);
    }
}

/// Uniform air of fraction f in a cube of many voxels leaves (most − f) of its volume; a point can
/// hold what its hat spreads over (3h/2)³.
TEST(EmitterRoom, IsWhatIsMissingInThePlace) {
    const double h = 0.01, side = 0.2, volume = side * side * side;
    FractionAround<3> air({{0, 0, 0}, {side, side, side}}, h);
    std::vector<Point<3>> open;
    const int n = 60;
    for (int i = 0; i < n * n * n; ++i) {
        const Point<3> x{(i % n + 0.5) / n * 1.5 * side - side / 4,
                         (i / n % n + 0.5) / n * 1.5 * side - side / 4,
                         (i / n / n + 0.5) / n * 1.5 * side - side / 4};
        if (air.reach().contains(x)) air.add(x, 0.2 * 1.5 * 1.5 * 1.5 * volume / (n * n * n));
        if (Box<double, 3>{{0, 0, 0}, {side, side, side}}.contains(x)) open.push_back(x);
    }
    EXPECT_NEAR(room_for_air(air, open, volume, h, 0.64), 0.44 * volume, 0.005 * volume);

    // The mean over all places of a point in its cell: two thirds a voxel along each axis.
    double inverse = 0;
    const int m = 16;
    for (int i = 0; i < m * m * m; ++i) {
        const Point<3> x{(i % m + 0.5) / m * h, (i / m % m + 0.5) / m * h,
                         (i / m / m + 0.5) / m * h};
        const FractionAround<3> none({{0, 0, 0}, {h, h, h}}, h);
        FractionAround<3> own({{0, 0, 0}, {h, h, h}}, h);
        own.add(x, 1);
        inverse += own.at(x) / (m * m * m);
        EXPECT_EQ(none.at(x), 0);
    }
    EXPECT_NEAR(1 / inverse, 27.0 / 8 * h * h * h, 0.01 * 27.0 / 8 * h * h * h);
}

/// Bubbles that find no open water are not lost: they stay owed.
TEST(OverFull, WhatFindsNoPlaceStaysOwed) {
    Scene s = with_ball(1e-4, 1e-3);
    Solid around;
    around.shape.kind = ShapeKind::kSphere;
    around.shape.center = s.emitters[0].shape.center;
    around.shape.radius = 0.05;
    s.solids = {around};
    MixtureRun<3> run(s, {});
    ASSERT_TRUE(run.until(0.1));
    EXPECT_EQ(run.state.emitted, 0);
    EXPECT_NEAR(owed(run), 1e-5, 1e-15);
    ASSERT_FALSE(run.last.warnings.empty());
    EXPECT_NE(run.last.warnings[0].find("no open water"), std::string::npos);
}

}  // namespace
}  // namespace spume

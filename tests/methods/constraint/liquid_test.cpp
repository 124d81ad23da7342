// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include "run.h"
#include "spume/run/session.h"
#include "spume/scene/parse.h"
#include "viscous_fall.h"

namespace spume {
namespace {

constraint::Params defaults() { return {}; }

// Martin & Moyce 1952, n² = 2: column 2a high. T = t sqrt(2g/a), Z = front / a, secondary copies.
constexpr double kTime[] = {0.41, 0.84, 1.19, 1.43, 1.63, 1.82, 1.97,
                            2.20, 2.32, 2.50, 2.64, 2.82, 2.96};
constexpr double kFront[] = {1.11, 1.23, 1.44, 1.67, 1.89, 2.11, 2.33,
                             2.56, 2.78, 3.00, 3.22, 3.44, 3.67};

TEST(ConstraintLiquid, DamBreakFrontOfMartinAndMoyce) {
    const double a = 0.1461;
    Scene s = tank(2, a / 16, {8 * a, 4 * a, 1});
    s.liquids = {liquid_box({0, 0, -1}, {a, 2 * a, 1})};
    ConstraintRun<2> run(s, defaults());
    const double volume = run.state.volume;
    double sum = 0, most = 0;
    for (int i = 0; i < 13; ++i) {
        // The customary shift of 0.175 for the time the gate takes.
        ASSERT_TRUE(run.until((kTime[i] - 0.175) * std::sqrt(a / (2 * 9.81))));
        double front = 0;
        for (const auto& x : run.state.liquid.position) front = std::max(front, x[0]);
        const double error = front / a / kFront[i] - 1;
        sum += std::abs(error);
        most = std::max(most, std::abs(error));
    }
    RecordProperty("mean", std::to_string(sum / 13));
    EXPECT_LT(sum / 13, 0.05);
    EXPECT_LT(most, 0.15);
    EXPECT_NEAR(run.state.volume, volume, 0.01 * volume);
}

TEST(ConstraintLiquid, SeededBlockHasItsVolume) {
    Scene s = tank(3, 0.05, {1, 1, 1});
    s.liquids = {liquid_box({0, 0, 0}, {1, 0.523, 1})};
    const ConstraintRun<3> run(s, defaults());
    EXPECT_NEAR(run.state.volume, 0.523, 0.004);
    Scene flat = tank(2, 0.02, {1, 1, 1});
    flat.liquids = {liquid_ball({0.5, 0.5, 0}, 0.25)};
    const ConstraintRun<2> ball(flat, defaults());
    EXPECT_NEAR(ball.state.volume, std::numbers::pi / 16, 0.02 * std::numbers::pi / 16);
}

TEST(ConstraintLiquid, StillWaterStaysStill) {
    Scene s = tank(2, 1.0 / 32, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 1})};
    ConstraintRun<2> run(s, defaults());
    ASSERT_TRUE(run.until(1.0));
    RecordProperty("fastest", std::to_string(run.fastest));
    EXPECT_LT(run.fastest, 0.01 * std::sqrt(9.81));
    EXPECT_NEAR(run.state.volume, run.state.target_volume, 0.005 * run.state.target_volume);
}

TEST(ConstraintLiquid, BubbleRisesAndKeepsItsVolume) {
    Scene s = tank(2, 1.0 / 48, {1, 1.5, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {1, 1.2, 1}),
                 liquid_ball({0.5, 0.3, 0}, 0.15, LiquidMode::kHollow)};
    ConstraintRun<2> run(s, defaults());
    const int k = run.region_at({0.5, 0.3});
    ASSERT_GE(k, 0);
    const std::uint64_t id = run.state.air.bubbles[std::size_t(k)].id;
    EXPECT_NEAR(run.state.air.bubbles[std::size_t(k)].volume, std::numbers::pi * 0.0225, 0.003);
    ASSERT_TRUE(run.until(0.4));
    EXPECT_NEAR(run.state.volume, run.state.target_volume, 0.005 * run.state.target_volume);
    double height = 0;
    for (const AirBubble& b : run.state.air.bubbles) {
        if (b.id != id) continue;
        height = b.centre[1];
        EXPECT_NEAR(b.volume, b.rest, 0.03 * b.rest);
    }
    // What splits off or is lost takes its share along.
    double rest = 0;
    for (const AirBubble& b : run.state.air.bubbles) rest += b.rest;
    EXPECT_NEAR(rest + run.state.air.lost, run.state.air.born, 1e-12);
    EXPECT_GT(height, 0.42) << "it should have risen by now";
}

/// [GB17] Fig. 4: once the upper hole is covered no air can change sides. A thick
/// liquid does not slosh, so that it stays covered; this one takes six seconds to pass. Most of
/// the air is in tiles that are not stored.
TEST(ConstraintLiquid, WallWithHolesKeepsTheLevelsApart) {
    const double h = 0.0125;
    Scene s = tank(2, h, {1.04, 1, 1});
    s.physics.viscosity = 20;
    s.solids = {solid_box({0.5, -0.1, -1}, {0.54, 0.05, 1}),
                solid_box({0.5, 0.15, -1}, {0.54, 0.2, 1}),
                solid_box({0.5, 0.3, -1}, {0.54, 1.1, 1})};
    s.liquids = {liquid_box({0, 0, -1}, {0.5, 0.8, 1})};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(8));
    double air[2] = {}, pressure[2] = {}, rest = run.state.air.lost;
    for (const AirBubble& b : run.state.air.bubbles) {
        air[b.centre[0] > 0.52] += b.volume;
        if (b.volume > 0.05) pressure[b.centre[0] > 0.52] = b.pressure;
        rest += b.rest;
    }
    RecordProperty("levels", fmt::format("{} {} m, {} Pa", 1 - air[0] / 0.5, 1 - air[1] / 0.5,
                                         pressure[1] - pressure[0]));
    EXPECT_NEAR(1 - air[0] / 0.5, 0.5, h + 0.015);
    EXPECT_NEAR(1 - air[1] / 0.5, 0.3, h + 0.009);
    EXPECT_NEAR(pressure[1] - pressure[0], 1962, 0.15 * 1962);
    EXPECT_NEAR(rest, run.state.air.born, 1e-12);
}

/// Drops smaller than the grid can see, one of them at the ceiling: x(t) = x₀ + v t + g t²/2 until
/// they reach the pool. Nothing holds them, neither far from the liquid nor at a wall.
template <int D>
void expect_free_fall(Transfer transfer) {
    const double h = 1.0 / 24;
    Scene s = tank(D, h, {1, 1, 0.5});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.2, 1}), liquid_ball({0.5, 0.8, 0.25}, 0.5 * h),
                 liquid_ball({0.25, 1, 0.25}, 0.5 * h)};
    s.liquids[1].velocity = {0.5, 0, 0};
    constraint::Params p = defaults();
    p.transfer = transfer;
    p.min_substeps = 8;
    ConstraintRun<D> run(s, p);
    const auto middle_of = [&](double left, double right) {
        Vec<double, D> sum{};
        double count = 0;
        for (const auto& x : run.state.liquid.position)
            if (x[1] > 0.3 && x[0] > left && x[0] < right) sum += x, count += 1;
        EXPECT_GT(count, 0);
        return sum / count;
    };
    const double apart = 0.38, t = 0.25;
    const auto flying = middle_of(apart, 1), hanging = middle_of(0, apart);
    ASSERT_TRUE(run.until(t));
    const double fall = 9.81 * t * t / 2;
    EXPECT_NEAR(middle_of(apart, 1)[0] - flying[0], 0.5 * t, 0.01 * 0.5 * t);
    EXPECT_NEAR(flying[1] - middle_of(apart, 1)[1], fall, 0.01 * fall);
    EXPECT_NEAR(hanging[1] - middle_of(0, apart)[1], fall, 0.01 * fall);
}

TEST(ConstraintLiquid, DropsInFlightFallFreely) {
    for (const Transfer transfer : {Transfer::kApic, Transfer::kFlip}) {
        expect_free_fall<2>(transfer);
        expect_free_fall<3>(transfer);
    }
}

TEST(ConstraintLiquid, NothingToSimulateIsNoError) {
    Scene s = tank(2, 0.1, {1, 1, 1});
    ConstraintRun<2> empty(s, defaults());
    EXPECT_TRUE(empty.until(0.1));
    s.liquids = {liquid_box({-1, -1, -1}, {2, 2, 2})};
    ConstraintRun<2> full(s, defaults());
    EXPECT_TRUE(full.until(0.1));
    EXPECT_LT(full.last.max_speed, 1e-3);
    EXPECT_TRUE(full.state.air.bubbles.empty());
}

TEST(ConstraintLiquid, ViscousColumnBetweenNoSlipWalls) {
    // Falls between walls w apart, free above and below: u(x, t) by its Fourier series.
    const double w = 0.2, nu = 0.05;
    Scene s = tank(2, w / 20, {w, 1.6, 1});
    s.physics.viscosity = 1000 * nu;
    s.physics.surface_tension = 0;
    s.domain.bottom = s.domain.top = Border::kOpen;
    s.liquids = {liquid_box({0, 0.4, -1}, {w, 1.5, 1})};
    constraint::Params p = defaults();
    p.no_slip_walls = true;
    p.liquid_correction = false;
    p.min_substeps = 16;
    ConstraintRun<2> run(s, p);
    const double t = 0.1;
    ASSERT_TRUE(run.until(t));
    const auto exact = [&](double x) { return viscous_fall(x, w, nu, t); };
    double worst = 0;
    for (std::size_t i = 0; i < run.state.liquid.size(); ++i) {
        const Point<2> x = run.state.liquid.position[i];
        // Next to a wall interpolation goes on with the last face: half a voxel of the profile.
        if (std::abs(x[1] - 0.9) > 0.1 || std::abs(x[0] - w / 2) > w / 2 - w / 20) continue;
        worst = std::max(worst, std::abs(run.state.liquid.velocity[i][1] - exact(x[0])));
    }
    EXPECT_LT(worst, 0.05 * std::abs(exact(w / 2)));
}

}  // namespace
}  // namespace spume

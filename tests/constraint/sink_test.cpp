// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "run.h"

// What a sink opens is the outside: zero pressure on its own surface.

namespace spume {
namespace {

constexpr double kGravity = 9.81;

/// A tank of 1 m by 1 m with water 0.5 m deep, open above.
Scene pool(double h, std::vector<LiquidBody> sinks) {
    Scene s = tank(2, h, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({-1, -1, -1}, {2, 0.5, 1})};
    for (LiquidBody& l : sinks) s.liquids.push_back(l);
    return s;
}

LiquidBody sink_box(const Vec<double, 3>& lo, const Vec<double, 3>& hi) {
    return liquid_box(lo, hi, LiquidMode::kSink);
}

/// m²/s that leave between two times; the account has to agree.
double drained(ConstraintRun<2>& run, double begin, double end) {
    EXPECT_TRUE(run.until(begin));
    const double first = run.state.volume, asked = run.state.target_volume;
    EXPECT_TRUE(run.until(end));
    const double left = first - run.state.volume;
    EXPECT_NEAR(left, asked - run.state.target_volume, 0.02 * std::abs(left) + 1e-4);
    return left / (end - begin);
}

/// No free streamline: on a plane strip of width b in a floor with zero pressure all over, the
/// hodograph is a half disc, w' = (m/π)(1/ζ − ζ), and π/4 of b √(2gH) flows off.
TEST(ConstraintSink, AHoleWithZeroPressureInItsMouth) {
    const double h = 1.0 / 64, hole = 0.125;
    Scene s = pool(h, {sink_box({0.5 - hole / 2, -1, -1}, {0.5 + hole / 2, 0.1, 1})});
    s.solids = {solid_box({-1, -1, -1}, {0.5 - hole / 2, 0.1, 1}),
                solid_box({0.5 + hole / 2, -1, -1}, {2, 0.1, 1})};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(0.1));
    const double before = run.state.volume;
    const double rate = drained(run, 0.1, 0.25);
    const double mean = (before + run.state.volume) / 2 / 1.0;  // above the floor
    RecordProperty("ratio", std::to_string(rate / (hole * std::sqrt(2 * kGravity * mean))));
    EXPECT_NEAR(rate / (hole * std::sqrt(2 * kGravity * mean)), 0.785, 0.06);
}

TEST(ConstraintSink, DrainsAsFastWithBubblesAsWithout) {
    const double h = 1.0 / 32;
    for (const double turn : {0.0, 1.0}) {  // the drain of a floor, or amid the water
        const Vec<double, 3> lo{0.5 - 0.0625, 0.1 * turn, -1}, hi{0.5 + 0.0625, 0.1 * turn + 0.0625, 1};
        constraint::Params free;
        free.bubbles = constraint::BubbleMode::kOff;
        ConstraintRun<2> with(pool(h, {sink_box(lo, hi)}), {});
        ConstraintRun<2> without(pool(h, {sink_box(lo, hi)}), free);
        const double a = drained(with, 0.1, 0.3), b = drained(without, 0.1, 0.3);
        EXPECT_NEAR(a, b, 0.03 * b);
        // No more than leaves each point of its surface with all the speed that the depth gives.
        const double perimeter = 0.125 + 2 * 0.0625 + turn * 0.125;
        EXPECT_LT(b, perimeter * std::sqrt(2 * kGravity * 0.5));
        EXPECT_GT(b, 0.5 * perimeter * std::sqrt(2 * kGravity * 0.4));
        EXPECT_NEAR(with.trapped(), 0, 1e-4);
    }
}

TEST(ConstraintSink, OneThatOpensLaterMovesAndCloses) {
    const double h = 1.0 / 32;
    LiquidBody sink = sink_box({0.2, 0.2, -1}, {0.3, 0.3, 1});
    sink.start = 0.1;
    sink.stop = 0.4;
    ConstraintRun<2> run(pool(h, {sink}), {});
    ASSERT_TRUE(run.until(0.1 - 1e-6));
    EXPECT_NEAR(run.state.volume, 0.5, 0.002);
    const double rate = drained(run, 0.1 - 1e-6, 0.4);
    EXPECT_GT(rate, 0.4);
    const double left = run.state.volume;
    ASSERT_TRUE(run.until(1.0));
    EXPECT_NEAR(run.state.volume, left, 0.02 * left);
    EXPECT_NEAR(run.state.target_volume, left, 0.02 * left);
}

TEST(ConstraintSink, HalfInAir) {
    // Half of it above the level: it skims, and the tank's own air is outside with it.
    const double h = 1.0 / 32;
    Scene s = pool(h, {sink_box({0.8, 0.4, -1}, {1, 0.6, 1})});
    s.domain.top = Border::kWall;
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(2.0));
    EXPECT_NEAR(run.state.volume, 0.4, 0.012);
    EXPECT_NEAR(run.state.volume, run.state.target_volume, 0.01);
}

}  // namespace
}  // namespace spume

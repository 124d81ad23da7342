// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "run.h"

// Bubbles in liquid so thick that inertia plays no part.

namespace spume {
namespace {

constexpr double kBubble = 0.08;

Scene syrup(double viscosity, double fps) {
    Scene s = tank(2, 1.0 / 64, {0.5, 1, 1});
    s.time.fps = fps;
    s.physics.viscosity = viscosity;
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {0.5, 0.9, 1}),
                 liquid_ball({0.25, 0.2, 0}, kBubble, LiquidMode::kHollow)};
    return s;
}

double height(const ConstraintRun<2>& run) {
    for (const AirBubble& b : run.state.air.bubbles)
        if (b.volume < 0.03 && b.volume > 0.01) return b.centre[1];
    return 0;
}

/// Mean speed from 0.1 to 0.2 s, when the bubble has long stopped gaining speed. Creeping flow has
/// no memory: it is g R²/ν times a number of the shape, which hardly changes on so short a way.
double rise_speed(double viscosity, double fps) {
    ConstraintRun<2> run(syrup(viscosity, fps), {});
    EXPECT_TRUE(run.until(0.1));
    const double low = height(run);
    EXPECT_TRUE(run.until(0.2));
    return (height(run) - low) / 0.1;
}

TEST(ConstraintThick, SpeedOfABubbleIsThatOfCreepingFlow) {
    const double thick = rise_speed(200, 240), thicker = rise_speed(400, 240);
    RecordProperty("speeds", fmt::format("{} {} m/s", thick, thicker));
    EXPECT_NEAR(thick / thicker, 2, 0.3);
    // Of long substeps, ν Δt/h² = 14, the splitting of pressure and viscosity makes an error.
    EXPECT_NEAR(rise_speed(100, 30) / rise_speed(100, 240), 1, 0.25);
}

TEST(ConstraintThick, BubbleRisesWhole) {
    ConstraintRun<2> run(syrup(20, 30), {});
    std::size_t most = 0;
    EXPECT_TRUE(run.until(0.4, [&] { most = std::max(most, run.state.air.bubbles.size()); }));
    EXPECT_EQ(most, 2u) << "the bubble and the air above";
    EXPECT_GT(height(run), 0.3);
}

}  // namespace
}  // namespace spume

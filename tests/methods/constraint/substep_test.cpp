// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "run.h"

namespace spume {
namespace {

/// Still liquid: only tension, gravity and the frame limit the substep.
double limit(double tension, double density, double gravity, double lighter = 0) {
    Scene s = tank(2, 0.01, {0.4, 0.4, 1});
    s.physics.surface_tension = tension;
    s.physics.water_density = density;
    s.physics.gravity = {0, -gravity, 0};
    s.time.fps = 0.1;
    s.liquids = {liquid_box({0, 0, -1}, {0.4, 0.2, 1})};
    if (lighter > 0) {
        s.liquids.push_back(liquid_box({0, 0.2, -1}, {0.4, 0.3, 1}));
        s.liquids.back().density = lighter;
    }
    ConstraintRun<2> run(s, {});
    return constraint::max_dt(run.state, run.params, run.world, run.context).seconds;
}

TEST(ConstraintSubstep, CapillaryWavesOfAVoxelLimitIt) {
    // [BKZ92] Eq. 61 with nothing on the other side: √(ρ h³ / 4πσ), of the lightest liquid.
    const auto exact = [](double tension, double density) {
        return std::sqrt(density * 1e-6 / (4 * std::numbers::pi * tension));
    };
    EXPECT_NEAR(limit(0.072, 1000, 0) / exact(0.072, 1000), 1, 1e-12);
    EXPECT_NEAR(limit(0.5, 800, 9.81) / exact(0.5, 800), 1, 1e-12);
    EXPECT_NEAR(limit(0.5, 1000, 9.81, 250) / exact(0.5, 250), 1, 1e-12);
    EXPECT_NEAR(limit(0, 1000, 0), 10, 1e-9) << "a frame";
}

TEST(ConstraintSubstep, GravityWavesOfAVoxelLimitIt) {
    // ω² = 4 g/h / (1 − e^−κ), cosh κ = 3.
    const double omega = std::sqrt(9.81 / 0.01 * 4 / (std::sqrt(8.0) - 2));
    EXPECT_NEAR(limit(0, 1000, 9.81) * omega / 2, 1, 1e-12);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "cip_run.h"

namespace spume {
namespace {

Solid free_ball(const Vec<double, 3>& center, double radius, double density) {
    Solid s;
    s.shape.kind = ShapeKind::kSphere;
    s.shape.center = center;
    s.shape.radius = radius;
    s.motion = Motion::kDynamic;
    s.density = density;
    return s;
}

/// Height of a disc's middle above the level at which this part of it is under water.
double floating_height(double radius, double part) {
    double low = -radius, high = radius;
    for (int k = 0; k < 60; ++k) {
        const double d = (low + high) / 2;
        const double under =
            radius * radius * std::acos(d / radius) - d * std::sqrt(radius * radius - d * d);
        (under > part * M_PI * radius * radius ? low : high) = d;
    }
    return low;
}

/// A disc of density 0.75 in a tank, put `above` its draft: its mean height in the last second
/// above what the closed form says.
double height_off(double above, double seconds, double& speed) {
    const double radius = 0.15, draft = floating_height(radius, 0.75);
    Scene scene = cip_box(2, 1.0 / 40, {1, 1, 1});
    scene.physics.surface_tension = 0;
    scene.physics.viscosity = 2;
    scene.liquids = {water_box({-1, -1, -1}, {2, 0.5, 2})};
    scene.solids = {free_ball({0.5, 0.5 + draft + above, 0}, radius, 750)};
    scene.time.fps = 30;
    CipRun<2> run(scene, {});
    double sum = 0;
    int count = 0;
    EXPECT_TRUE(run.until(seconds, [&] {
        if (run.state.time > seconds - 1) sum += run.state.rigid[0].position[1], ++count;
    }));
    EXPECT_NEAR(run.state.rigid[0].position[0], 0.5, 0.005);
    EXPECT_NEAR(run.totals().liquid_drift, 0, 1e-5);
    speed = std::abs(run.state.rigid[0].velocity[1]);
    const double off = sum / count - (run.state.volume + 0.75 * M_PI * radius * radius + draft);
    std::printf("floats %.2f %% of its radius above the closed form, %.3f m/s\n",
                100 * off / radius, speed);
    return off / radius;
}

/// [SSK05] §7: a ball of density 0.75 floats three quarters under water.
TEST(CipBodies, FloatsAtItsDraft) {
    double speed = 0;
    EXPECT_NEAR(height_off(0, 1, speed), 0, 0.05);
    EXPECT_LT(speed, 0.05);
    EXPECT_NEAR(height_off(0.05, 3, speed), 0, 0.05);  // it bobs about the same height
}

/// A ball of water's density rests in water, in 3D: what it weighs its place weighed.
TEST(CipBodies, EqualDensityRests) {
    Scene scene = cip_box(3, 1.0 / 16, {1, 1, 1});
    scene.physics.surface_tension = 0;
    scene.liquids = {water_box({-1, -1, -1}, {2, 0.8, 2})};
    scene.solids = {free_ball({0.5, 0.4, 0.5}, 0.2, scene.physics.water_density)};
    cip::Params p;
    p.pressure_tolerance = 1e-10;
    CipRun<3> run(scene, p);
    for (int n = 0; n < 5; ++n) ASSERT_TRUE(run.one_step(run.state.time + 0.01));
    // The cut cells' volume is not quite the ball's.
    EXPECT_LT(length(run.state.rigid[0].velocity), 0.05 * 9.81 * 0.05);
}

/// In air without gravity a body flies on; it stops at a wall and stays in the box.
TEST(CipBodies, FliesAndStopsAtWalls) {
    Scene scene = cip_box(2, 1.0 / 32, {1, 1, 1});
    scene.physics.gravity = {};
    scene.physics.surface_tension = 0;
    Solid ball = free_ball({0.3, 0.5, 0}, 0.1, 500);
    ball.velocity = {1, 0, 0};
    scene.solids = {ball};
    CipRun<2> run(scene, {});
    ASSERT_TRUE(run.until(0.3));
    EXPECT_NEAR(run.state.rigid[0].velocity[0], 1, 0.02);
    EXPECT_NEAR(run.state.rigid[0].position[0], 0.6, 0.01);
    ASSERT_TRUE(run.until(1));
    EXPECT_LT(run.state.rigid[0].position[0], 0.9 + 1e-6);
    EXPECT_GT(run.state.rigid[0].position[0], 0.8);
}

}  // namespace
}  // namespace spume

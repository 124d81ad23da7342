// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "cip_run.h"
#include "spume/core/math.h"
#include "spume/surface/dense_level_set.h"

namespace spume {
namespace {

cip::Params exact() {
    cip::Params p;
    p.pressure_tolerance = 1e-13;
    p.viscous_tolerance = 1e-13;
    p.redistance_every = 2;
    return p;
}

/// A level at any place between cells rests, at 1000 : 1.
TEST(CipRest, LevelWater) {
    for (auto interface : {cip::Interface::kSmeared, cip::Interface::kSharp})
        for (int k = 0; k < 16; k += 3) {
            const double h = 1.0 / 32;
            Scene scene = cip_box(2, h, {1, 1, 1});
            scene.physics.surface_tension = 0;
            scene.liquids = {water_box({-1, -1, -1}, {2, (14 + k / 16.0) * h, 2})};
            cip::Params p = exact();
            p.interface = interface;
            CipRun<2> run(scene, p);
            for (int n = 0; n < 10; ++n) ASSERT_TRUE(run.one_step(run.state.time + 0.02));
            EXPECT_LT(run.fastest, 1e-10 * std::sqrt(9.81)) << k;
            EXPECT_NEAR(run.state.volume / run.state.target_volume, 1, 1e-12);
        }
}

TEST(CipRest, LevelWaterInThreeDimensions) {
    const double h = 1.0 / 16;
    Scene scene = cip_box(3, h, {1, 1, 1});
    scene.physics.surface_tension = 0;
    scene.liquids = {water_box({-1, -1, -1}, {2, 7.3 * h, 2})};
    CipRun<3> run(scene, exact());
    for (int n = 0; n < 5; ++n) ASSERT_TRUE(run.one_step(run.state.time + 0.02));
    EXPECT_LT(run.fastest, 1e-10 * std::sqrt(9.81));
}

/// In long frames too: longer substeps than the shortest waves stand let still water boil.
TEST(CipRest, LevelWaterInLongFrames) {
    const double h = 1.0 / 32;
    for (const double place : {0.25, 0.51, 0.75}) {
        Scene scene = cip_box(2, h, {1, 1, 1});
        scene.time.fps = 1;
        scene.physics.surface_tension = 0;
        scene.liquids = {water_box({-1, -1, -1}, {2, (16 + place) * h, 2})};
        CipRun<2> run(scene, {});
        ASSERT_TRUE(run.until(6));
        EXPECT_LT(run.fastest, 1e-3 * std::sqrt(9.81)) << place;
    }
}

/// Water under a gravity that leans by so many degrees, its surface across it, `place` voxels above
/// the middle of the box.
Scene leaning_pool(double degrees, double place, int cells) {
    Scene scene = cip_box(2, 1.0 / cells, {1, 1, 1});
    scene.physics.surface_tension = 0;
    const double angle = degrees * math::kPi / 180;
    const Vec<double, 3> up{-math::sin(angle), math::cos(angle), 0};
    scene.physics.gravity = up * -9.81;
    LiquidBody l = water_box({-3, -3, -3}, {3, 3, 3});
    const double middle = 0.5 + 0.5 / cells;
    l.shape.center = Vec<double, 3>{middle, middle, 0} + up * (place / cells - 3);
    l.shape.rotation = {0, 0, degrees};
    scene.liquids = {l};
    return scene;
}

/// The mean of H_ε along a way: against a sum of many parts.
TEST(CipRest, WaterOfAFaceIsTheMeanAlongTheWay) {
    const double epsilon = 1.5;
    for (const double a : {-2.0, -1.0, -0.3, 0.9})
        for (const double length : {0.2, 0.7, 1.0}) {
            double sum = 0;
            for (int k = 0; k < 1000; ++k)
                sum += smeared_step(a + (k + 0.5) * length / 1000, epsilon) * length / 1000;
            EXPECT_NEAR(integral_of_smeared_step(a + length, epsilon) -
                            integral_of_smeared_step(a, epsilon),
                        sum, 1e-7);
        }
}

TEST(CipRest, LeaningWater) {
    for (const auto interface : {cip::Interface::kSmeared, cip::Interface::kSharp})
        for (const double degrees : {5.0, 26.565051177077994, 45.0, 70.0, 90.0})
            for (const double place : {0.0, 0.01, 0.25, 0.5}) {
                cip::Params p;
                p.interface = interface;
                CipRun<2> run(leaning_pool(degrees, place, 24), p);
                ASSERT_TRUE(run.until(0.4));
                EXPECT_LT(run.fastest, 1e-3 * std::sqrt(9.81)) << degrees << " " << place;
            }
}

/// A static bubble whose curvature is imposed: operators balance to the solver's tolerance.
TEST(CipRest, ImposedCurvature) {
    for (auto interface : {cip::Interface::kSmeared, cip::Interface::kSharp})
        for (auto tension : {cip::Tension::kForce, cip::Tension::kDensityScaled}) {
            const double h = 1.0 / 32;
            Scene scene = cip_box(2, h, {1, 1, 1});
            scene.physics.gravity = {};
            scene.physics.surface_tension = 1;
            scene.physics.viscosity = 0.1;
            scene.liquids = {water_box({-1, -1, -1}, {2, 2, 2}),
                             water_ball({0.5, 0.5, 0}, 0.25, LiquidMode::kHollow)};
            cip::Params p = exact();
            p.interface = interface;
            p.tension = tension;
            CipRun<2> run(scene, p);
            run.world.imposed_curvature = -1 / 0.25;
            for (int n = 0; n < 10; ++n) ASSERT_TRUE(run.one_step(run.state.time + 1e-3));
            EXPECT_LT(run.fastest * scene.physics.viscosity / 1, 1e-10);  // Ca
            // Laplace: air inside stands under σ/R more.
            const auto pressure = [&](double x, double y) {
                return run.state.pressure.at({int(x / h), int(y / h)});
            };
            EXPECT_NEAR(pressure(0.5, 0.5) - pressure(0.05, 0.05), 4, 1e-6);
        }
}

/// With its own curvature: small currents, Laplace's jump, in 2D and 3D.
TEST(CipRest, StaticBubble) {
    for (auto interface : {cip::Interface::kSmeared, cip::Interface::kSharp}) {
        const double h = 1.0 / 32;
        Scene scene = cip_box(2, h, {1, 1, 1});
        scene.physics.gravity = {};
        scene.physics.surface_tension = 1;
        scene.physics.water_density = 1;
        scene.physics.air_density = 1;
        scene.physics.viscosity = std::sqrt(0.8 / 12000);
        scene.liquids = {water_ball({0.5, 0.5, 0}, 0.4)};
        cip::Params p;
        p.interface = interface;
        p.air_viscosity = scene.physics.viscosity;
        p.pressure_tolerance = 1e-10;
        CipRun<2> run(scene, p);
        double worst = 0;
        ASSERT_TRUE(run.until(0.5, [&] { worst = std::max(worst, run.last.max_speed); }));
        const double capillary = run.last.max_speed * scene.physics.viscosity;
        std::printf("Ca at the end %.2e, worst %.2e\n", capillary, worst * scene.physics.viscosity);
        EXPECT_LT(capillary, interface == cip::Interface::kSharp ? 1e-4 : 1e-3);
        const double jump = run.state.pressure.at({16, 16}) - run.state.pressure.at({1, 1});
        EXPECT_NEAR(jump, 1 / 0.4, 0.02 / 0.4);
    }
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "cip_run.h"
#include "spume/methods/cip/flow.h"

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
double height_off(double above, double seconds, double& speed,
                  cip::Bodies bodies = cip::Bodies::kCoupled) {
    const double radius = 0.15, draft = floating_height(radius, 0.75);
    Scene scene = cip_box(2, 1.0 / 40, {1, 1, 1});
    scene.physics.surface_tension = 0;
    scene.physics.viscosity = 2;
    scene.liquids = {water_box({-1, -1, -1}, {2, 0.5, 2})};
    scene.solids = {free_ball({0.5, 0.5 + draft + above, 0}, radius, 750)};
    scene.time.fps = 30;
    cip::Params p;
    p.bodies = bodies;
    CipRun<2> run(scene, p);
    double sum = 0;
    int count = 0;
    EXPECT_TRUE(run.until(seconds, [&] {
        if (run.state.time > seconds - 1) sum += run.state.rigid[0].position[1], ++count;
    }));
    EXPECT_NEAR(run.state.rigid[0].position[0], 0.5,
                bodies == cip::Bodies::kCoupled ? 0.005 : 0.05);
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

/// The paper's marked cells beside it, [SSK05] §6.3: about the same height, but never still.
TEST(CipBodies, MarkedOnesFloatAtTheirDraft) {
    double speed = 0;
    EXPECT_NEAR(height_off(0, 1, speed, cip::Bodies::kMarked), 0, 0.05);
    EXPECT_NEAR(height_off(0.05, 3, speed, cip::Bodies::kMarked), 0, 0.1);
}

/// [SSK05] Eqs. 23–24 with the unit mended, −p n ΔS: in a pressure that falls by ρg a metre they
/// are the weight of the displaced fluid, without a moment for a ball, and for a box whose centre
/// of mass is its middle, however it is turned.
template <int D>
void lifted_by_what_it_displaces(ShapeKind kind) {
    Scene scene = cip_box(D, D == 2 ? 1.0 / 48 : 1.0 / 40, {1, 1, 1});
    scene.physics.gravity = {};
    Solid body = free_ball({0.47, 0.52, 0.45}, 0.23, 500);
    body.shape.kind = kind;
    body.shape.size = {0.4, 0.25, 0.3};
    body.shape.rotation = {0, 0, 25};
    scene.solids = {body};
    cip::Params p;
    p.bodies = cip::Bodies::kMarked;
    CipRun<D> run(scene, p);
    auto pressure = run.state.pressure.write();
    for_rows(run.context.arena, run.state.phi.f.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1])
            pressure[at] = -9810 * run.world.position(i.template as<double>() +
                                                      Vec<double, D>::filled(0.5))[1];
    });
    const double dt = 1e-3, volume = run.world.rigid.bodies()[0].mass / 500;
    const auto solids = run.world.solids_at(0, run.state.rigid);
    cip::push_marked_bodies(run.state, run.world, solids, dt);
    const RigidState& s = run.state.rigid[0];
    const double lift = 9810 * volume * dt / run.world.rigid.bodies()[0].mass;
    EXPECT_NEAR(s.velocity[1], lift, 0.01 * lift);
    EXPECT_LT(std::abs(s.velocity[0]) + std::abs(s.velocity[2]), 1e-9 * lift);
    // The lever of the lift is less than a hundredth of a voxel.
    EXPECT_LT(length(times(run.world.rigid.bodies()[0].inertia_at(s), s.spin)),
              9810 * volume * dt * 0.01 * run.h());
}

TEST(CipBodies, PressureOnMarkedCellsIsTheDisplacedWeight) {
    lifted_by_what_it_displaces<2>(ShapeKind::kSphere);
    lifted_by_what_it_displaces<2>(ShapeKind::kBox);
    lifted_by_what_it_displaces<3>(ShapeKind::kSphere);
    lifted_by_what_it_displaces<3>(ShapeKind::kBox);
}

/// Fluid does not flow into a marked body that moves through it, and goes round it.
TEST(CipBodies, MarkedOnesPushTheFluid) {
    Scene scene = cip_box(2, 1.0 / 32, {1, 1, 1});
    scene.physics.gravity = {};
    scene.physics.surface_tension = 0;
    scene.liquids = {water_box({-1, -1, -1}, {2, 2, 2})};
    Solid ball = free_ball({0.4, 0.5, 0}, 0.15, 5000);
    ball.velocity = {1, 0, 0};
    scene.solids = {ball};
    cip::Params p;
    p.bodies = cip::Bodies::kMarked;
    CipRun<2> run(scene, p);
    for (int n = 0; n < 10; ++n) ASSERT_TRUE(run.one_step(run.state.time + 0.005));
    const double middle = run.state.rigid[0].position[0], speed = run.state.rigid[0].velocity[0];
    const auto& u = run.state.velocity[0];
    const auto at = [&](double x, double y) {
        const double place[2] = {x / run.h(), y / run.h()};
        return sample_dense<double, 2>(u.f.read(), u.place, place);
    };
    EXPECT_GT(at(middle + 0.15, 0.5), 0.3 * speed);    // before it
    EXPECT_LT(at(middle, 0.5 + 0.25), -0.05 * speed);  // beside it, back
    EXPECT_LT(speed, 1);
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

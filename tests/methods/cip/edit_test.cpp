// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/cip/edit.h"

#include <numbers>

#include <gtest/gtest.h>

#include "methods/cip/cip_run.h"

namespace spume {
namespace {

Scene tank() {
    Scene s = cip_box(2, 1.0 / 48, {1, 0.75, 1});
    s.liquids.push_back(water_box({-1, -1, -1}, {2, 0.25, 1}));
    return s;
}

double momentum_x(CipRun<2>& run) { return run.totals().momentum[0]; }

TEST(CipEdit, PouredWaterIsThereAndIsKept) {
    CipRun<2> run(tank(), {});
    const double before = run.state.target_volume, radius = 0.1;
    const double disc = std::numbers::pi * radius * radius;
    const double added = cip::pour(run.state, run.world, run.params, {{0.5, 0.55}, radius, {0, 0}},
                                   true, run.context);
    EXPECT_NEAR(added, disc, 0.02 * disc);
    EXPECT_DOUBLE_EQ(run.state.target_volume, before + added);
    ASSERT_TRUE(run.until(0.5));  // it falls into the pool
    EXPECT_NEAR(run.totals().liquid_volume, before + added, 1e-6 * before);
}

TEST(CipEdit, AirTakesWaterAway) {
    CipRun<2> run(tank(), {});
    const double before = run.state.target_volume;
    const double change = cip::pour(run.state, run.world, run.params, {{0.5, 0.12}, 0.06, {0, 0}},
                                    false, run.context);
    EXPECT_NEAR(change, -std::numbers::pi * 0.06 * 0.06, 0.001);
    EXPECT_DOUBLE_EQ(run.state.target_volume, before + change);
    // Twice in the same place changes nothing.
    EXPECT_NEAR(cip::pour(run.state, run.world, run.params, {{0.5, 0.12}, 0.06, {0, 0}}, false,
                          run.context),
                0, 2e-4);
}

TEST(CipEdit, PouredWaterMovesAsTheBrush) {
    CipRun<2> run(tank(), {});
    cip::pour(run.state, run.world, run.params, {{0.5, 0.55}, 0.1, {1.5, 0}}, true, run.context);
    const double mass = 1000 * std::numbers::pi * 0.1 * 0.1;
    EXPECT_NEAR(momentum_x(run), 1.5 * mass, 0.03 * 1.5 * mass);
}

TEST(CipEdit, DragPullsTowardsItsVelocityAndNoFurther) {
    CipRun<2> run(tank(), {});
    const cip::Brush<2> brush{{0.5, 0.1}, 0.1, {2, 0}};
    double last = 0;
    for (int k = 0; k < 40; ++k) {
        cip::drag(run.state, run.world, brush, 0.5, run.context);
        const double speed = cip::max_speed(run.state, run.context);
        EXPECT_GE(speed, last);
        EXPECT_LE(speed, 2 * (1 + 1e-12));
        last = speed;
    }
    EXPECT_NEAR(last, 2, 1e-3);
}

TEST(CipEdit, StirTurnsWithoutPushing) {
    CipRun<2> run(tank(), {});
    cip::stir(run.state, run.world, {{0.5, 0.125}, 0.1, {}}, 10, run.context);
    EXPECT_NEAR(momentum_x(run), 0, 1e-9);
    // ω r at the middle: a quarter of the radius to the right it goes up.
    const auto& v = run.state.velocity[1];
    const Index<2> cell{int(0.525 * 48), 6};
    EXPECT_GT(v.f.at(cell), 0);
    EXPECT_GT(run.kinetic_energy(), 0);
}

TEST(CipEdit, AWallTakesTheRoomOfWater) {
    CipRun<2> run(tank(), {});
    const double before = run.state.target_volume;
    Solid wall;
    wall.shape.center = {0.5, 0.1, 0};
    wall.shape.size = {0.2, 0.1, 2};
    cip::replace_solids(run.state, run.world, run.params, {wall}, Inputs{}, run.context);
    EXPECT_NEAR(before - run.state.target_volume, 0.02, 0.002);
    ASSERT_TRUE(run.until(0.1));
    EXPECT_LT(run.fastest, 0.05);  // still water around it
}

Solid ball(const char* name, double x) {
    Solid s;
    s.name = name;
    s.motion = Motion::kDynamic;
    s.shape.kind = ShapeKind::kSphere;
    s.shape.center = {x, 0.6, 0};
    s.shape.radius = 0.05;
    return s;
}

TEST(CipEdit, BodiesFallAndStayWhereTheyAreWhenOthersComeAndGo) {
    CipRun<2> run(tank(), {});
    const auto put = [&](const std::vector<Solid>& solids) {
        cip::replace_solids(run.state, run.world, run.params, solids, Inputs{}, run.context);
    };
    put({ball("a", 0.25), ball("b", 0.75)});
    ASSERT_TRUE(run.until(0.1));
    ASSERT_EQ(run.state.rigid.size(), 2u);
    EXPECT_NEAR(0.6 - run.state.rigid[1].position[1], 0.5 * 9.81 * 0.01, 0.01);
    const Vec<double, 3> place = run.state.rigid[1].position;
    put({ball("b", 0.75)});
    ASSERT_EQ(run.state.rigid.size(), 1u);
    EXPECT_EQ(run.state.rigid[0].position, place);
    put({ball("c", 0.5), ball("b", 0.75)});
    EXPECT_DOUBLE_EQ(run.state.rigid[0].position[1], 0.6);
    EXPECT_EQ(run.state.rigid[1].position, place);
    ASSERT_TRUE(run.until(0.15));
}

TEST(CipEdit, AFinerGridHasTheSameWater) {
    CipRun<2> run(tank(), {});
    cip::pour(run.state, run.world, run.params, {{0.5, 0.5}, 0.1, {}}, true, run.context);
    cip::add_ink(run.state, run.world, {{0.5, 0.5}, 0.1, {}}, 1, run.context);
    Scene fine = tank();
    fine.domain.voxel = 1.0 / 96;
    const auto world = cip::world_of<2>(fine, run.params, Inputs{});
    const auto state = cip::resampled(run.state, run.world, world, run.params, run.context);
    EXPECT_NEAR(state.volume, run.state.volume, 0.01 * run.state.volume);
    EXPECT_DOUBLE_EQ(state.target_volume, run.state.target_volume);
    EXPECT_EQ(world.cells()[0], 96);
    EXPECT_NEAR(state.ink.f.at({48, 48}), 1, 0.1);
}

}  // namespace
}  // namespace spume

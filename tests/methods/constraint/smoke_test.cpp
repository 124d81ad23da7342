// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "box.h"
#include "run.h"
#include "spume/methods/constraint/air_flow.h"
#include "spume/physics/motion/tracers.h"

namespace spume {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(ConstraintSmoke, AirFlowsWithTheLiquidAsItsBoundary) {
    Scene s = tank(2, 1.0 / 40, {1, 1.2, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {1, 1.0, 1}),
                 liquid_ball({0.5, 0.3, 0}, 0.15, LiquidMode::kHollow)};
    constraint::Params p;
    p.smoke = true;
    p.pressure_tolerance = 1e-9;
    ConstraintRun<2> run(s, p);
    const double smoke = total_amount(run.state.smoke, run.context);
    EXPECT_NEAR(smoke, kPi * 0.0225, 0.03 * kPi * 0.0225);
    ASSERT_TRUE(run.until(0.25));
    EXPECT_LT(run.last.max_divergence, 1e-6);
    // Every bit of smoke is still there and in air.
    EXPECT_NEAR(total_amount(run.state.smoke, run.context) + run.state.smoke_lost, smoke,
                1e-9 * smoke);
    EXPECT_LT(run.state.smoke_lost, 0.01 * smoke);
    const auto density = density_of<2>(run.state.smoke, run.state.grid.tiles, run.context);
    double sum = 0;
    for (const float v : density.values()) sum += double(v) / 1600;
    EXPECT_NEAR(sum, smoke - run.state.smoke_lost, 1e-5 * smoke);
    // The bubble's air moves: not at rest, and on the whole as fast as the bubble.
    double up = 0, n = 0;
    TileCursor<2> cursor(*run.state.grid.tiles);
    const int k = run.region_at({run.state.smoke.position[0][0], run.state.smoke.position[0][1]});
    ASSERT_GE(k, 0);
    const auto& tiles = *run.state.grid.tiles;
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o)
            if (run.state.air.label.at(t, o) == k) up += run.state.air_velocity.at(1, t, o), n += 1;
    EXPECT_GT(up / n, 0.1);
}

TEST(ConstraintSmoke, FluxesMatchOnEveryFaceOfTheLiquid) {
    // One projection of liquid and one of air on a given geometry.
    BubbleBox<2> box({0, 0}, {48, 48}, 1.0 / 48);
    box.domain.wall[1][1] = false;
    box.add(solid_box({0.6, 0.2, -1}, {0.7, 0.5, 1}));
    box.settle([](const Point<2>& x) {
        return std::max(x[1] - 0.8, 0.17 - std::hypot(x[0] - 0.47, x[1] - 0.35));
    });
    const BubbleSolve r = box.fall();
    ASSERT_TRUE(r.solve.good());
    FaceField<double, 2> air = box.velocity;
    PressureSolver<2> solver;
    const auto flow = constraint::flow_air<2>(
        air, {box.velocity, box.valid}, box.phase, box.regions, box.open, box.domain, box.forces.dt,
        solver, {.tolerance = 1e-12, .max_iterations = 500}, box.context);
    ASSERT_TRUE(flow.solve.good());
    EXPECT_LT(flow.divergence, 1e-12);
    for (int a = 0; a < 2; ++a)
        for (std::size_t i = 0; i < air.component(a).size(); ++i)
            if (box.valid.read(a)[i]) {
                ASSERT_EQ(air.read(a)[i], box.velocity.read(a)[i]);
            }
    // An independent sum: what enters the upper half of the bubble through its middle leaves it.
    const int k = box.region_at({0.47, 0.35});
    ASSERT_GE(k, 0);
    double through = 0, around = 0;
    TileCursor<2> cursor(*box.tiles);
    const int middle = 17;
    for (int i = 0; i < 48; ++i)
        for (int j = 0; j < 48; ++j) {
            if (box.regions.label.read()[cursor({i, j})] != k || j < middle) continue;
            for (int a = 0; a < 2; ++a)
                for (int side = 0; side < 2; ++side) {
                    Index<2> f{i, j}, other{i, j};
                    f[a] += side;
                    other[a] += side ? 1 : -1;
                    const std::size_t at = cursor(f);
                    const double area = double(box.open.area.read(a)[at]);
                    const double flux = (side ? 1 : -1) * area * air.read(a)[at];
                    const bool same = box.regions.label.read()[cursor(other)] == k;
                    if (same && other[1] >= middle) continue;
                    (same ? through : around) += flux;
                }
        }
    EXPECT_GT(std::abs(through), 1e-4);
    EXPECT_NEAR(through + around, 0, 1e-9);
}

}  // namespace
}  // namespace spume

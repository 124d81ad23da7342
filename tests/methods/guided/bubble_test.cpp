// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "methods/guided/guided_run.h"
#include "methods/mixture/mixture_run.h"

namespace spume {
namespace {

guided::Params with(guided::Mode mode) {
    guided::Params p;
    p.mode = mode;
    return p;
}

// In a stream that speeds up the pressure gradient is that of a tilted, stronger gravity g − a:
// bubbles slip along it at their terminal speed there.
template <int D>
void slips(guided::Mode mode, double tolerance) {
    Scene s = over_bulk(D, 0.02, {2, 1, 1}, BulkKind::kAnalytic);
    s.bulk.velocity = {0.5, 0, 0};
    s.bulk.acceleration = {4, 0, 0};
    GuidedRun<D> run(s, with(mode));
    const double r = 0.4e-3;
    Point<D> x = Point<D>::filled(0.4);
    run.add(x, r);
    ASSERT_TRUE(run.until(0.4));
    ASSERT_EQ(run.state.bubbles.size(), 1u);
    const double pull = std::hypot(9.81, 4.0), slip = terminal_speed(r, 1000, 1, 1e-3, pull);
    const Vec<double, D> v = run.state.bubbles.velocity[0];
    EXPECT_NEAR(v[0] - (0.5 + 4 * 0.4), slip * 4 / pull, tolerance * slip);
    EXPECT_NEAR(v[1], slip * 9.81 / pull, tolerance * slip);
}
TEST(GuidedBubble, SlipsAlongTheBulksPressureOneWay) {
    slips<2>(guided::Mode::kOneWay, 5e-3);
    slips<3>(guided::Mode::kOneWay, 5e-3);
}
TEST(GuidedBubble, SlipsAlongTheBulksPressureGuided) { slips<3>(guided::Mode::kGuided, 5e-3); }

// Falling water has no pressure gradient: no buoyancy at all, whatever the surface of the ball or
// the borders do.
template <int D>
void hovers(guided::Mode mode) {
    Scene s = over_bulk(D, 0.02, {1, 2, 1}, BulkKind::kAnalytic);
    s.bulk.flow = BulkFlow::kFreeFall;
    s.bulk.center = {0.5, 1.5, 0.5};
    s.bulk.radius = 0.15;
    GuidedRun<D> run(s, with(mode));
    Point<D> x{};
    for (int a = 0; a < D; ++a) x[a] = s.bulk.center[a] + 0.03;
    run.add(x, 2e-3);
    ASSERT_TRUE(run.until(0.4));
    ASSERT_EQ(run.state.bubbles.size(), 1u);
    const Vec<double, D> v = run.state.bubbles.velocity[0];
    for (int a = 0; a < D; ++a) EXPECT_NEAR(v[a], a == 1 ? -9.81 * 0.4 : 0, 1e-9);
}
TEST(GuidedBubble, HasNoBuoyancyInFreeFall) {
    hovers<2>(guided::Mode::kGuided);
    hovers<3>(guided::Mode::kGuided);
    hovers<3>(guided::Mode::kOneWay);
}

// In water that turns bubbles are driven to the axis as by a gravity of ω² R.
TEST(GuidedBubble, SpiralsIntoAVortex) {
    Scene s = over_bulk(2, 0.02, {2, 2, 0}, BulkKind::kAnalytic);
    s.physics.gravity = {0, 0, 0};
    s.bulk.flow = BulkFlow::kRotation;
    s.bulk.center = s.bulk.pivot = {1, 1, 0};
    s.bulk.radius = 10;
    s.bulk.spin = 4;
    guided::Params p = with(guided::Mode::kOneWay);
    p.cfl = 0.1;
    GuidedRun<2> run(s, p);
    const double r = 0.3e-3;
    run.add({1.5, 1}, r, 1, {0, 2});
    const double end = 1;
    ASSERT_TRUE(run.until(end));
    double radius = 0.5;  // dR/dt = −v(ω² R), with v the terminal speed
    for (int n = 0; n < 1000; ++n)
        radius -= end / 1000 * terminal_speed(r, 1000, 1, 1e-3, 16 * radius);
    EXPECT_NEAR(length(run.state.bubbles.position[0] - Point<2>{1, 1}), radius, 0.02 * 0.5);
    EXPECT_LT(radius, 0.45);
}

// A bubble too small to move the water does the same with and without it.
TEST(GuidedBubble, ASmallOneGoesTheOneWay) {
    Scene s = over_bulk(3, 0.02, {1, 1, 1}, BulkKind::kAnalytic);
    s.bulk.flow = BulkFlow::kRotation;
    s.bulk.center = s.bulk.pivot = {0.5, 0.5, 0.5};
    s.bulk.radius = 10;
    s.bulk.spin = 1;
    Point<3> at[2];
    for (auto mode : {guided::Mode::kGuided, guided::Mode::kOneWay}) {
        GuidedRun<3> run(s, with(mode));
        run.add({0.6, 0.4, 0.5}, 0.2e-3);
        ASSERT_TRUE(run.until(0.5));
        at[mode == guided::Mode::kOneWay] = run.state.bubbles.position[0];
    }
    const double way = length(at[0] - Point<3>{0.6, 0.4, 0.5});
    EXPECT_LE(length(at[0] - at[1]), 1e-3 * way);
    EXPECT_GT(way, 0.05);
}

// New tiles and what flows into them are the bulk, not water at rest.
TEST(GuidedBubble, TilesFollowItThroughAStream) {
    Scene s = over_bulk(2, 0.01, {4, 1, 0}, BulkKind::kAnalytic);
    s.bulk.velocity = {2, 0, 0};
    guided::Params p = with(guided::Mode::kGuided);
    p.padding = 0;
    p.patience = 0;
    GuidedRun<2> run(s, p);
    run.add({0.3, 0.4}, 1e-5, 1, {2, 0});
    const auto first = run.state.grid.tiles;
    double most = 0;
    for (int n = 1; n <= 20; ++n) {
        ASSERT_TRUE(run.until(0.05 * n));
        most = std::max(most, run.deviation());
    }
    EXPECT_NEAR(run.state.bubbles.position[0][0], 2.3, 1e-3);
    EXPECT_LE(most, 1e-4);
}

Scene with_cloud(Scene s) {
    s.emitters = {seeded_ball({0.32, 0.2, 0.32}, 0.06, 0.02, 1e-3)};
    return s;
}

// Still water is the mixture method's water: with its borders, bit for bit.
template <int D>
void same_as_mixture(guided::Border border, mixture::OpenBorder other) {
    Scene s = with_cloud(over_bulk(D, 0.02, {0.64, 0.64, 0.64}));
    s.domain.dense = true;
    guided::Params p;
    p.border = border;
    mixture::Params m;
    m.border = other;
    m.max_fraction = p.max_fraction;
    GuidedRun<D> run(s, p);
    ASSERT_TRUE(run.until(0.15));
    s.bulk.present = false;
    MixtureRun<D> reference(s, m);
    ASSERT_TRUE(reference.until(0.15));
    ASSERT_EQ(run.state.bubbles.size(), reference.state.bubbles.size());
    ASSERT_GT(run.state.bubbles.size(), 10u);
    for (std::size_t q = 0; q < run.state.bubbles.size(); ++q) {
        ASSERT_EQ(run.state.bubbles.position[q], reference.state.bubbles.position[q]) << q;
        ASSERT_EQ(run.state.bubbles.velocity[q], reference.state.bubbles.velocity[q]) << q;
    }
}
TEST(GuidedStill, IsTheMixtureWithItsBorders) {
    same_as_mixture<2>(guided::Border::kPressure, mixture::OpenBorder::kHydrostatic);
    same_as_mixture<3>(guided::Border::kPressure, mixture::OpenBorder::kHydrostatic);
    same_as_mixture<3>(guided::Border::kVelocity, mixture::OpenBorder::kStill);
}

// The borders of [WFS22] §4 close to a cloud, against open water with four tiles around it. One-way
// bubbles stay behind.
template <int D>
void rises_as_in_open_water(double voxel) {
    Scene s = over_bulk(D, voxel, {64 * voxel, 80 * voxel, 64 * voxel});
    const double start = 20 * voxel;
    s.emitters = {seeded_ball({32 * voxel, start, 32 * voxel}, 5 * voxel, 0.1, 2e-3)};
    GuidedRun<D> run(s, {}), alone(s, with(guided::Mode::kOneWay));
    mixture::Params m;
    m.padding = 4;
    MixtureRun<D> open(s, m);
    ASSERT_TRUE(run.until(0.5) && alone.until(0.5) && open.until(0.5));
    const double ours = run.centroid()[1] - start, rise = open.centroid()[1] - start;
    std::printf("%dD: rise %.5f m, in open water %.5f m: %.2f %%; one-way %.5f m\n", D, ours, rise,
                100 * (ours / rise - 1), alone.centroid()[1] - start);
    EXPECT_NEAR(ours, rise, 0.05 * rise);
    EXPECT_LE(alone.centroid()[1] - start, 0.8 * rise);
}
TEST(GuidedStill, ACloudRisesAsInOpenWater) { rises_as_in_open_water<2>(0.02); }
TEST(DeepGuidedStill, ACloudRisesAsInOpenWater) { rises_as_in_open_water<3>(0.02); }

// Bubbles that reach the surface are foam and burst; no air appears or is lost on the way.
TEST(GuidedStill, AirIsAccountedFor) {
    Scene s = over_bulk(2, 0.02, {0.64, 0.64, 0});
    s.bulk.level = 0.4;
    s.emitters = {seeded_ball({0.32, 0.3, 0}, 0.08, 0.05, 2e-3)};
    Emitter e = s.emitters[0];
    e.mode = EmitMode::kRate;
    e.rate = 5e-3;
    s.emitters.push_back(e);
    for (auto mode : {guided::Mode::kGuided, guided::Mode::kOneWay}) {
        GuidedRun<2> run(s, with(mode));
        ASSERT_TRUE(run.until(0.7));
        const StateSummary r = guided::summary(run.state, run.params, run.world, run.context);
        EXPECT_GT(r.air.foam + r.air.burst + r.air.pruned, 0.1 * r.air.emitted);
        EXPECT_GT(r.air.bubbles, 0.1 * r.air.emitted);
        EXPECT_LE(std::abs(r.air.drift()), 1e-12);
        for (const auto& x : run.state.bubbles.position) EXPECT_LT(x[1], 0.4);
    }
}

// Air that a wave draws in is emitted air, and is below its surface.
TEST(GuidedStill, EntrainedAirIsAccountedFor) {
    Scene s = over_bulk(2, 0.01, {0.96, 0.64, 0}, BulkKind::kAnalytic);
    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.level = 0.4;
    s.bulk.amplitude = 0.06;
    s.bulk.wavelength = 0.96;
    s.emission.on = true;
    s.aeration.a_min = 1e-4;
    s.aeration.a_max = 1e-2;
    for (auto mode : {guided::Mode::kGuided, guided::Mode::kOneWay}) {
        GuidedRun<2> run(s, with(mode));
        ASSERT_TRUE(run.until(0.5));
        const StateSummary r = guided::summary(run.state, run.params, run.world, run.context);
        EXPECT_GT(r.bubbles, 20);
        EXPECT_GT(r.air.foam + r.air.burst + r.air.pruned, 0);
        EXPECT_LE(std::abs(r.air.drift()), 1e-12);
        GuidedRun<2> again(s, with(mode), 4);
        ASSERT_TRUE(again.until(0.5));
        ASSERT_EQ(again.state.bubbles.size(), run.state.bubbles.size());
        for (std::size_t q = 0; q < run.state.bubbles.size(); ++q)
            ASSERT_EQ(again.state.bubbles.position[q], run.state.bubbles.position[q]);
    }
}

// What an emitter gives is a velocity against the liquid.
TEST(GuidedBubble, NewOnesMoveWithTheLiquid) {
    Scene s = over_bulk(2, 0.02, {2, 1, 0}, BulkKind::kAnalytic);
    s.bulk.velocity = {1.5, 0, 0};
    s.emitters = {seeded_ball({0.5, 0.5, 0}, 0.05, 0.001, 1e-4)};
    GuidedRun<2> run(s, with(guided::Mode::kGuided));
    const double dt = 1e-4;  // nothing has happened yet
    run.last = guided::step(run.state, run.params, run.world, {0, dt}, run.context);
    ASSERT_GT(run.state.bubbles.size(), 10u);
    for (const auto& v : run.state.bubbles.velocity) EXPECT_NEAR(v[0], 1.5, 1e-3);
}

}  // namespace
}  // namespace spume

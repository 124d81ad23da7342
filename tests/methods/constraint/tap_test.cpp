// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "run.h"

// A source gives what its velocity carries out of it, and what fills it when it opens: area of its
// front times speed times time.

namespace spume {
namespace {

constexpr double kSpeed = 0.5, kTime = 2;

/// A tank of 1 m, open above, with a source somewhere.
template <int D>
Scene with_tap(LiquidBody tap, double depth = 0) {
    Scene s = tank(D, D == 2 ? 1.0 / 32 : 1.0 / 20, {D == 2 ? 1.0 : 0.5, 1, 0.5});
    s.domain.top = Border::kOpen;
    s.physics.surface_tension = 0;
    if (depth > 0) s.liquids.push_back(liquid_box({-1, -1, -1}, {2, depth, 2}));
    s.liquids.push_back(std::move(tap));
    return s;
}

template <int D>
LiquidBody box_tap(const Vec<double, 3>& center, const Vec<double, 3>& size,
                   const Vec<double, 3>& velocity = {0, -kSpeed, 0}) {
    LiquidBody tap = liquid_box(center - size / 2.0, center + size / 2.0, LiquidMode::kSource);
    tap.velocity = velocity;
    return tap;
}

constexpr double kTolerance = 0.02;

/// Runs and compares with what was asked for: `flux` a second, and `seeded` at once.
template <int D>
void expect_given(const Scene& s, double flux, double seeded, const constraint::Params& p = {}) {
    ConstraintRun<D> run(s, p);
    ASSERT_TRUE(run.until(kTime));
    const auto now = constraint::summary(run.state, p, run.world, run.context);
    double filled = 0;
    for (const LiquidBody& l : s.liquids)
        if (l.mode == LiquidMode::kFill)
            filled = (l.shape.center[1] + l.shape.size[1] / 2) * (D == 2 ? 1.0 : 0.25);
    const double asked = flux * kTime + seeded;
    EXPECT_NEAR((run.state.volume - filled) / asked, 1, kTolerance);
    EXPECT_NEAR((run.state.target_volume - filled) / asked, 1, 0.01);
    EXPECT_LT(std::abs(now.liquid_drift), kTolerance);
}

/// The same of a source that is full from the start; all liquid is compared.
template <int D>
void expect_drift_below(const Scene& s, double flux, const constraint::Params& p) {
    ConstraintRun<D> run(s, p);
    const double before = run.state.volume;
    ASSERT_TRUE(run.until(kTime));
    EXPECT_NEAR(run.state.volume / (before + flux * kTime), 1, kTolerance);
    EXPECT_NEAR(run.state.target_volume / (before + flux * kTime), 1, 1e-3);
}

TEST(ConstraintTap, GivesItsVolumeInMidAir) {
    const auto flat = box_tap<2>({0.5, 0.75, 0}, {0.125, 0.0625, 2});
    expect_given<2>(with_tap<2>(flat), 0.125 * kSpeed, 0.125 * 0.0625);
    expect_given<2>(with_tap<2>(flat, 0.25), 0.125 * kSpeed, 0.125 * 0.0625);
}

TEST(ConstraintTap, GivesItsVolumeInMidAirOf3D) {
    const auto tap = box_tap<3>({0.25, 0.6, 0.25}, {0.2, 0.1, 0.2});
    expect_given<3>(with_tap<3>(tap), 0.04 * kSpeed, 0.004);
}

TEST(ConstraintTap, WithAnyTransfer) {
    const auto flat = box_tap<2>({0.5, 0.75, 0}, {0.125, 0.0625, 2});
    const auto tap = box_tap<3>({0.25, 0.5, 0.25}, {0.25, 0.125, 0.25});
    Scene coarse = with_tap<3>(tap, 0.1875);
    coarse.domain.voxel = 1.0 / 16;
    for (const Transfer transfer : {Transfer::kFlip, Transfer::kApic}) {
        constraint::Params p;
        p.transfer = transfer;
        expect_given<2>(with_tap<2>(flat, 0.25), 0.125 * kSpeed, 0.125 * 0.0625, p);
        expect_given<3>(coarse, 0.0625 * kSpeed, 0.0625 * 0.125, p);
    }
}

/// Nothing leads the volume back here: what a jet into a pool splashes, and so loses or gains by
/// its surface, is not the source's.
TEST(ConstraintTap, WithoutCorrection) {
    const auto flat = box_tap<2>({0.5, 0.125, 0}, {0.125, 0.0625, 2}, {0, kSpeed, 0});
    const auto tap = box_tap<3>({0.25, 0.125, 0.25}, {0.25, 0.125, 0.25}, {0, kSpeed / 2, 0});
    Scene coarse = with_tap<3>(tap, 0.3125);
    coarse.domain.voxel = 1.0 / 16;
    for (const Transfer transfer : {Transfer::kFlip, Transfer::kApic}) {
        constraint::Params p;
        p.transfer = transfer;
        p.liquid_correction = false;
        expect_drift_below<2>(with_tap<2>(flat, 0.25), 0.125 * kSpeed, p);
        expect_drift_below<3>(coarse, 0.0625 * kSpeed / 2, p);
    }
}

/// Particles for the liquid that was there and came, over those that are there, without correction.
template <int D>
double particles_given(const Scene& s, double volume, Transfer transfer) {
    constraint::Params p;
    p.transfer = transfer;
    p.liquid_correction = false;
    ConstraintRun<D> run(s, p);
    EXPECT_TRUE(run.until(kTime));
    return double(run.state.liquid.size()) * run.world.domain.cell_volume() / (1 << D) / volume;
}

/// In a pool that a jet stirs up no cells are filled that would keep it swollen.
TEST(ConstraintTap, WithoutCorrectionNoParticlesAreMade) {
    const auto flat = box_tap<2>({0.5, 0.75, 0}, {0.125, 0.0625, 2});
    const auto tap = box_tap<3>({0.25, 0.6875, 0.25}, {0.25, 0.125, 0.25});
    Scene coarse = with_tap<3>(tap, 0.25);
    coarse.domain.voxel = 1.0 / 16;
    for (const Transfer transfer : {Transfer::kFlip, Transfer::kApic}) {
        const double plane = 0.25 + 0.125 * (0.0625 + kSpeed * kTime);
        EXPECT_NEAR(particles_given<2>(with_tap<2>(flat, 0.25), plane, transfer), 1, kTolerance);
        const double space = 0.25 * 0.25 + 0.0625 * (0.125 + kSpeed * kTime);
        // Cells with four times their number lose some.
        EXPECT_NEAR(particles_given<3>(coarse, space, transfer), 1, 0.06);
    }
}

TEST(ConstraintTap, OnAWall) {
    const double h = 1.0 / 32;
    const auto side = box_tap<2>({h, 0.5, 0}, {2 * h, 0.125, 2}, {kSpeed, 0, 0});
    expect_given<2>(with_tap<2>(side, 0.25), 0.125 * kSpeed, 0.125 * 2 * h);
    const auto floor = box_tap<2>({0.5, h, 0}, {0.25, 2 * h, 2}, {0, kSpeed / 2, 0});
    expect_given<2>(with_tap<2>(floor, 0.25), 0.125 * kSpeed, 0);
}

TEST(ConstraintTap, UnderWater) {
    const auto flat = box_tap<2>({0.5, 0.25, 0}, {0.125, 0.0625, 2}, {kSpeed, 0, 0});
    expect_given<2>(with_tap<2>(flat, 0.5), 0.0625 * kSpeed, 0);
    const auto tap = box_tap<3>({0.25, 0.1875, 0.25}, {0.25, 0.125, 0.25}, {0, kSpeed, 0});
    Scene coarse = with_tap<3>(tap, 0.375);
    coarse.domain.voxel = 1.0 / 16;
    expect_given<3>(coarse, 0.0625 * kSpeed, 0);
}

TEST(ConstraintTap, OffTheLattice) {
    // A disc, whose cells are a staircase of other width; a pipe aslant.
    LiquidBody disc = liquid_ball({0.507, 0.713, 0}, 0.071, LiquidMode::kSource);
    disc.velocity = {0.2, -0.4, 0};
    expect_given<2>(with_tap<2>(disc, 0.25), 2 * 0.071 * std::hypot(0.2, 0.4),
                    3.14159265 * 0.071 * 0.071);
    const double turn = 30 * 3.14159265 / 180;
    LiquidBody pipe = box_tap<2>({0.41, 0.7, 0}, {0.11, 0.16, 2},
                                 {kSpeed * std::sin(turn), -kSpeed * std::cos(turn), 0});
    pipe.shape.rotation = {0, 0, 30};
    expect_given<2>(with_tap<2>(pipe, 0.25), 0.11 * kSpeed, 0.11 * 0.16);
}

TEST(ConstraintTap, OffTheLatticeIn3D) {
    LiquidBody ball = liquid_ball({0.263, 0.6, 0.262}, 0.093, LiquidMode::kSource);
    ball.velocity = {0, -kSpeed, 0};
    expect_given<3>(with_tap<3>(ball, 0.2), 3.14159265 * 0.093 * 0.093 * kSpeed,
                    4.18879 * std::pow(0.093, 3));
}

TEST(ConstraintTap, ThinnerThanAVoxel) {
    const double h = 1.0 / 32;
    const auto thin = box_tap<2>({0.5, 0.7, 0}, {0.0625, 0.4 * h, 2});
    expect_given<2>(with_tap<2>(thin, 0.25), 0.0625 * kSpeed, 0.0625 * 0.4 * h);
}

TEST(ConstraintTap, OverlappingSolids) {
    // A plate covers half of its front; a post stands in the other one's back.
    Scene s = with_tap<2>(box_tap<2>({0.5, 0.75, 0}, {0.25, 0.125, 2}), 0.25);
    s.solids = {solid_box({0.5, 0.625, -1}, {0.75, 0.71875, 1})};
    expect_given<2>(s, 0.125 * kSpeed, 0.25 * 0.125 - 0.125 * 0.03125);
    s.solids = {solid_box({0.4375, 0.75, -1}, {0.5625, 0.9, 1})};
    expect_given<2>(s, 0.25 * kSpeed, 0.25 * 0.125 - 0.125 * 0.0625);
}

TEST(ConstraintTap, SeveralThatOverlap) {
    Scene s = with_tap<2>(box_tap<2>({0.45, 0.75, 0}, {0.2, 0.125, 2}), 0.25);
    s.liquids.push_back(box_tap<2>({0.55, 0.75, 0}, {0.2, 0.125, 2}));
    expect_given<2>(s, 0.3 * kSpeed, 0.3 * 0.125);
}

TEST(ConstraintTap, ThatMoves) {
    // To and fro, and turning: what comes is what leaves the shape, however that goes.
    LiquidBody hose = box_tap<2>({0.4, 0.7, 0}, {0.125, 0.125, 2});
    hose.keys = {{0, {}, {}}, {1, {0.3, 0, 0}, {0, 0, 40}}, {2, {0, -0.1, 0}, {0, 0, -40}}};
    expect_given<2>(with_tap<2>(hose, 0.25), 0.125 * kSpeed, 0.125 * 0.125);
    hose.shape.center = {0.4, 0.3, 0};
    expect_given<2>(with_tap<2>(hose, 0.6), 0.125 * kSpeed, 0);
}

/// On a body that floats through space without weight and turns: the same volume, and each moment's
/// water where the body has the tap then.
TEST(ConstraintTap, OnAFreeBody) {
    Scene s = with_tap<2>(box_tap<2>({0.3, 0.45, 0}, {0.125, 0.0625, 2}, {0, kSpeed / 2, 0}));
    s.physics.gravity = {0, 0, 0};
    Solid raft = solid_box({0.25, 0.2, -1}, {0.35, 0.3, 1});
    raft.name = s.liquids[0].attach = "raft";
    raft.motion = Motion::kDynamic;
    raft.velocity = {0.25, 0, 0};
    raft.spin = {0, 0, -0.3};
    s.solids = {raft};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(1));
    EXPECT_NEAR(run.state.target_volume / (0.125 * kSpeed / 2 + 0.125 * 0.0625), 1, 0.01);
    EXPECT_NEAR(run.state.volume / run.state.target_volume, 1, kTolerance);
    const RigidState& body = run.state.rigid.at(0);
    const Vec<double, 3> tap =
        body.position + body.turn.rotation().apply(Vec<double, 3>{0, 0.2, 0});
    const auto flow = run.world.liquids.flow_at(
        1, s.voxel(), constraint::solids_at<2>(run.world, run.state.rigid, 1));
    EXPECT_LT(length(lifted(flow.sources.at(0).body.pose().position) - tap), 1e-9);
    EXPECT_GT(tap[0], 0.55);
    // The youngest particles are in it.
    int fresh = 0, inside = 0;
    for (std::size_t q = 0; q < run.state.liquid.size(); ++q) {
        if (run.state.liquid.id[q] + 20 < run.state.liquid.next_id) continue;
        ++fresh;
        inside += flow.sources[0].body.distance(run.state.liquid.position[q]) < 0.5 * s.voxel();
    }
    EXPECT_GT(fresh, 0);
    EXPECT_EQ(inside, fresh);
}

TEST(ConstraintTap, ItsVelocityTurnsWithIt) {
    LiquidBody hose = box_tap<2>({0.3, 0.3, 0}, {0.125, 0.125, 2}, {0, kSpeed, 0});
    hose.keys = {{0, {}, {}}, {0.1, {}, {0, 0, -90}}};
    Scene s = with_tap<2>(hose);
    s.physics.gravity = {0, 0, 0};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(0.6));
    double farthest = 0;
    for (const auto& x : run.state.liquid.position)
        if (std::abs(x[1] - 0.3) < 0.05) farthest = std::max(farthest, x[0]);
    EXPECT_NEAR(farthest, 0.3625 + 0.5 * kSpeed, 0.05);
}

TEST(ConstraintTap, ThatOpensAndCloses) {
    auto tap = box_tap<2>({0.5, 0.75, 0}, {0.125, 0.0625, 2});
    tap.start = 0.31;
    tap.stop = 1.31;
    expect_given<2>(with_tap<2>(tap, 0.25), 0.125 * kSpeed / 2, 0.125 * 0.0625);
}

/// Of a jet under water: what comes out in front is not drawn in behind.
TEST(ConstraintTap, UnderWaterIsNoPump) {
    const double h = 1.0 / 32;
    const auto tap = box_tap<2>({0.5, 0.25, 0}, {4 * h, 2 * h, 2}, {kSpeed, 0, 0});
    ConstraintRun<2> run(with_tap<2>(tap, 0.5), {});
    ASSERT_TRUE(run.until(0.2));
    TileCursor<2> cursor(*run.state.grid.tiles);
    for (const int j : {7, 8}) {
        EXPECT_NEAR(run.state.velocity.read(0)[cursor({18, j})], kSpeed, 0.05 * kSpeed);
        EXPECT_NEAR(run.state.velocity.read(0)[cursor({14, j})], 0, 0.05 * kSpeed);
    }
}

/// Where the water asked for finds no place the audit says so.
TEST(ConstraintTap, MissingWaterIsDrift) {
    Scene s = with_tap<2>(box_tap<2>({0.5, 0.5, 0}, {0.125, 0.125, 2}));
    s.domain.top = Border::kWall;
    s.liquids.insert(s.liquids.begin(), liquid_box({-1, -1, -1}, {2, 2, 1}));
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(1));
    const auto now = constraint::summary(run.state, run.params, run.world, run.context);
    EXPECT_NEAR(now.liquid_drift, 1 / (1 + 0.125 * kSpeed) - 1, 0.005);
}

}  // namespace
}  // namespace spume

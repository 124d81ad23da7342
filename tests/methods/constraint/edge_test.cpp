// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "run.h"
#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/methods/constraint/method.h"
#include "spume/run/session.h"

// Scenes that leave a method nothing to do, or no way to do it: no crash, no NaN, and a word about
// it where a user needs one.

namespace spume {
namespace {

Scene box_scene(int cells = 24) {
    Scene s = tank(2, 1.0 / cells, {1, 1, 1});
    s.physics.surface_tension = 0;
    return s;
}

template <int D>
void expect_finite(const ConstraintRun<D>& run) {
    EXPECT_FALSE(run.failed) << run.last.why;
    EXPECT_TRUE(std::isfinite(run.state.volume));
    for (int a = 0; a < D; ++a)
        for (const double v : run.state.velocity.component(a)) ASSERT_TRUE(std::isfinite(v));
    for (const double v : run.state.pressure.values()) ASSERT_TRUE(std::isfinite(v));
    for (const auto& x : run.state.liquid.position)
        for (int a = 0; a < D; ++a) ASSERT_TRUE(std::isfinite(x[a]));
    for (const AirBubble& b : run.state.air.bubbles)
        ASSERT_TRUE(std::isfinite(b.volume) && std::isfinite(b.rest) && std::isfinite(b.pressure));
}

bool mentions(const std::vector<std::string>& lines, const std::string& word) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.find(word) != std::string::npos;
    });
}

TEST(ConstraintEdges, NoLiquidAtAll) {
    for (const Border border : {Border::kWall, Border::kOpen}) {
        Scene s = box_scene();
        s.domain.sides = s.domain.bottom = s.domain.top = border;
        Solid ball;
        ball.shape.kind = ShapeKind::kSphere;
        ball.shape.center = {0.5, 0.5, 0};
        ball.shape.radius = 0.2;
        s.solids = {ball};
        ConstraintRun<2> run(s, {});
        ASSERT_TRUE(run.one_step(1.0 / 60));
        EXPECT_TRUE(mentions(run.last.warnings, "no liquid"));
        ASSERT_TRUE(run.until(0.1));
        expect_finite(run);
        EXPECT_EQ(run.state.volume, 0);
        const Frame frame = constraint::view(run.state, run.params, run.world, run.context);
        EXPECT_FALSE(frame.volumes.empty());
    }
}

TEST(ConstraintEdges, ClosedBoxFullOfLiquid) {
    Scene s = box_scene();
    s.liquids = {liquid_box({-1, -1, -1}, {2, 2, 1})};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(0.5));
    expect_finite(run);
    EXPECT_LT(run.last.max_speed, 1e-6);
    EXPECT_NEAR(run.state.volume, 1, 1e-6);
    EXPECT_TRUE(run.state.air.bubbles.empty());
    // Hydrostatic up to a constant: pure Neumann.
    TileCursor<2> cursor(*run.state.grid.tiles);
    const double* p = run.state.pressure.read();
    EXPECT_NEAR(p[cursor({5, 3})] - p[cursor({5, 13})], 9810 * 10.0 / 24, 1);
}

TEST(ConstraintEdges, AirThatTouchesNoLiquid) {
    // A sealed chamber beside the tank of water.
    Scene s = box_scene();
    s.liquids = {liquid_box({0, 0, -1}, {0.5, 0.4, 1})};
    s.solids = {solid_box({0.5, -0.1, -1}, {0.6, 1.1, 1})};
    for (const auto mode :
         {constraint::BubbleMode::kConstrained, constraint::BubbleMode::kCompressible}) {
        constraint::Params p;
        p.bubbles = mode;
        ConstraintRun<2> run(s, p);
        EXPECT_EQ(run.state.air.bubbles.size(), 2u);
        ASSERT_TRUE(run.until(0.3));
        expect_finite(run);
        EXPECT_EQ(run.state.air.bubbles.size(), 2u);
        const int dry = run.region_at({0.8, 0.5});
        ASSERT_GE(dry, 0);
        EXPECT_NEAR(run.state.air.bubbles[std::size_t(dry)].volume, 0.4, 0.01);
        EXPECT_EQ(run.state.air.bubbles[std::size_t(dry)].pressure, 0);
    }
}

/// In rows of `across`, each one and a half to two voxels in radius, where five and a third belong
/// to each.
void expect_tiny_bubbles_kept(std::uint64_t across) {
    Scene s = box_scene(static_cast<int>(across * 16 / 3));
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.9, 1})};
    const std::uint64_t count = across * (across * 8 / 9);
    const double apart = 1.0 / double(across);
    for (std::uint64_t i = 0; i < count; ++i) {
        const Random random(5, i, 0, Purpose::kTest);
        const double x = (double(i % across) + 0.4 + 0.2 * random.uniform(0)) * apart;
        const double y = (double(i / across) + 0.4 + 0.2 * random.uniform(1)) * apart;
        s.liquids.push_back(liquid_ball({x, y, 0}, (0.27 + 0.108 * random.uniform(2)) * apart,
                                        LiquidMode::kHollow));
    }
    for (const bool extras : {false, true}) {
        constraint::Params p;
        p.small_bubbles = p.air_particles = extras;
        ConstraintRun<2> run(s, p);
        ASSERT_GT(run.state.air.bubbles.size(), (extras ? 250u : 150u) * count / 288);
        for (int i = 0; i < 8; ++i) ASSERT_TRUE(run.one_step(run.state.time + 1.0 / 240));
        expect_finite(run);
        const auto sum = constraint::summary(run.state, p, run.world, run.context);
        // Every bit of air is somewhere: trapped, in small bubbles, burst or lost.
        double rest = 0;
        for (const AirBubble& b : run.state.air.bubbles) rest += b.outside ? 0 : b.rest;
        EXPECT_NEAR(run.state.air.born,
                    rest + sum.air.bubbles + run.state.air.burst + run.state.air.lost,
                    1e-6 * run.state.air.born);
        if (extras) {
            EXPECT_LT(run.state.air.lost, 1e-9);
        }
    }
}

TEST(ConstraintEdges, DozensOfTinyBubbles) { expect_tiny_bubbles_kept(9); }

TEST(DeepConstraintEdges, HundredsOfTinyBubbles) { expect_tiny_bubbles_kept(18); }

TEST(ConstraintEdges, BubbleThatMeetsTheOutsideBursts) {
    Scene s = box_scene(32);
    s.domain.top = Border::kOpen;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.6, 1}),
                 liquid_ball({0.5, 0.42, 0}, 0.12, LiquidMode::kHollow)};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(1.0));
    expect_finite(run);
    EXPECT_TRUE(std::any_of(run.events.begin(), run.events.end(),
                            [](const BubbleEvent& e) { return e.kind == BubbleEvent::kBurst; }));
    EXPECT_GT(run.state.air.burst, 0.5 * 3.14 * 0.0144);
}

TEST(ConstraintEdges, SolidsThatCrossWalls) {
    Scene s = box_scene();
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 1})};
    Solid sweeper = solid_box({-0.6, 0.1, -1}, {-0.2, 0.3, 1});
    sweeper.motion = Motion::kKeyed;
    sweeper.keys = {{0, {0, 0, 0}, {}}, {0.5, {0.6, 0, 0}, {}}, {1.0, {2.4, 0, 0}, {}}};
    Solid corner = solid_box({0.8, -0.3, -1}, {1.4, 0.2, 1});
    corner.shape.rotation = {0, 0, 30};
    s.solids = {sweeper, corner};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(1.0));
    expect_finite(run);
    for (const auto& x : run.state.liquid.position) {
        ASSERT_GE(x[0], 0);
        ASSERT_LE(x[0], 1);
    }
}

/// A block that moves about in a closed tank changes no volume, a piston does.
TEST(ConstraintEdges, OnlyASolidThatSqueezesIsWarnedOf) {
    for (const bool piston : {false, true}) {
        Scene s = tank(3, 1.0 / 24, {1, 1, 1});
        s.liquids = {liquid_box({0, 0, 0}, {1, 0.4, 1})};
        const double side = piston ? -0.1 : 0.3;
        Solid block = solid_box({side, 0.8, side}, {1 - side, 0.9, 1 - side});
        block.motion = Motion::kKeyed;
        block.keys = {{0, {0, 0, 0}}, {1, {0, -0.3, 0}}};
        s.solids = {block};
        ConstraintRun<3> run(s, {});
        std::vector<std::string> warnings;
        ASSERT_TRUE(run.until(0.2, [&] {
            warnings.insert(warnings.end(), run.last.warnings.begin(), run.last.warnings.end());
        }));
        EXPECT_EQ(warnings.empty(), !piston) << (warnings.empty() ? "" : warnings[0]);
    }
}

TEST(ConstraintEdges, ASolidThatCrushesAllLiquidIsStatusThree) {
    Scene s = box_scene();
    s.time.frames = 60;
    s.liquids = {liquid_box({-1, -1, -1}, {2, 2, 1})};
    Solid press = solid_box({-1, 0.9, -1}, {2, 3, 1});
    press.motion = Motion::kKeyed;
    press.keys = {{0, {0, 0, 0}, {}}, {1, {0, -1, 0}, {}}};
    s.solids = {press};
    Context context(1);
    const auto run = start_session(s, constraint::entry().defaults(), Inputs{}, context);
    try {
        for (int frame = 1; frame <= 60; ++frame) run->advance_frame(frame);
        FAIL() << "no answer exists";
    } catch (const SimulationError& error) {
        EXPECT_NE(std::string(error.what()).find("nowhere to go"), std::string::npos)
            << error.what();
    }
}

TEST(ConstraintEdges, SourcesInsideSolids) {
    Scene s = box_scene();
    s.domain.top = Border::kOpen;
    LiquidBody tap = liquid_box({0.4, 0.4, -1}, {0.6, 0.6, 1}, LiquidMode::kSource);
    tap.name = "tap";
    tap.velocity = {0, -1, 0};
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.2, 1}), tap};
    s.solids = {solid_box({0.3, 0.3, -1}, {0.7, 0.7, 1})};
    ConstraintRun<2> run(s, {});
    const double before = run.state.volume;
    ASSERT_TRUE(run.one_step(1.0 / 60));
    EXPECT_TRUE(mentions(run.last.warnings, "tap"));
    ASSERT_TRUE(run.until(0.3));
    expect_finite(run);
    EXPECT_NEAR(run.state.volume, before, 0.01 * before);
    EXPECT_NEAR(run.state.target_volume, before, 0.01 * before);
}

TEST(ConstraintEdges, FreeBodiesThatStartInWallsOrLeaveTheBox) {
    Scene s = box_scene();
    s.domain.top = Border::kOpen;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.3, 1})};
    Solid a = solid_box({-0.1, 0.2, -1}, {0.1, 0.35, 1});
    a.motion = Motion::kDynamic;
    Solid thrown = solid_box({0.5, 0.7, -1}, {0.6, 0.8, 1});
    thrown.motion = Motion::kDynamic;
    thrown.velocity = {0, 6, 0};
    thrown.spin = {0, 0, 9};
    s.solids = {a, thrown};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(0.3));
    expect_finite(run);
    EXPECT_GT(run.state.rigid[0].position[0], 0.09);
    EXPECT_NEAR(run.state.rigid[1].position[1], 0.75 + 6 * 0.3 - 9.81 * 0.045, 0.1);
}

TEST(ConstraintEdges, DropsFarApartInAHugeBoxCostWhatTheyHold) {
    // 4·10¹² cells, of which a few hundred hold anything.
    Scene s = tank(2, 0.1, {200000, 200000, 1});
    s.domain.sides = s.domain.top = Border::kOpen;
    s.physics.surface_tension = 0;
    s.liquids = {liquid_ball({10, 10, 0}, 0.5), liquid_ball({199990, 199980, 0}, 0.5),
                 liquid_ball({10.3, 10, 0}, 0.5)};
    ConstraintRun<2> run(s, {});
    const double lens = 2 * (0.25 * std::acos(0.3) - 0.15 * std::sqrt(0.25 - 0.0225));
    EXPECT_NEAR(run.state.volume, 3 * 3.14159265 * 0.25 - lens, 0.02);
    EXPECT_TRUE(run.until(0.05));
}

}  // namespace
}  // namespace spume

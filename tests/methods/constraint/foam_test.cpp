// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "kept_state.h"
#include "run.h"

namespace spume {
namespace {

Emitter cloud(const Vec<double, 3>& at, double radius, double fraction, double bubble) {
    Emitter e;
    e.mode = EmitMode::kSeed;
    e.shape.kind = ShapeKind::kSphere;
    e.shape.center = at;
    e.shape.radius = radius;
    e.fraction = fraction;
    e.radius = bubble;
    return e;
}

/// A cloud that comes up within half a second in a tank that is not full.
template <int D>
Scene rising() {
    const double h = D == 2 ? 0.01 : 0.02;
    Scene s = tank(D, h, {0.32, 0.32, D == 2 ? h : 0.16});
    s.domain.top = Border::kOpen;
    s.liquids = {liquid_box({-1, -1, -1}, {1, 0.2, 1})};
    s.whitewater.on = true;
    s.emitters = {cloud({0.16, 0.13, 0.08}, 0.04, D == 2 ? 0.1 : 0.05, D == 2 ? 2e-3 : 1.5e-3)};
    s.foam.life_mean = 0.3;
    s.foam.life_variance = 0.01;
    return s;
}

template <int D>
void expect_air_kept() {
    ConstraintRun<D> run(rising<D>(), {});
    std::size_t most = 0;
    double highest = 0, lowest = 1, next = 0;
    ASSERT_TRUE(run.until(1.0, [&] {
        most = std::max(most, run.state.foam.size());
        for (const Point<D>& x : run.state.foam.position)
            highest = std::max(highest, x[1]), lowest = std::min(lowest, x[1]);
        if (run.state.time < next) return;
        next += 0.1;
        const auto sum = constraint::summary(run.state, run.params, run.world, run.context);
        EXPECT_LT(std::abs(sum.air.drift()), 1e-12) << run.state.time;
        EXPECT_EQ(std::size_t(sum.foam), run.state.foam.size());
        std::set<std::uint64_t> names;
        for (std::uint64_t id : run.state.small.id) EXPECT_TRUE(names.insert(id).second);
        for (std::uint64_t id : run.state.foam.id) EXPECT_TRUE(names.insert(id).second);
        for (std::uint64_t id : names) EXPECT_LT(id, run.state.small.next_id);
    })) << run.last.why;
    EXPECT_GT(most, 20u);
    EXPECT_GT(run.state.air.burst + run.state.pruned, 0.5 * run.state.emitted);
    EXPECT_EQ(run.state.left, 0);
    // On the surface, which the cloud has lifted by less than a few voxels.
    EXPECT_GT(lowest, 0.18);
    EXPECT_LT(highest, 0.26);
}

TEST(ConstraintFoam, AirIsKeptFromEmissionToBursting) {
    expect_air_kept<2>();
    expect_air_kept<3>();
}

// What comes up under a trapped pocket joins its air: there is no foam.
TEST(ConstraintFoam, TrappedAirHasNone) {
    const double h = 0.02;
    Scene s = tank(2, h, {0.64, 0.64, h});
    s.domain.top = Border::kOpen;
    s.liquids = {liquid_box({-1, -1, -1}, {1, 0.5, 1})};
    // A cap, closed above and at its sides, with air under it.
    s.solids = {solid_box({0.16, 0.36, -1}, {0.48, 0.42, 1}),
                solid_box({0.16, 0.2, -1}, {0.22, 0.4, 1}),
                solid_box({0.42, 0.2, -1}, {0.48, 0.4, 1})};
    s.liquids.push_back(liquid_box({0.22, 0.28, -1}, {0.42, 0.36, 1}, LiquidMode::kHollow));
    s.whitewater.on = true;
    s.foam.life = FoamLife::kForever;
    s.emitters = {cloud({0.32, 0.2, 0}, 0.04, 0.1, 2e-3)};
    ConstraintRun<2> run(s, {});
    double rest = 0;
    for (const AirBubble& b : run.state.air.bubbles) rest += b.outside ? 0 : b.rest;
    ASSERT_GT(rest, 0.01);
    std::size_t foam = 0;
    ASSERT_TRUE(run.until(0.8, [&] { foam = std::max(foam, run.state.foam.size()); }))
        << run.last.why;
    double now = 0;
    for (const AirBubble& b : run.state.air.bubbles) now += b.outside ? 0 : b.rest;
    EXPECT_EQ(foam, 0u);
    EXPECT_GT(now - rest, 0.5 * run.state.emitted);
}

// In a tank that is shut the air of foam is with that above it: with their rest volumes nothing is
// lost or made, from emission to bursting.
TEST(ConstraintFoam, AirIsKeptInATankThatIsShut) {
    Scene s = rising<2>();
    s.domain.top = Border::kWall;
    ConstraintRun<2> run(s, {});
    std::size_t most = 0;
    ASSERT_TRUE(run.until(1.0, [&] {
        most = std::max(most, run.state.foam.size());
        const auto sum = constraint::summary(run.state, run.params, run.world, run.context);
        double rest = 0;
        for (const AirBubble& b : run.state.air.bubbles) rest += b.rest;
        EXPECT_NEAR(rest + sum.air.bubbles + sum.air.lost, sum.air.emitted,
                    1e-12 * sum.air.emitted);
    })) << run.last.why;
    EXPECT_GT(most, 20u);
    EXPECT_EQ(run.state.air.burst, 0);
}

TEST(ConstraintFoam, ThreadsAndAResumeChangeNoBit) {
    Scene s = rising<3>();
    FoamPatch patch;
    patch.shape.kind = ShapeKind::kBox;
    patch.shape.center = {0.16, 0.2, 0.08};
    patch.shape.size = {0.1, 0.1, 0.1};
    patch.radius_min = patch.radius_max = 2e-3;
    patch.rate = 0.5;
    s.foam.patches = {patch};
    const auto kept_of = [](ConstraintRun<3>& run) {
        KeptState kept;
        constraint::describe(run.state, run.world, kept);
        return kept;
    };
    ConstraintRun<3> one(s, {}, 1), two(s, {}, 2), late(s, {}, 1);
    ASSERT_TRUE(one.until(0.2, [] {}));
    KeptState kept = kept_of(one);
    ASSERT_TRUE(one.until(0.3, [] {}));
    ASSERT_TRUE(two.until(0.2, [] {}));
    ASSERT_TRUE(two.until(0.3, [] {}));
    ASSERT_GT(one.state.foam.size(), 50u);
    EXPECT_EQ(differences(kept_of(one), kept_of(two)), "");
    kept.restores = true;
    constraint::describe(late.state, late.world, kept);
    ASSERT_TRUE(late.until(0.3, [] {}));
    EXPECT_EQ(differences(kept_of(one), kept_of(late)), "");
}

}  // namespace
}  // namespace spume

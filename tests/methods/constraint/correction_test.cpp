// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "run.h"

namespace spume {
namespace {

/// Bubbles that rise and break in a tank with this lid.
Scene rising(Border top) {
    Scene s = tank(2, 1.0 / 48, {1, 1.5, 1});
    s.physics.surface_tension = 0;
    s.domain.top = top;
    s.liquids = {liquid_box({0, 0, -1}, {1, 1.2, 1}),
                 liquid_ball({0.5, 0.3, 0}, 0.2, LiquidMode::kHollow),
                 liquid_ball({0.25, 0.7, 0}, 0.08, LiquidMode::kHollow)};
    return s;
}

/// [GB17] Eq. 3, B u = 0, but for the wanted growth, over a whole run.
TEST(ConstraintCorrection, EveryRegionsFluxIsItsGrowthInEverySubstep) {
    for (const Border top : {Border::kWall, Border::kOpen}) {
        ConstraintRun<2> run(rising(top), {});
        double most = 0;
        ASSERT_TRUE(run.until(0.7, [&] {
            // Against the flow through a surface as wide as the larger bubble.
            most = std::max(most, run.last.max_region_error / (0.4 * run.last.max_speed));
        }));
        std::size_t splits = 0;
        for (const BubbleEvent& event : run.events)
            if (event.kind == BubbleEvent::kSplit) ++splits;
        RecordProperty("most", std::to_string(1e12 * most) + "e-12");
        EXPECT_GT(splits, 0u) << "they break";
        EXPECT_LT(most, 1e-10);
    }
}

struct Kept {
    double each = 0, all = 0, rests = 0, drift = 0;
};
Kept kept(constraint::VolumeCorrection how) {
    constraint::Params p;
    p.bubble_correction = how;
    ConstraintRun<2> run(rising(Border::kOpen), p);
    Kept k;
    EXPECT_TRUE(run.until(0.4, [&] {
        double wrong = 0, rest = 0, volume = 0;
        for (const AirBubble& b : run.state.air.bubbles) {
            if (b.outside) continue;
            wrong += std::abs(b.volume - b.rest), rest += b.rest, volume += b.volume;
        }
        k.each = std::max(k.each, wrong / rest);
        k.all = std::max(k.all, std::abs(volume / rest - 1));
        const auto& air = run.state.air;
        k.rests = std::max(k.rests, std::abs((rest + air.lost + air.burst) / air.born - 1));
        const auto sum = constraint::summary(run.state, p, run.world, run.context);
        k.drift = std::max(k.drift, std::abs(sum.air.drift()));
    }));
    return k;
}

TEST(ConstraintCorrection, OffKeepsTheAuditAndGlobalTheSum) {
    const Kept own = kept(constraint::VolumeCorrection::kPerBubble);
    const Kept global = kept(constraint::VolumeCorrection::kGlobal);
    const Kept off = kept(constraint::VolumeCorrection::kOff);
    for (const Kept& k : {own, global, off}) EXPECT_LT(k.rests, 1e-9) << "rest volumes are kept";
    EXPECT_LT(own.each, 0.005);
    EXPECT_LT(global.all, 0.005);
    EXPECT_GT(global.each, 2 * own.each) << "each may have another's air";
    EXPECT_GT(off.all, 0.01);
    EXPECT_GT(off.drift, 0.01) << "and the audit says so";
    EXPECT_LT(global.drift, 0.005);
}

/// Liquid that is told to have more than there is, in a box with one hole in its lid: what is
/// asked for may not set the pace there, or ever shorter substeps make it ever faster.
TEST(ConstraintCorrection, AsksForNoMoreThanAHoleLetsThrough) {
    const double h = 1.0 / 32;
    Scene s = tank(2, h, {1, 1.25, 1});
    s.domain.top = Border::kOpen;
    s.physics.surface_tension = 0;
    s.solids = {solid_box({-1, 1, -1}, {0.5 - 1.5 * h, 1 + 2 * h, 1}),
                solid_box({0.5 + 1.5 * h, 1, -1}, {2, 1 + 2 * h, 1})};
    s.liquids = {liquid_box({0, 0, -1}, {1, 1 + h, 1})};
    ConstraintRun<2> run(s, {});
    run.state.target_volume *= 1.1;
    double fastest = 0;
    ASSERT_TRUE(run.until(0.25, [&] { fastest = std::max(fastest, run.last.max_speed); }));
    RecordProperty("fastest", std::to_string(fastest));
    EXPECT_LT(fastest, 3);
    EXPECT_LT(run.steps, 100);
}

}  // namespace
}  // namespace spume

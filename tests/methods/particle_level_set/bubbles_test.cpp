// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "pls_run.h"
#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

using particle_level_set::Params;

Params with_bubbles() {
    Params p;
    p.live_bubbles = true;
    p.bubbles.life = p.bubbles.wall_life = 0.4;
    p.bubbles.rise_radius = p.bubbles.clip_radius = 0.01;
    auto& m = p.bubbles.markers;
    m.small_mean = 0.01, m.small_deviation = 0.003, m.large_mean = 0.015, m.large_deviation = 0.005;
    m.radius_min = 0.006, m.radius_max = 0.03;
    return p;
}

/// All air of a pocket becomes bubbles within the substep that fills it; they rise and burst.
template <int D>
void expect_pocket_rises() {
    Scene s = pls_box(D, 1.0 / 20, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.liquids = {pls_water({0, 0, 0}, {1, 0.5, 1}),
                 pls_ball({0.5, 0.3, D == 3 ? 0.5 : 0.0}, 0.12, LiquidMode::kHollow)};
    PlsRun<D> run(s, with_bubbles());
    ASSERT_TRUE(run.one_step(0.005));
    const auto& live = run.state.live;
    ASSERT_EQ(run.state.pockets, 1);
    EXPECT_NEAR((live.emitted + live.carried) / run.state.pocket_air, 1, 1e-6) << D;
    ASSERT_GT(live.set.size(), 3u);
    const auto height = [&] {
        double sum = 0;
        for (const Point<D>& x : live.set.position) sum += x[1] / double(live.set.size());
        return sum;
    };
    const double begin = height();
    EXPECT_NEAR(begin, 0.3, 0.03) << D;
    ASSERT_TRUE(run.until(0.3));
    EXPECT_GT(height(), begin + 0.04) << D;
    for (const Point<D>& x : live.set.position) {
        EXPECT_LT(x[1], 0.6) << D;  // the surface is at 0.5 and a little
        EXPECT_GT(x[1], 0.1) << D;
    }
    ASSERT_TRUE(run.until(D == 2 ? 1.5 : 1));
    const StateSummary end =
        particle_level_set::summary(run.state, run.params, run.world, run.context);
    EXPECT_GT(end.air.burst, 0) << D;
    EXPECT_LT(std::abs(end.air.drift()), 1e-12) << D;
    EXPECT_EQ(std::size_t(end.bubbles + end.foam), live.set.size());
}

TEST(ParticleLevelSetBubbles, APocketsAirRisesAndBursts) {
    expect_pocket_rises<2>();
    expect_pocket_rises<3>();
}

TEST(ParticleLevelSetBubbles, DoNotMoveTheLiquid) {
    Scene s = pls_box(2, 1.0 / 30, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.liquids = {pls_water({0, 0, 0}, {1, 0.25, 1}), pls_water({0.38, 0.4, 0}, {0.62, 0.8, 1})};
    PlsRun<2> with(s, with_bubbles()), without(s, {});
    for (PlsRun<2>* run : {&with, &without})
        while (run->state.time < 0.4 * (1 - 1e-12))  // the same substeps for both
            ASSERT_TRUE(run->one_step(std::min(run->state.time + 1.0 / 240, 0.4)));
    ASSERT_GT(with.state.live.set.size() + std::size_t(with.state.live.popped), 5u);
    ASSERT_EQ(with.state.surface.phi.values.size(), without.state.surface.phi.values.size());
    for (std::size_t i = 0; i < with.state.surface.phi.values.size(); ++i)
        ASSERT_EQ(with.state.surface.phi.values[i], without.state.surface.phi.values[i]) << i;
}

// Markers escape with the radius that they had when the frame began: on their way across the
// surface all are taken to the least, which would leave those of a film without company.
TEST(ParticleLevelSetBubbles, MarkersOfAFilmKeepTheirRadii) {
    Scene s = pls_box(2, 1.0 / 60, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.liquids = {pls_water({0, 0, 0}, {1, 0.25, 1}), pls_water({0.38, 0.4, 0}, {0.62, 0.8, 1})};
    PlsRun<2> run(s, {});
    long all = 0, larger = 0;
    for (int frame = 1; frame <= 24; ++frame) {
        ASSERT_TRUE(run.until(frame / 60.0));
        for (std::size_t q = 0; q < run.state.escaped.size(); ++q) {
            if (run.state.escaped.type[q] < 0 || run.state.escaped.pocket[q] != 0) continue;
            ++all;
            larger += run.state.escaped.radius[q] * 60 > 0.12f;
        }
    }
    std::printf("film: %ld markers of air, %ld with more than the least radius\n", all, larger);
    EXPECT_GT(all, 500);
    EXPECT_GT(larger, all / 4);
}

}  // namespace
}  // namespace spume

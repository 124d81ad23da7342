// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/volume.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "box.h"
#include "run.h"
#include "spume/methods/constraint/density_correction.h"
#include "spume/surface/fraction.h"
#include "spume/surface/offset.h"

namespace spume {
namespace {

template <int D>
std::vector<RegionMeasure> sizes_of(BubbleBox<D>& box) {
    return measured<D>(box.regions, box.phi, liquid_fractions<D>(box.phi, box.context),
                       open_fractions(box.open, box.context), box.context);
}

/// A pool 0.7 deep with a bubble of radius 0.2 in it, in a closed box of one.
template <int D>
void expect_areas_and_volumes(double area_of_bubble, double volume_of_bubble) {
    const int cells = D == 2 ? 64 : 40;
    BubbleBox<D> box({}, Index<D>::filled(cells), 1.0 / cells);
    box.settle([](const Point<D>& x) {
        return std::max(x[1] - 0.7, 0.2 - length(x - Point<D>::filled(0.37)));
    });
    ASSERT_EQ(box.regions.regions.size(), 2u);
    const double h = box.tiles->voxel();
    const auto room = open_fractions(box.open, box.context);
    const auto nearest = nearest_regions<D>(box.regions, box.phi, box.open.area, box.context);
    const auto area = surface_areas<D>(box.phi, nearest, room, 2, box.context);
    // Regions are numbered along the tiles: the bubble comes first.
    EXPECT_NEAR(area[0], area_of_bubble, 0.03 * area_of_bubble);
    EXPECT_NEAR(area[1], 1, 1e-6);
    const auto before = sizes_of(box);
    EXPECT_NEAR(before[0].volume, volume_of_bubble, 0.01 * volume_of_bubble);
    const double way[] = {0.15 * h, -0.1 * h};
    widen<D>(box.phi, nearest, way, box.context);
    const auto after = sizes_of(box);
    // Each grows by its own way, and the other does not notice. Fractions are good to 1e-3.
    const double grown = volume_of_bubble * (std::pow(1 + way[0] / 0.2, D) - 1);
    EXPECT_NEAR(after[0].volume - before[0].volume, grown, 0.03 * grown);
    EXPECT_NEAR(after[1].volume - before[1].volume, way[1], 1e-3 * std::abs(way[1]));
}

TEST(SurfaceOffset, AreasAndVolumesOfABubbleInAPool) {
    const double pi = std::numbers::pi;
    expect_areas_and_volumes<2>(2 * pi * 0.2, pi * 0.04);
    expect_areas_and_volumes<3>(4 * pi * 0.04, 4 * pi / 3 * 0.008);
}

/// A bubble of 8 cells of which the air above takes 4. That air is mostly in tiles that are not
/// stored: these have nothing to do with the bubble.
TEST(BubbleTracker, FarTilesTakeNoShareOfABubble) {
    Context context(1);
    const auto tiles = Tiles<2>::build({Index<2>{0, 0}}, {1.0, {}});
    const auto labels = [&](int bubble_rows) {
        AirRegions<2> r;
        r.label = CellField<std::int32_t, 2>(tiles, -1);
        std::int32_t* label = r.label.write();
        for (int o = 0; o < kTileCells<2>; ++o) {
            const Index<2> cell = tile_local<2>(o);
            if (cell[1] >= kTileSide<2> - 1) label[o] = 1;
            if (cell[0] < 4 && cell[1] < 2) label[o] = cell[1] < bubble_rows ? 0 : 1;
        }
        r.regions = {{0, false, 0}, {0, false, 1000}};
        r.compartments = 1;
        return r;
    };
    FaceField<double, 2> still(tiles);
    BubbleTracker<2> air;
    std::vector<BubbleEvent> events;
    const double above = kTileSide<2> + 1000;
    track<2>(air, labels(2), {{8, {}}, {above, {}}}, still, {}, {0, 1}, events, context);
    track<2>(air, labels(1), {{4, {}}, {above + 4, {}}}, still, {}, {1, 2}, events, context);
    EXPECT_NEAR(air.bubbles[0].rest, 4, 1e-12);
    EXPECT_NEAR(air.bubbles[1].rest, above + 4, 1e-12);
}

/// Air that was outside is cut off, parts in two, and one part meets the outside again.
TEST(BubbleTracker, BirthSplitAndBurstAreReported) {
    Context context(1);
    const auto tiles = Tiles<2>::build({Index<2>{0, 0}}, {1.0, {}});
    /// Columns of 4 × 8 cells, each with the number of its region.
    const auto columns = [&](const std::vector<int>& region, int outside) {
        AirRegions<2> r;
        r.label = CellField<std::int32_t, 2>(tiles, -1);
        std::int32_t* label = r.label.write();
        for (int o = 0; o < kTileCells<2>; ++o)
            if (const Index<2> cell = tile_local<2>(o); cell[1] < 8)
                label[o] = region[std::size_t(cell[0] / 4)];
        for (int k = 0; k <= *std::max_element(region.begin(), region.end()); ++k)
            r.regions.push_back({0, k == outside, 0});
        r.compartments = 1;
        return r;
    };
    const FaceField<double, 2> still(tiles);
    BubbleTracker<2> air;
    const auto told = [&](const AirRegions<2>& regions, double time) {
        std::vector<RegionMeasure> sizes(regions.regions.size());
        for (int o = 0; o < kTileCells<2>; ++o)
            if (const int k = regions.label.at(0, o); k >= 0) ++sizes[std::size_t(k)].volume;
        std::vector<BubbleEvent> events;
        track<2>(air, regions, sizes, still, {}, {time - 1, time}, events, context);
        return events;
    };
    const auto expect_only = [](const std::vector<BubbleEvent>& events, const BubbleEvent& e) {
        ASSERT_EQ(events.size(), 1u);
        EXPECT_EQ(events[0].kind, e.kind);
        EXPECT_EQ(events[0].time, e.time);
        EXPECT_EQ(events[0].id, e.id);
        EXPECT_EQ(events[0].other, e.other);
        EXPECT_EQ(events[0].volume, e.volume);
    };
    EXPECT_TRUE(told(columns({0, 0, 0, 0}, 0), 1).empty());
    expect_only(told(columns({0, 1, 1, 1}, 0), 2), {BubbleEvent::kBirth, 2, 1, 0, 96});
    expect_only(told(columns({0, 1, 1, 2}, 0), 3), {BubbleEvent::kSplit, 3, 2, 1, 32});
    expect_only(told(columns({0, 0, 0, 1}, 0), 4), {BubbleEvent::kBurst, 4, 1, 0, 64});
    EXPECT_NEAR(air.burst, 64, 1e-9);
}

/// A column falls, splashes up the far wall and comes back.
template <int D>
Scene splash(int cells) {
    Scene s = tank(D, 1.0 / cells, {1, 0.75, 0.25});
    s.liquids = {liquid_box({0, 0, -1}, {0.3, 0.5, 1})};
    return s;
}

template <int D>
void expect_liquid_kept(int cells, double seconds) {
    ConstraintRun<D> run(splash<D>(cells), {});
    double most = 0;
    ASSERT_TRUE(run.until(seconds, [&] {
        most = std::max(most, std::abs(run.state.volume / run.state.target_volume - 1));
    }));
    ::testing::Test::RecordProperty("most", std::to_string(most));
    EXPECT_LT(most, 0.005);
}

TEST(ConstraintVolume, DamBreakKeepsItsLiquidInEverySubstep2D) { expect_liquid_kept<2>(64, 1.5); }
TEST(ConstraintVolume, DamBreakKeepsItsLiquidInEverySubstep3D) { expect_liquid_kept<3>(28, 1); }

/// Whatever splits off or is lost takes its share along: each region against its own rest volume.
TEST(ConstraintVolume, RisingBubbleKeepsItsAirInEverySubstep) {
    Scene s = tank(2, 1.0 / 48, {1, 1.5, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {1, 1.2, 1}),
                 liquid_ball({0.5, 0.3, 0}, 0.15, LiquidMode::kHollow)};
    ConstraintRun<2> run(s, {});
    double most = 0;
    ASSERT_TRUE(run.until(0.5, [&] {
        double wrong = 0, rest = 0;
        for (const AirBubble& b : run.state.air.bubbles)
            wrong += std::abs(b.volume - b.rest), rest += b.rest;
        most = std::max(most, wrong / rest);
    }));
    RecordProperty("most", std::to_string(most));
    EXPECT_LT(most, 0.005);
}

/// Nothing is wrong with the volumes at rest, and so the surface must not move by a bit.
TEST(ConstraintVolume, SurfaceAtRestIsLeftAlone) {
    Scene s = tank(2, 1.0 / 32, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 1})};
    ConstraintRun<2> run(s, {});
    for (int n = 0; n < 20; ++n) ASSERT_TRUE(run.one_step(run.state.time + 1.0 / 60));
    auto& state = run.state;
    const auto solids = constraint::solids_at<2>(run.world, state.rigid, state.time);
    const Interval time{state.time, state.time + 1.0 / 60};
    const FaceField<double, 2> carrier = state.velocity;
    auto geometry = constraint::rebuild_geometry(state, run.params, run.world, solids, carrier,
                                                 time.end, run.context);
    const LevelSet<2> laid = state.phi;
    constraint::keep_volumes(state, geometry, run.params, run.world, solids, carrier, time,
                             run.context);
    for (std::size_t i = 0; i < laid.values().size(); ++i)
        ASSERT_EQ(state.phi.values()[i], laid.values()[i]);
}

/// A surface that encloses too much or too little: it comes back, by a way that is limited.
TEST(ConstraintVolume, AWrongSurfaceIsMovedBack) {
    for (const double error : {0.004, -0.004, 0.1}) {
        Scene s = tank(2, 1.0 / 32, {1, 1, 1});
        s.physics.surface_tension = 0;
        s.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 1})};
        ConstraintRun<2> run(s, {});
        auto& state = run.state;
        const double laid = state.volume;
        state.target_volume = laid * (1 + error);
        const auto solids = constraint::solids_at<2>(run.world, state.rigid, 0);
        auto geometry = constraint::rebuild_geometry(state, run.params, run.world, solids,
                                                     state.velocity, 0, run.context);
        constraint::keep_volumes(state, geometry, run.params, run.world, solids, state.velocity,
                                 {0, 0}, run.context);
        const double limited = std::min(error * laid, constraint::kMostOffset / 32);
        EXPECT_NEAR(state.volume - laid, limited, 1e-5);
        // The particles know: they crowd by as much as is missing, and their surface is as it was.
        const auto density_error = constraint::density_error_in(
            geometry, state, run.world, constraint::BubblesOnGrid<2>{}, run.context);
        double sum = 0;
        for (const float e : density_error.values()) sum += double(e);
        EXPECT_NEAR(sum / (32 * 32), error * laid, 1e-5);
    }
}

}  // namespace
}  // namespace spume

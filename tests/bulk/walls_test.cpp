// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "bulk/flow_frames.h"
#include "spume/physics/bulk/bulk_frame.h"
#include "spume/physics/domain/solid_set.h"

namespace spume {
namespace {

using test::FlowFrames;

/// Water at rest in a box of 32 voxels of 1 cm, 0.203 m deep.
template <int D>
std::shared_ptr<FlowFrames<D>> tank(double level = 0.203) {
    auto frames = std::make_shared<FlowFrames<D>>(32, 0.01, 24, 2);
    frames->phi = [=](const Point<D>& x, double) { return x[1] - level; };
    frames->velocity = [](const Point<D>&, double) { return Vec<double, D>{}; };
    frames->close_all();
    return frames;
}

template <int D>
BulkFields<D> at_rest(const std::shared_ptr<FlowFrames<D>>& frames, const Scene& scene,
                      int beyond) {
    Context context(2);
    const Box<int, D> cells{Index<D>::filled(-beyond), Index<D>::filled(32 + beyond)};
    const auto tiles = Tiles<D>::dense(cells, Transform<D>{0.01, {}});
    return bulk_of<D>(scene, {{}, frames})->on(tiles, 1.5 / 24, context);
}

/// The largest difference from the distance to a level surface, in voxels, where `counts`.
template <int D, class Counts>
double unevenness(const BulkFields<D>& f, double level, int beyond, Counts&& counts) {
    const double band = kBulkBand * 0.01;
    const Box<int, D> cells{Index<D>::filled(-beyond), Index<D>::filled(32 + beyond)};
    double worst = 0;
    for (int t = 0; t < f.phi.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Point<D> x = f.phi.position(t, o);
            if (!cells.contains(f.phi.tiles()->origin(t) + tile_local<D>(o)) || !counts(x))
                continue;
            const double exact = std::clamp(x[1] - level, -band, band);
            worst = std::max(worst, std::abs(f.phi.at(t, o) - exact) / 0.01);
        }
    return worst;
}

template <int D>
void expect_level_through_walls() {
    // Levels anywhere between cell centres; also under the floor and beyond the sides.
    for (const double level : {0.203, 0.2, 0.1951, 0.1987}) {
        const auto frames = tank<D>(level);
        const auto f = at_rest<D>(frames, test::scene_over(*frames), 4);
        EXPECT_LT((unevenness<D>(f, level, 4, [](const Point<D>& x) { return x[1] > 0; })), 0.02)
            << level;
        // Below the floor it is as on the floor: deep.
        EXPECT_LT((unevenness<D>(f, level, 4, [](const Point<D>&) { return true; })), 0.02)
            << level;
    }
}

TEST(ContinuedSurface, WaterAtRestHasNoSurfaceAlongWalls) {
    expect_level_through_walls<2>();
    expect_level_through_walls<3>();
}

TEST(ContinuedSurface, ShallowWaterGoesOnUnderTheFloor) {
    // A layer of 2.3 voxels: nowhere farther than the band from the floor.
    const auto frames = tank<2>(0.023);
    const auto f = at_rest<2>(frames, test::scene_over(*frames), 6);
    for (int t = 0; t < f.phi.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const Point<2> x = f.phi.position(t, o);
            if (x[1] > -0.05 && std::abs(x[1] - 0.023) > 1e-3) {
                EXPECT_EQ(f.phi.at(t, o) < 0, x[1] < 0.023) << x[0] << " " << x[1];
            }
        }
}

TEST(ContinuedSurface, SidesThatAreOpenEndTheLiquid) {
    const auto frames = tank<2>();
    Scene s = test::scene_over(*frames);
    s.bulk.sides = BulkSide::kOpen;
    const auto f = at_rest<2>(frames, s, 4);
    double outside = 1, beside = -1;
    for (int t = 0; t < f.phi.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const Point<2> x = f.phi.position(t, o);
            if (std::abs(x[1] - 0.105) > 1e-6) continue;
            if (std::abs(x[0] + 0.005) < 1e-6) outside = f.phi.at(t, o);
            if (std::abs(x[0] - 0.005) < 1e-6) beside = f.phi.at(t, o);
        }
    EXPECT_GT(outside, 0);
    EXPECT_NEAR(beside, -0.005, 1e-6);
}

template <int D>
void expect_level_through_solids() {
    for (const bool round : {false, true}) {
        Solid solid;
        solid.shape.kind = round ? ShapeKind::kSphere : ShapeKind::kBox;
        solid.shape.center = {0.16, 0.14, 0.16};
        solid.shape.size = {0.083, 0.19, 0.09};  // reaches out of the water
        solid.shape.radius = 0.09;
        solid.shape.rotation = {0, 0, round ? 0.0 : 17.0};
        const auto frames = tank<D>();
        Scene s = test::scene_over(*frames);
        s.solids = {solid};
        const SolidSet<D> set({solid}, {}, true);
        const PlacedSolids<D> placed = set.at(0);
        frames->solids = [&](const Point<D>& x) { return placed.distance(x); };
        const auto without = at_rest<D>(frames, test::scene_over(*frames), 0);
        const auto with = at_rest<D>(frames, s, 0);
        const auto room = [&](const Point<D>& x) { return placed.distance(x) > 0.002; };
        // The surface comes up to the solid as it does elsewhere, and nothing but it is one.
        EXPECT_LT((unevenness<D>(
                      with, 0.203, 0,
                      [&](const Point<D>& x) { return room(x) && std::abs(x[1] - 0.203) < 0.02; })),
                  0.3)
            << round;
        EXPECT_GT((unevenness<D>(without, 0.203, 0, room)), 2) << "without it there is a surface";
        for (int t = 0; t < with.phi.tiles()->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Point<D> x = with.phi.position(t, o);
                const double d = placed.distance(x), phi = with.phi.at(t, o);
                if (room(x) && x[1] < 0.18) {
                    EXPECT_LT(phi, -0.015) << x[0] << " " << x[1];
                }
                if (room(x) && x[1] > 0.23) {
                    EXPECT_GT(phi, 0.015) << x[0] << " " << x[1];
                }
                if (d > 0 || d < -0.02) continue;
                // Inside it goes on as the plane it is outside.
                const double out = x[1] - 0.203;
                if (std::abs(out) > 0.015) {
                    EXPECT_EQ(phi < 0, out < 0) << x[0] << " " << x[1] << " " << d;
                }
            }
    }
}

TEST(ContinuedSurface, WaterAtRestHasNoSurfaceAlongSolids) {
    expect_level_through_solids<2>();
    expect_level_through_solids<3>();
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/liquid_history.h"

#include <cmath>

#include <gtest/gtest.h>

#include "aeration/formula_bulk.h"
#include "spume/core/math.h"
#include "spume/physics/bulk/aeration.h"

namespace spume {
namespace {

constexpr double kGain = 3;  // m/s²

/// Largest relative error of a run's own aeration around an air ball that moves with a stream which
/// gains speed evenly, at the end of a frame, in steps of that length.
double worst_error(double fps, int substeps) {
    Context context(2);
    Scene scene;
    scene.time.fps = fps;
    const double radius = 0.1, h = 0.01;
    auto bulk = ball_in_stream<2>(radius, h, 0.4, kGain);
    bulk.phi = [=](const Point<2>& x, double t) {
        const Point<2> y = x - Point<2>{kGain * t * t / 2, 0};
        return radius - std::sqrt(dot(y, y));
    };
    LiquidHistory<2> history;
    const int frames = int(std::ceil(2.01 * fps / 24));
    const double dt = 1 / fps / substeps;
    for (int i = 0; i <= frames * substeps; ++i) {
        const double t = i * dt;
        const auto tiles = Tiles<2>::build(bulk.liquid_tiles(t, 4 * h, context), bulk.lattice);
        remember<2>(history, bulk.on(tiles, t, context), scene);
    }
    EXPECT_LT(history.past.size(), 8u);  // kept is what τ needs, not every substep
    const auto a = aeration<2>(history, scene, context);
    const double end = frames / fps, u = kGain * scene.aeration.tau / 2;
    double worst = 0;
    int cells = 0;
    for (int t = 0; t < a.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const Point<2> y = a.position(t, o) - Point<2>{kGain * end * end / 2, 0};
            const double d = std::sqrt(dot(y, y));
            if (d < radius || d > radius + 1.9 * h) continue;
            const double exact = h * h * scene.physics.water_density * u * u /
                                 (d * math::kPi * scene.physics.surface_tension);
            worst = std::max(worst, std::abs(a.at(t, o) / exact - 1));
            ++cells;
        }
    EXPECT_GT(cells, 50);
    return worst;
}

/// u(t − τ) is that of the right time at any frame rate: τ is one frame, two, or a part of one.
TEST(LiquidHistory, GivesTheAerationOfItsOwnRun) {
    EXPECT_LT(worst_error(24, 1), 0.02);
    EXPECT_LT(worst_error(24, 7), 0.02);
    EXPECT_LT(worst_error(48, 3), 0.02);
    EXPECT_LT(worst_error(30, 5), 0.02);
    EXPECT_LT(worst_error(12, 16), 0.02);
}

TEST(LiquidHistory, IsZeroWhileTheRunIsYoung) {
    Context context;
    Scene scene;
    scene.time.fps = 48;
    const auto bulk = ball_in_stream<2>(0.1, 0.01, 0.2, kGain);
    const auto tiles = Tiles<2>::build(bulk.liquid_tiles(0, 0.04, context), bulk.lattice);
    LiquidHistory<2> history;
    for (const double t : {0.0, 1.0 / 48}) remember<2>(history, bulk.on(tiles, t, context), scene);
    const auto young = aeration<2>(history, scene, context);
    for (const double a : young.values()) ASSERT_EQ(a, 0);
    remember<2>(history, bulk.on(tiles, 2.0 / 48, context), scene);
    double most = 0;
    const auto old = aeration<2>(history, scene, context);
    for (const double a : old.values()) most = std::max(most, a);
    EXPECT_GT(most, 0);
}

/// Water that arrives where air was a τ ago has not fluctuated: its velocity is continued there.
TEST(LiquidHistory, ArrivingWaterDoesNotFluctuate) {
    Context context;
    Scene scene;
    scene.aeration.curvature = CurvatureSign::kBoth;
    FormulaBulk<2> drop;  // at 3 m/s: 12.5 voxels in τ, five of its radii
    drop.bounds = {{-0.3, -0.1}, {0.3, 0.1}};
    drop.lattice = {0.01, {}};
    drop.phi = [](const Point<2>& x, double t) {
        const Point<2> y = x - Point<2>{3 * t - 0.1, 0};
        return std::sqrt(dot(y, y)) - 0.025;
    };
    drop.velocity = [&](const Point<2>& x, double t) {  // zero in air, as files have it
        return drop.phi(x, t) < 0.012 ? Vec<double, 2>{3, 0} : Vec<double, 2>{};
    };
    LiquidHistory<2> history;
    for (const double t : {0.0, 1.0 / 24}) {
        const auto tiles = Tiles<2>::build(drop.liquid_tiles(t, 0.04, context), drop.lattice);
        remember<2>(history, drop.on(tiles, t, context), scene);
    }
    const auto a = aeration<2>(history, scene, context);
    const auto b = aerated<2>(drop, 1.0 / 24, aeration_law(scene), context);
    ASSERT_TRUE(b);
    for (const auto* field : {&a, &b->aeration})
        for (int t = 0; t < field->tiles()->active(); ++t)
            for (int o = 0; o < kTileCells<2>; ++o)
                if (drop.phi(field->position(t, o), 1.0 / 24) < 0) {
                    EXPECT_LT(field->at(t, o), 1e-6) << field->position(t, o)[0];
                }
}

}  // namespace
}  // namespace spume

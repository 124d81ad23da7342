// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "mixture_run.h"

namespace spume::mixture {
namespace {

/// Share of the particles that is in an inverted cup, 2D, after it was turned by an angle.
double held(double degrees, double seconds, bool is_there = true) {
    Scene s = open_water(0.04, {-0.8, 0, -1}, {0.8, 1.6, 1}, 2);
    s.physics.water_density = 10;
    s.time.fps = 48;
    Solid cup;
    cup.shape.kind = ShapeKind::kBox;
    cup.shape.center = {0, 0.6, 0};
    cup.shape.size = {0.52, 0.64, 1};
    cup.shape.shell = 0.06;
    cup.shape.open_top = true;
    cup.shape.rotation = {0, 0, 180};
    cup.motion = Motion::kKeyed;
    cup.keys = {{0.1, {}, {0, 0, 0}}, {0.1 + seconds, {}, {0, 0, degrees}}};
    if (is_there) s.solids = {cup};
    Emitter air;  // the upper half of the room in the cup
    air.shape.kind = ShapeKind::kBox;
    air.shape.center = {0, 0.7, 0};
    air.shape.size = {0.38, 0.3, 1};
    air.mode = EmitMode::kSeed;
    air.spacing = 0.02;
    air.law = RadiusLaw::kMarker;
    s.emitters = {air};
    mixture::Params p;
    p.scheme = Scheme::kStabilized;
    MixtureRun<2> run(s, p);
    EXPECT_TRUE(run.until(1e-6));
    const std::size_t before = run.state.bubbles.size();
    EXPECT_GT(before, 200u);
    EXPECT_TRUE(run.until(0.1 + seconds + 0.2));
    const double angle = degrees * std::numbers::pi / 180;
    std::size_t inside = 0;
    for (const Point<2>& x : run.state.bubbles.position) {
        const Point<2> from = x - Point<2>{0, 0.6};
        const double across = std::cos(angle) * from[0] + std::sin(angle) * from[1],
                     up = -std::sin(angle) * from[0] + std::cos(angle) * from[1];
        if (std::abs(across) < 0.26 && std::abs(up) < 0.32) ++inside;
    }
    return double(inside) / double(before);
}

TEST(HeldAir, OfACupThatTiltsStaysAndOfOneThatTurnsSpills) {
    const double tilted = held(15, 0.5), turned = held(150, 1.0);
    RecordProperty("tilted", std::to_string(tilted));
    RecordProperty("turned", std::to_string(turned));
    EXPECT_GT(tilted, 0.95);
    EXPECT_LT(turned, 0.5);
    EXPECT_LT(held(15, 0.5, false), 0.5) << "without the cup it rises";
}

}  // namespace
}  // namespace spume::mixture

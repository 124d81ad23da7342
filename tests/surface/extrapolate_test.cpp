// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/extrapolate.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spume/grid/sample.h"

namespace spume {
namespace {

/// u = s (x − 4) on the faces below x = 4, continued along x: what the next face says, in m/s.
double ahead(double slope, double dt) {
    const double h = 0.5;
    const auto tiles = Tiles<2>::build(std::vector<Index<2>>{{0, 0}}, Transform<2>{h, {0, 0}});
    FaceField<double, 2> u(tiles);
    FaceField<std::uint8_t, 2> valid(tiles);
    for (int o = 0; o < kTileCells<2>; ++o) {
        const double x = u.position(0, 0, o)[0];
        valid.write(0)[o] = x <= 4;
        u.write(0)[o] = x <= 4 ? 1 + slope * (x - 4) : 0;
    }
    Context context;
    extrapolate<2>(u, valid, 2, context, Continuation::kSloped, nullptr, dt);
    TileCursor<2> cursor(*tiles);
    const double next = u.read(0)[cursor({9, 4})];
    EXPECT_EQ(u.read(0)[cursor({10, 4})], next) << "then evenly";
    EXPECT_EQ(u.read(0)[cursor({11, 4})], 0) << "two layers";
    return next;
}

TEST(Extrapolate, AlongTheSlope) {
    EXPECT_NEAR(ahead(0.6, 0), 1.3, 1e-15);
    EXPECT_NEAR(ahead(-0.6, 0), 0.7, 1e-15);
}

TEST(Extrapolate, LiquidThatStretchesFliesFreely) {
    // u_t + u u_x = 0 from u = s x has the slope s / (1 + s t): the line through particles that
    // keep their velocities.
    for (const double dt : {0.01, 0.1, 1.0, 10.0}) {
        const double s = 0.6, x = 0.5, in = -0.5;
        const double front = x + s * x * dt, back = in + s * in * dt;  // where they are then
        const double slope = s * (x - in) / (front - back);
        EXPECT_NEAR(ahead(s, dt), 1 + slope * 0.5, 1e-14);
        EXPECT_LT(ahead(100, dt), 1 + 0.5 / dt) << "no more than crosses the voxel";
        EXPECT_NEAR(ahead(-s, dt), 0.7, 1e-15) << "what slows down is as it was";
    }
}

}  // namespace
}  // namespace spume

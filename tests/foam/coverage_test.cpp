// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "foam/foam_set.h"
#include "spume/grid/sample.h"
#include "spume/physics/foam/foam_coverage.h"

namespace spume {
namespace {

constexpr double kVoxel = 0.1;

/// A plane through the middle of a box, tilted; Φ is twice the distance, which must not matter.
template <int D>
SurfaceFields<D> tilted(const Vec<double, D>& n) {
    const auto tiles =
        Tiles<D>::dense({Index<D>::filled(-16), Index<D>::filled(16)}, Transform<D>{kVoxel, {}});
    SurfaceFields<D> f{0, CellField<double, D>(tiles), FaceField<double, D>(tiles)};
    double* phi = f.phi.write();
    for (int t = 0; t < tiles->zero(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            phi[std::size_t(t) * kTileCells<D> + std::size_t(o)] = 2 * dot(f.phi.position(t, o), n);
    return f;
}

// Even foam that covers a quarter of a plane: a quarter wherever the plane is asked, and nothing
// far from it, for any tilt against the grid.
TEST(FoamCoverage, IsTheCoveredPartOfAPlane) {
    Context context(2);
    const double spacing = 0.025, cover = 0.25;
    const double radius = spacing * std::sqrt(cover / M_PI);
    for (double tilt : {0.0, 0.3, 0.785}) {
        const Vec<double, 3> n{std::sin(tilt), std::cos(tilt), 0}, u{n[1], -n[0], 0}, w{0, 0, 1};
        std::vector<Point<3>> places;
        for (int i = -56; i <= 56; ++i)
            for (int j = -56; j <= 56; ++j) {
                const Point<3> x = u * (spacing * (i + 0.3)) + w * (spacing * (j + 0.1));
                if (std::abs(x[0]) < 1.2 && std::abs(x[1]) < 1.2) places.push_back(x);
            }
        const Foam<3> foam = foam_at<3>(places, radius);
        const auto c = foam_coverage(foam, tilted(n), context);
        TileCursor<3> cursor(*c.tiles());
        for (double a = -0.7; a < 0.7; a += 0.037)
            EXPECT_NEAR(sample(c, cursor, u * a + w * (0.5 * a)), cover, 0.01 * cover) << tilt;
        EXPECT_EQ(sample(c, cursor, n * 0.4), 0);
        EXPECT_EQ(sample(c, cursor, n * -0.4), 0);
    }
}

TEST(FoamCoverage, OfARowInThePlaneAndNeverAboveOne) {
    Context context(1);
    std::vector<Point<2>> places;
    for (int i = -600; i <= 600; ++i) places.push_back({0.002 * i, 0});
    const auto fields = tilted<2>({0, 1});
    for (double radius : {0.4e-3, 3e-3}) {
        const Foam<2> foam = foam_at<2>(places, radius);
        const auto c = foam_coverage(foam, fields, context);
        TileCursor<2> cursor(*c.tiles());
        EXPECT_NEAR(sample(c, cursor, Point<2>{0.123, 0}), std::min(1.0, radius / 1e-3), 1e-3);
    }
}

}  // namespace
}  // namespace spume

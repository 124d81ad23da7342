// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "cip_run.h"

namespace spume {
namespace {

enum class Seen { kAsItIs, kMirrored, kTurned };

/// A dam beside a ball of water and a solid: as it is, mirrored in x, or with its axes swapped.
Scene lopsided(Seen seen, int cells) {
    const auto at = [&](double x, double y) {
        return seen == Seen::kTurned ? Vec<double, 3>{y, x, 0}
                                     : Vec<double, 3>{seen == Seen::kMirrored ? 1 - x : x, y, 0};
    };
    const auto box = [&](double x0, double y0, double x1, double y1) {
        const Vec<double, 3> a = at(x0, y0), b = at(x1, y1);
        return water_box({std::min(a[0], b[0]), std::min(a[1], b[1]), -1},
                         {std::max(a[0], b[0]), std::max(a[1], b[1]), 1});
    };
    Scene scene = cip_box(2, 1.0 / cells, {1, 1, 1});
    scene.physics.gravity = at(0, -9.81);
    if (seen == Seen::kMirrored) scene.physics.gravity[0] = 0;
    scene.liquids = {box(-1, -1, 0.37, 0.61), box(0.3, -1, 2, 0.1),
                     water_ball(at(0.75, 0.7), 0.08)};
    Solid solid;
    solid.shape.kind = ShapeKind::kSphere;
    solid.shape.center = at(0.6, 0.17);
    solid.shape.radius = 0.09;
    scene.solids = {solid};
    return scene;
}

/// The largest difference of φ near the surface after 0.2 s, in voxels.
double difference_to(Seen seen, cip::Limiter limiter) {
    constexpr int kCells = 32;
    cip::Params p;
    p.limit_velocity = limiter;
    p.fragments = false;
    p.pressure_tolerance = 1e-11;
    CipRun<2> run(lopsided(Seen::kAsItIs, kCells), p), other(lopsided(seen, kCells), p);
    for (int n = 1; n <= 20; ++n) EXPECT_TRUE(run.one_step(0.01 * n) && other.one_step(0.01 * n));
    double worst = 0;
    for (int i = 0; i < kCells; ++i)
        for (int j = 0; j < kCells; ++j) {
            const double phi = run.state.phi.f.at({i, j});
            const Index<2> there =
                seen == Seen::kTurned ? Index<2>{j, i} : Index<2>{kCells - 1 - i, j};
            if (std::abs(phi) < 3)
                worst = std::max(worst, std::abs(phi - other.state.phi.f.at(there)));
        }
    std::printf("%.1e voxels\n", worst);
    return worst;
}

/// A mirrored scene gives the mirrored motion; one with its axes swapped too where profiles are not
/// limited. Limited ones take the axes in turn ([SSK05] Fig. 2), and their order matters.
TEST(CipTurned, MirroredAndTurned) {
    EXPECT_LT(difference_to(Seen::kMirrored, cip::Limiter::kSquare), 1e-8);
    EXPECT_LT(difference_to(Seen::kMirrored, cip::Limiter::kOff), 1e-8);
    EXPECT_LT(difference_to(Seen::kTurned, cip::Limiter::kOff), 1e-8);
    EXPECT_LT(difference_to(Seen::kTurned, cip::Limiter::kSquare), 0.1);
}

}  // namespace
}  // namespace spume

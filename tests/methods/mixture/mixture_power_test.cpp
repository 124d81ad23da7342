// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "methods/mixture/mixture_run.h"
#include "spume/physics/motion/move_bubbles.h"

namespace spume::mixture {
namespace {

constexpr double kVoxel = 0.01;

inline Scene light_water(int dimensions) {
    Scene scene = open_water(kVoxel, {-0.15, 0, -0.15}, {0.15, 0.4, 0.15}, dimensions);
    scene.physics.water_density = 10;
    return scene;
}

/// A ball of air on a lattice of half a voxel, each bubble with its share of the space.
template <int D>
struct FullBall : MixtureRun<D> {
    FullBall(double density, const mixture::Params& p, int threads = 2)
        : MixtureRun<D>(light_water(D), p, threads) {
        const double half = kVoxel / 2;
        const double radius = D == 2 ? half / std::sqrt(std::numbers::pi)
                                     : half * std::cbrt(3 / (4 * std::numbers::pi));
        const int n = D == 2 ? 10 : 7;
        for (int i = -n; i <= n; ++i)
            for (int j = -n; j <= n; ++j)
                for (int k = D == 2 ? 0 : -n; k <= (D == 2 ? 0 : n); ++k) {
                    if (i * i + j * j + k * k > n * n) continue;
                    Point<D> x{};
                    x[0] = i * half + 0.001;
                    x[1] = 0.12 + j * half;
                    if constexpr (D == 3) x[2] = k * half;
                    this->add(x, radius, density);
                }
    }
};

mixture::Params power() {
    mixture::Params p;
    p.basis = Basis::kPower;
    return p;
}

template <int D>
void expect_rise() {
    FullBall<D> run(1, power());
    const double air = total_volume(run.state.bubbles, run.context);
    const double start = run.centroid()[1];
    ASSERT_TRUE(run.until(0.15, 20)) << D;
    EXPECT_GT(run.centroid()[1], start + kVoxel) << D;
    EXPECT_NEAR(total_volume(run.state.bubbles, run.context) / air, 1, 1e-13) << D;

    // What the grid sees of it: all of the air, and nowhere more than space.
    Bubbles<D> bubbles = run.state.bubbles;
    auto ranges =
        sort_by_tile(bubbles, run.state.grid.tiles, run.context, run.world.domain.clamp());
    const auto report = use_power_kernel(bubbles, ranges, run.world.domain, {}, run.context);
    EXPECT_LE(report.excess, 1e-3) << D;
    Coupling<D> coupling;
    const auto mixture = rasterized(bubbles, ranges, run.world.domain, coupling, run.context);
    for (int a = 0; a < D; ++a) {
        double seen = 0, most = 0;
        for (const double v : mixture.unclamped.component(a)) {
            seen += v * run.world.domain.cell_volume();
            most = std::max(most, v);
        }
        EXPECT_NEAR(seen / air, 1, 1e-12) << D;
        EXPECT_LE(most, 1 + 1e-3) << D;
    }
}
TEST(PowerBasis, ABodyOfAirRisesAndAllOfItIsSeen) {
    expect_rise<2>();
    expect_rise<3>();
}

TEST(PowerBasis, EqualDensitiesStayAtRest) {
    FullBall<3> run(10, power());
    ASSERT_TRUE(run.until(0.1, 1));
    EXPECT_LE(run.fastest, 1e-12);
}

TEST(PowerBasis, ThreadsChangeNoBit) {
    FullBall<3> one(1, power(), 1), many(1, power(), 5);
    ASSERT_TRUE(one.until(0.05));
    ASSERT_TRUE(many.until(0.05));
    EXPECT_TRUE(std::equal(one.state.bubbles.position.begin(), one.state.bubbles.position.end(),
                           many.state.bubbles.position.begin()));
}

TEST(SplitMergeInTheMethod, AirStays) {
    mixture::Params params;
    params.split_merge = true;
    params.split_radius = 0.002;
    FullBall<3> run(1, params);
    const double air = total_volume(run.state.bubbles, run.context);
    const std::size_t before = run.state.bubbles.size();
    ASSERT_TRUE(run.until(0.15, 20));
    EXPECT_LT(run.state.bubbles.size(), before / 3);
    EXPECT_NEAR(total_volume(run.state.bubbles, run.context) / air, 1, 1e-7);
}

}  // namespace
}  // namespace spume::mixture

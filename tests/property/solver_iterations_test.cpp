// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "../../bench/pressure_systems.h"
#include "property/solver_systems.h"
#include "spume/solve/level_tiles.h"

namespace spume {
namespace {

int iterations(char name, int n) {
    const PressureSystem<3> s = bench::make_system(name, n);
    CellField<double, 3> x(s.tiles);
    Context context(2);
    SolverOptions options;
    options.tolerance = 1e-8;
    const SolveReport report = PressureSolver<3>().solve(s, x, options, context);
    EXPECT_TRUE(report.good()) << name << n << ": " << to_text(report.end);
    return report.iterations;
}

// The promise is for 64³ to 256³; two sizes fit the test tier, bench_pressure shows the third.
TEST(PressureSolver, IterationsHardlyGrowWithSize) {
    const int a = iterations('a', 64), b = iterations('b', 64);
    EXPECT_LE(a, 16);
    EXPECT_LE(b, 60);
    EXPECT_LE(iterations('a', 128), 1.25 * a);
    EXPECT_LE(iterations('b', 128), 1.25 * b);
}

TEST(PressureSolver, IterationsHardlyGrowWithSizeOnSparseTiles) {
    const int e = iterations('e', 64);
    EXPECT_LE(e, 24);
    EXPECT_LE(iterations('e', 128), 1.4 * e);
}

/// Lone drops, each on eight tiles, over a huge extent: their levels cost less than they do, and
/// the solve takes what one drop takes.
TEST(PressureSolver, DropsFarApartCostWhatTheyStore) {
    Dice dice{3};
    std::vector<Index<3>> keys;
    const auto drop = [&](const Index<3>& at) {
        for (int c = 0; c < 8; ++c) keys.push_back(at + Index<3>{c & 1, c >> 1 & 1, c >> 2});
    };
    const auto solved = [&] {
        const auto tiles = Tiles<3>::build(keys, {1.0, {}});
        PressureSystem<3> s(tiles);
        std::fill_n(s.kind.write(), std::size_t(tiles->active()) * kTileCells<3>,
                    std::uint8_t(kFluidCell));
        for (int a = 0; a < 3; ++a) s.coefficient.component(a).fill(1.0);
        for (double& b : s.rhs.values().write()) b = dice() - 0.5;
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<3>; ++o)
                if (const auto i = tiles->origin(t) + tile_local<3>(o); i[1] % 16 == 15)
                    s.add_dirichlet(t, o, 2, 0);
        std::size_t coarse = 0;
        for (const auto& level : level_tiles(*tiles)) coarse += std::size_t(level.count);
        EXPECT_LE(coarse, std::size_t(tiles->active()) * 5 / 4 + 2);
        CellField<double, 3> x(tiles);
        Context context(2);
        const SolveReport report = PressureSolver<3>().solve(s, x, {}, context);
        EXPECT_TRUE(report.good()) << to_text(report.end);
        return report.iterations;
    };
    drop({});
    const int one = solved();
    for (int i = 0; i < 60; ++i)
        drop({2 * int(10000 * dice()), 2 * int(10000 * dice()), 2 * int(10000 * dice())});
    EXPECT_LE(solved(), one + 3);
}

/// Hundreds of bubbles in a tank that is closed but for its top: as many iterations with their
/// volumes kept as with vacuum in them.
TEST(PressureSolver, TrappedAirCostsHardlyAnIteration) {
    const int n = 64;
    const auto tiles = Tiles<3>::dense({{0, 0, 0}, {n, n, n}}, {1.0 / n, {}});
    PressureSystem<3> s(tiles);
    std::fill_n(s.kind.write(), std::size_t(tiles->active()) * kTileCells<3>,
                std::uint8_t(kFluidCell));
    for (int a = 0; a < 3; ++a) s.coefficient.component(a).fill(1.0);
    Dice dice{8};
    for (double& b : s.rhs.values().write()) b = dice() - 0.5;
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<3>; ++o)
            if (tiles->origin(t)[1] + tile_local<3>(o)[1] == n - 1) s.add_dirichlet(t, o, 2, 0);
    for (int i = 0; i < 300; ++i)
        carve_bubble(s, Point<3>{dice(), 0.95 * dice(), dice()} * double(n), 1 + 3 * dice());
    const auto iterations = [&] {
        CellField<double, 3> x(tiles);
        Context context(2);
        const SolveReport report = PressureSolver<3>().solve(s, x, {}, context);
        EXPECT_TRUE(report.good()) << to_text(report.end);
        return report.iterations;
    };
    ASSERT_GT(s.low_rank.size(), 200u);
    const int with = iterations();
    s.low_rank.clear();
    EXPECT_LE(with, iterations() + 2);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "../../bench/pressure_systems.h"

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

}  // namespace
}  // namespace spume

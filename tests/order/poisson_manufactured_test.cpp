// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "spume/solve/pressure.h"

namespace spume {
namespace {

struct Errors {
    double l1 = 0, l2 = 0, most = 0;
};

/// φ = product of sin(3π x_a) on [−½, ½]^D, its values on all sides, n cells along an axis.
template <int D>
Errors solve_sines(int n) {
    const double h = 1.0 / n, pi = std::numbers::pi;
    const auto exact = [&](const Point<D>& x) {
        double v = 1;
        for (int a = 0; a < D; ++a) v *= std::sin(3 * pi * x[a]);
        return v;
    };
    const auto tiles =
        Tiles<D>::dense({Index<D>{}, Index<D>::filled(n)}, {h, Point<D>::filled(-0.5)});
    PressureSystem<D> s(tiles);
    for (int a = 0; a < D; ++a) s.coefficient.component(a).fill(1.0);
    auto* kind = s.kind.write();
    auto* rhs = s.rhs.write();
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> c = tiles->origin(t) + tile_local<D>(o);
            if (!Box<int, D>{Index<D>{}, Index<D>::filled(n)}.contains(c)) continue;
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            kind[at] = kFluidCell;
            rhs[at] = h * h * D * 9 * pi * pi * exact(s.rhs.position(t, o));
        }
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (s.kind.at(t, o) != kFluidCell) continue;
            const Index<D> c = tiles->origin(t) + tile_local<D>(o);
            for (int a = 0; a < D; ++a)
                for (int side = -1; side <= 1; side += 2)
                    if (c[a] == (side < 0 ? 0 : n - 1))
                        s.add_dirichlet(
                            t, o, 2.0,
                            exact(s.rhs.position(t, o) + Point<D>::unit(a, side * h / 2)));
        }
    CellField<double, D> x(tiles);
    Context context(2);
    SolverOptions options;
    options.tolerance = 1e-10;
    EXPECT_TRUE(PressureSolver<D>().solve(s, x, options, context).good());
    Errors e;
    const double cells = std::pow(n, D);
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (s.kind.at(t, o) != kFluidCell) continue;
            const double d = std::abs(x.at(t, o) - exact(x.position(t, o)));
            e.l1 += d / cells;
            e.l2 += d * d / cells;
            e.most = std::max(e.most, d);
        }
    e.l2 = std::sqrt(e.l2);
    return e;
}

TEST(PoissonOrder, ManufacturedSines2D) {
    // Published errors of gerris on the same problem, N = 16 … 256: L1, L2, L∞.
    const int sizes[] = {16, 32, 64, 128, 256};
    const double published[][3] = {{1.43e-2, 1.77e-2, 3.89e-2},
                                   {3.50e-3, 4.39e-3, 1.05e-2},
                                   {8.69e-4, 1.10e-3, 2.68e-3},
                                   {2.17e-4, 2.74e-4, 6.76e-4},
                                   {5.43e-5, 6.85e-5, 1.69e-4}};
    Errors before;
    for (int i = 0; i < 5; ++i) {
        const Errors e = solve_sines<2>(sizes[i]);
        EXPECT_LE(e.l1, 1.05 * published[i][0]) << sizes[i];
        EXPECT_LE(e.l2, 1.05 * published[i][1]) << sizes[i];
        EXPECT_LE(e.most, 1.05 * published[i][2]) << sizes[i];
        if (i > 0) {
            EXPECT_NEAR(std::log2(before.l2 / e.l2), 2.0, 0.1) << sizes[i];
            EXPECT_NEAR(std::log2(before.most / e.most), 2.0, 0.15) << sizes[i];
        }
        before = e;
    }
}

TEST(PoissonOrder, ManufacturedSines3D) {
    // 24 and 36 do not fill their tiles: cells beyond the box must not matter.
    const Errors a = solve_sines<3>(24), b = solve_sines<3>(48), c = solve_sines<3>(96);
    EXPECT_NEAR(std::log2(a.l2 / b.l2), 2.0, 0.1);
    EXPECT_NEAR(std::log2(b.l2 / c.l2), 2.0, 0.05);
    EXPECT_NEAR(std::log2(b.most / c.most), 2.0, 0.15);
    EXPECT_NEAR(std::log2(solve_sines<3>(20).l2 / solve_sines<3>(60).l2) / std::log2(3.0), 2.0,
                0.1);
}

}  // namespace
}  // namespace spume

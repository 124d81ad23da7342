// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "spume/solve/ghost_fluid.h"

namespace spume {
namespace {

struct Errors {
    double mean = 0, most = 0;
};

double exact(const Point<2>& x) {
    const double r2 = dot(x, x);
    return r2 * r2 * std::cos(3 * std::atan2(x[1], x[0]));
}
/// Negative inside the star of Johansen and Colella.
double star(const Point<2>& x) {
    return length(x) - (0.30 + 0.15 * std::cos(6 * std::atan2(x[1], x[0])));
}

/// Error of Δφ = 7 r² cos 3θ inside the star, φ = r⁴ cos 3θ on its rim, on an n × n grid of the
/// square of side one and a tile, moved by `shift` cells. How the rim cuts cells is chance at any
/// one position: the order shows over several.
Errors star_error(int n, double shift) {
    const double h = 1.0 / n;
    const auto tiles =
        Tiles<2>::dense({{0, 0}, {n + 1, n + 1}}, {h, {-0.5 - shift * h, -0.5 - 0.7 * shift * h}});
    PressureSystem<2> s(tiles);
    for (int a = 0; a < 2; ++a) s.coefficient.component(a).fill(1.0);
    CellField<double, 2> phi(tiles);
    auto* p = phi.write();
    auto* kind = s.kind.write();
    auto* rhs = s.rhs.write();
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const std::size_t at = std::size_t(t) * kTileCells<2> + std::size_t(o);
            const Point<2> x = phi.position(t, o);
            p[at] = star(x);
            kind[at] = p[at] < 0 ? kFluidCell : kNoCell;
            rhs[at] = -h * h * 7 * dot(x, x) * std::cos(3 * std::atan2(x[1], x[0]));
        }
    add_ghost_fluid(s, phi, 1e-3, exact);
    CellField<double, 2> x(tiles);
    Context context;
    SolverOptions options;
    options.tolerance = 1e-11;
    EXPECT_TRUE(PressureSolver<2>().solve(s, x, options, context).good());
    Errors e;
    int cells = 0;
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o)
            if (s.kind.at(t, o) == kFluidCell) {
                const double d = std::abs(x.at(t, o) - exact(x.position(t, o)));
                e.most = std::max(e.most, d);
                e.mean += d;
                ++cells;
            }
    e.mean /= cells;
    return e;
}

TEST(PoissonOrder, IrregularDomainOfJohansenAndColella) {
    // Published L∞ errors of gerris on the same problem: about first order.
    const int sizes[] = {16, 32, 64, 128, 256};
    const double published[] = {2.5e-3, 1.8e-3, 1.4e-3, 6.6e-4, 3.9e-4};
    Errors worst[5];
    for (int i = 0; i < 5; ++i) {
        for (double shift = 0; shift < 1; shift += 0.125) {
            const Errors e = star_error(sizes[i], shift);
            worst[i].most = std::max(worst[i].most, e.most);
            worst[i].mean = std::max(worst[i].mean, e.mean);
        }
        EXPECT_LT(worst[i].most, 0.2 * published[i]) << sizes[i];
    }
    EXPECT_GT(std::log2(worst[0].mean / worst[4].mean) / 4, 1.9);
    EXPECT_GT(std::log2(worst[2].most / worst[4].most) / 2, 1.65);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors
#include <cstdio>
#include <gtest/gtest.h>
#include "methods/constraint/run.h"
namespace spume {
namespace {
void film(double top, double film) {
    const double h = 1.0 / 32;
    Scene s = tank(2, h, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({-1, -1, -1}, {2, (top + film) * h, 2})};
    s.solids = {solid_box({0.3, -1, -1}, {0.72, top * h, 1})};
    ConstraintRun<2> run(s, {});
    for (int n = 0; n < 6; ++n) {
        run.one_step(run.state.time + 1.0 / 60);
        const auto& tiles = *run.state.grid.tiles;
        double most = 0; int ma = 0; Point<2> mx{};
        for (int a = 0; a < 2; ++a)
            for (int t = 0; t < tiles.active(); ++t)
                for (int o = 0; o < kTileCells<2>; ++o)
                    if (double v = std::abs(run.state.velocity.at(a, t, o)); v > most) { most = v; ma = a; mx = run.state.velocity.position(a, t, o); }
        double mp = 0; Point<2> px{};
        for (std::size_t i = 0; i < run.state.liquid.size(); ++i)
            if (double v = length(run.state.liquid.velocity[i]); v > mp) mp = v, px = run.state.liquid.position[i];
        std::printf("top %.2f film %.2f step %d fastest %.3g axis %d at %.2f %.2f; particle %.3g at %.2f %.2f\n", top, film, n, most, ma, mx[0] / h, mx[1] / h, mp, px[0] / h, px[1] / h);
        if (n == 0 || n == 3)
            for (int j = 11; j >= 6; --j) {
                std::printf("  row %2d ", j);
                for (int i = 9; i < 26; ++i) {
                    TileCursor<2> c(tiles);
                    const auto at = c(Index<2>{i, j});
                    int count = 0;
                    for (std::size_t k = 0; k < run.state.liquid.size(); ++k) {
                        const Point<2> x = run.state.liquid.position[k] / h;
                        count += int(x[0]) == i && int(x[1]) == j;
                    }
                    std::printf("| %6.2f %d u %6.3f p %4.0f", run.state.phi.read()[at] / h, count, run.state.velocity.read(0)[at], run.state.pressure.read()[at]);
                }
                std::printf("\n");
            }
    }
}
TEST(Film, A) { film(8.6, 0.25); }
TEST(Film, B) { film(8.25, 0.4); }
TEST(Film, C) { film(8.5, 0.6); }
TEST(Film, D) { film(8.9, 0.4); }
}
}

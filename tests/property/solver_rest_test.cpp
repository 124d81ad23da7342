// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "spume/solve/pressure.h"

namespace spume {
namespace {

/// The cell beside one; false if there is none.
template <int D>
bool other(const Tiles<D>& tiles, int t, int o, int axis, int side, int& tn, int& on) {
    Index<D> l = tile_local<D>(o), step{};
    l[axis] += side;
    if (l[axis] < 0) step[axis] = -1, l[axis] += kTileSide<D>;
    if (l[axis] >= kTileSide<D>) step[axis] = 1, l[axis] -= kTileSide<D>;
    tn = tiles.neighbour(t, step);
    on = tile_offset<D>(l);
    return tiles.is_active(tn);
}

/// Water under air, 1000:1, the interface on faces, in a closed box: ten steps of gravity and
/// projection must leave the fluid at rest, with the exact hydrostatic jump in pressure.
template <int D>
void expect_rest(bool from_last) {
    const int n = 32, water = 19;
    const double g = 9.81, dt = 0.01, h = 1.0 / n;
    const Index<D> hi = Index<D>::filled(n);
    const auto tiles = Tiles<D>::dense({Index<D>{}, hi}, {h, {}});
    const int up = D - 1;
    const auto density = [&](int level) { return level < water ? 1000.0 : 1.0; };
    FaceField<double, D> velocity(tiles);
    CellField<double, D> pressure(tiles);
    PressureSystem<D> s(tiles);
    s.kind.values().fill(kFluidCell);
    for (int a = 0; a < D; ++a) {
        double* c = s.coefficient.write(a);
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Index<D> i = tiles->origin(t) + tile_local<D>(o);
                const double rho =
                    a == up ? 0.5 * (density(i[up] - 1) + density(i[up])) : density(i[up]);
                c[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    i[a] == 0 ? 0.0 : dt / (rho * h * h);
            }
    }
    Context context(2);
    PressureSolver<D> solver;
    SolverOptions options;
    options.tolerance = 1e-12;
    for (int step = 0; step < 10; ++step) {
        double* v = velocity.write(up);
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                if (tiles->origin(t)[up] + tile_local<D>(o)[up] > 0)
                    v[std::size_t(t) * kTileCells<D> + std::size_t(o)] -= g * dt;
        double* rhs = s.rhs.write();
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                double sum = 0;
                for (int a = 0; a < D; ++a) {
                    int tn, on;
                    const bool inside = other<D>(*tiles, t, o, a, 1, tn, on);
                    sum += (inside ? velocity.at(a, tn, on) : 0.0) - velocity.at(a, t, o);
                }
                rhs[std::size_t(t) * kTileCells<D> + std::size_t(o)] = -sum / h;
            }
        if (!from_last) pressure = CellField<double, D>(tiles);
        const SolveReport report = solver.solve(s, pressure, options, context);
        ASSERT_TRUE(report.good()) << to_text(report.end) << " " << report.residual;
        EXPECT_EQ(report.null_spaces, 1);
        for (int a = 0; a < D; ++a) {
            double* u = velocity.write(a);
            for (int t = 0; t < tiles->active(); ++t)
                for (int o = 0; o < kTileCells<D>; ++o) {
                    int tn, on;
                    if (!other<D>(*tiles, t, o, a, -1, tn, on)) continue;
                    const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
                    u[at] -=
                        h * s.coefficient.at(a, t, o) * (pressure.at(t, o) - pressure.at(tn, on));
                }
        }
    }
    double most = 0;
    for (int a = 0; a < D; ++a)
        for (const double u : velocity.component(a)) most = std::max(most, std::abs(u));
    EXPECT_LE(most, 1e-10 * g * dt);
    // p at the floor minus p at the lid, against the weight of what is between.
    const auto at_level = [&](int level) {
        const Index<D> i = Index<D>::unit(up, level);
        return pressure.at(tiles->find(tile_of<D>(i)), tile_offset<D>(local_of<D>(i)));
    };
    double weight = 0;
    for (int level = 1; level < n; ++level)
        weight += g * h * 0.5 * (density(level - 1) + density(level));
    EXPECT_NEAR(at_level(0) - at_level(n - 1), weight, 1e-10 * weight);
}

TEST(HydrostaticRest, TwoFluidsStayAtRest2D) { expect_rest<2>(true); }
TEST(HydrostaticRest, TwoFluidsStayAtRest3D) { expect_rest<3>(true); }
TEST(HydrostaticRest, TwoFluidsStayAtRestFromZeroPressure) { expect_rest<2>(false); }

}  // namespace
}  // namespace spume

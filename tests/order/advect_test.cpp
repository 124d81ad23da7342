// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/advect.h"

#include <cmath>

#include <gtest/gtest.h>

namespace spume {
namespace {

/// u = (U, f(x)) keeps its first component and carries the second: v(x, t) = f(x − U t). Mean error
/// of v in the middle of the domain after the profile has moved by a fifth of it.
template <int D>
double transport_error(Advection scheme, int cells) {
    Context context(2);
    GridDomain<D> domain;
    domain.transform = {1.0 / cells, {}};
    domain.cells = {{}, Index<D>::filled(cells)};
    if (D == 3) domain.cells.hi[D - 1] = 16;  // nothing changes along z
    const auto tiles = Tiles<D>::dense(domain.cells, domain.transform);
    const auto f = [](double x) { return std::exp(-200 * (x - 0.4) * (x - 0.4)); };
    FaceField<double, D> u(tiles);
    for (int a = 0; a < D; ++a) {
        double* out = u.write(a);
        for_faces(context.arena, *tiles, a, [&](int t, int o) {
            const double x = u.position(a, t, o)[0];
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = a == 0 ? 1 : a == 1 ? f(x) : 0;
        });
    }
    const int steps = cells / 4;
    for (int n = 0; n < steps; ++n) u = advected(u, domain, 0.2 / steps, scheme, context);
    double sum = 0;
    int count = 0;
    Arena one(1);
    for_faces(one, *tiles, 1, [&](int t, int o) {
        const auto x = u.position(1, t, o);
        if (x[0] < 0.35 || x[0] > 0.85) return;
        for (int a = 1; a < D; ++a)
            if (std::abs(x[a] - domain.cells.hi[a] * domain.voxel() / 2) > 2 * domain.voxel())
                return;
        sum += std::abs(u.at(1, t, o) - f(x[0] - 0.2));
        ++count;
    });
    return sum / count;
}

TEST(Advection, MacCormackIsOfSecondOrder) {
    const double e1 = transport_error<2>(Advection::kMacCormack, 64);
    const double e2 = transport_error<2>(Advection::kMacCormack, 128);
    const double e3 = transport_error<2>(Advection::kMacCormack, 256);
    EXPECT_GE(std::log2(e1 / e2), 1.7);
    EXPECT_GE(std::log2(e2 / e3), 1.8);
    EXPECT_LE(e3, transport_error<2>(Advection::kSemiLagrangian, 256) / 5);
}

TEST(Advection, SemiLagrangianIsOfFirstOrder) {
    const double e2 = transport_error<2>(Advection::kSemiLagrangian, 128);
    const double e3 = transport_error<2>(Advection::kSemiLagrangian, 256);
    EXPECT_GE(std::log2(e2 / e3), 0.8);
}

TEST(Advection, SpaceIsLikeThePlane) {
    const double flat = transport_error<2>(Advection::kMacCormack, 64);
    // Not the same bits: the limiter also looks at the layer above, down from the border of the
    // domain.
    EXPECT_NEAR(transport_error<3>(Advection::kMacCormack, 64) / flat, 1, 1e-3);
}

TEST(Advection, MakesNoNewExtremes) {
    Context context(1);
    GridDomain<2> domain;
    domain.transform = {1.0 / 64, {}};
    domain.cells = {{}, {64, 64}};
    const auto tiles = Tiles<2>::dense(domain.cells, domain.transform);
    FaceField<double, 2> u(tiles);
    for (int a = 0; a < 2; ++a) {
        double* out = u.write(a);
        for_faces(context.arena, *tiles, a, [&](int t, int o) {
            const auto x = u.position(a, t, o);
            out[std::size_t(t) * 256 + std::size_t(o)] =
                a == 0 ? 0.8 : (std::abs(x[0] - 0.3) < 0.1 ? 1.0 : 0.0);
        });
    }
    for (int n = 0; n < 20; ++n) u = advected(u, domain, 0.02, Advection::kMacCormack, context);
    for (double v : u.component(1)) {
        EXPECT_GE(v, 0);
        EXPECT_LE(v, 1);
    }
}

}  // namespace
}  // namespace spume

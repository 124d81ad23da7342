// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/menisci.h"

#include <cmath>

#include <gtest/gtest.h>

#include "foam/foam_set.h"
#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

TEST(Menisci, BesselFunction) {
    // Tables: K1(0.1), K1(1), K1(2), K1(5).
    EXPECT_NEAR(bessel_k1(0.1), 9.8538447808, 1e-6 * 9.85);
    EXPECT_NEAR(bessel_k1(1), 0.6019072302, 1e-6);
    EXPECT_NEAR(bessel_k1(2), 0.1398658818, 1e-6);
    EXPECT_NEAR(bessel_k1(5), 0.0040446134, 1e-8);
    EXPECT_NEAR(bessel_k1(2 - 1e-9), bessel_k1(2 + 1e-9), 1e-7);
}

// F = 2πγR Bo^(5/2) Σ² K1(l/L), computed apart for water: the cheerios effect.
TEST(Menisci, AttractAsVellaAndMahadevanSay) {
    const MeniscusLaw law;
    EXPECT_NEAR(law.length(), 2.709e-3, 1e-6);
    struct {
        double radius, at2, at4, at8, to_buoyancy;
    } const table[] = {{0.5e-3, 5.175e-8, 2.092e-8, 6.177e-9, 0.0101},
                       {1e-3, 1.339e-6, 3.953e-7, 5.854e-8, 0.0326}};
    for (const auto& row : table) {
        const double r = row.radius;
        EXPECT_NEAR(law.force<3>(2 * r, r, r), row.at2, 1e-3 * row.at2);
        EXPECT_NEAR(law.force<3>(4 * r, r, r), row.at4, 1e-3 * row.at4);
        EXPECT_NEAR(law.force<3>(8 * r, r, r), row.at8, 1e-3 * row.at8);
        const double buoyancy = 1000 * 9.81 * bubble_volume<3>(r);
        EXPECT_NEAR(law.force<3>(2 * r, r, r) / buoyancy, row.to_buoyancy, 1e-4);
    }
    EXPECT_EQ(law.force<3>(law.reach(), 1e-3, 1e-3), 0);
}

// Forces are equal and opposite; momentum counts with the water that is carried, which goes as V.
template <int D>
void expect_momentum_kept() {
    Context context(2);
    const MeniscusLaw law;
    std::vector<Point<D>> places;
    for (int i = 0; i < 40; ++i) {
        Point<D> x{};
        x[0] = 3e-3 * i;
        x[D - 1] += D == 3 ? 2e-3 * ((7 * i) % 5) : 0;
        places.push_back(x);
    }
    Foam<D> foam = foam_at<D>(places, 1e-3);
    for (std::size_t i = 0; i < foam.size(); ++i)
        foam.radius.write()[i] *= 1 + 0.3f * static_cast<float>(i % 4);
    FoamPairs<D> pairs;
    pairs.follow(foam, 4, context, law.reach());
    Array<Vec<double, D>> a(foam.size());
    add_menisci(a, foam, pairs, law, context);
    Vec<double, D> sum{};
    double size = 0;
    for (std::size_t i = 0; i < foam.size(); ++i) {
        const auto f = a[i] * bubble_volume<D>(double(foam.radius[i]));
        sum += f;
        size += length(f);
    }
    EXPECT_GT(size, 0);
    EXPECT_LT(length(sum), 1e-13 * size);
}
TEST(Menisci, KeepMomentum) {
    expect_momentum_kept<2>();
    expect_momentum_kept<3>();
}

// Two bubbles of a millimetre that are let go: drag and force soon balance, 6πμR v = F.
TEST(Menisci, BubblesApproachAtStokesSpeed) {
    Context context(1);
    const MeniscusLaw law;
    const double r = 0.3e-3, apart = 3e-3, dt = 1e-3;
    auto foam = foam_at<3>({{0, 0, 0}, {apart, 0, 0}}, r);
    FormulaSurface<3> plane;
    plane.phi = [](const Point<3>& x, double) { return SurfacePoint<3>{x[1], {0, 1, 0}}; };
    ManifoldLaw manifold;
    manifold.drag_by_size = law.drag();
    FoamPairs<3> pairs;
    for (int n = 0; n < 60; ++n) {  // 1/χ is 10 ms
        pairs.follow(foam, 4, context, law.reach());
        Array<Vec<double, 3>> a(2);
        add_menisci(a, foam, pairs, law, context);
        add_velocities(foam, a, dt);
        advect_on_surface<3>(foam, {}, plane, manifold, {n * dt, (n + 1) * dt}, context);
        pairs.moved(foam, dt, context);
    }
    const double now = length(foam.position[0] - foam.position[1]);
    const double speed = law.force<3>(now, r, r) / (6 * 3.14159265358979 * law.viscosity * r);
    EXPECT_LT(now, apart);
    EXPECT_NEAR(length(foam.velocity[0]), speed, 0.02 * speed);
}

}  // namespace
}  // namespace spume

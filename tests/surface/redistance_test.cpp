// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/redistance.h"

#include <cmath>

#include <gtest/gtest.h>

#include "level_sets.h"

namespace spume {
namespace {

template <int D>
Box<double, D> cube(double half) {
    return {Point<D>::filled(-half), Point<D>::filled(half)};
}

/// Largest error where the exact distance is below `within`.
template <class T, int D, class F>
double worst(const CellField<T, D>& field, double within, F&& exact) {
    double most = 0;
    for (int t = 0; t < field.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double d = exact(field.position(t, o));
            if (std::abs(d) < within) most = std::max(most, std::abs(field.at(t, o) - d));
        }
    return most;
}

template <int D>
void expect_exact_plane() {
    Context context(2);
    Vec<double, D> normal{};
    for (int a = 0; a < D; ++a) normal[a] = 1 + 0.7 * a;
    normal = normal / length(normal);
    const auto plane = [&](const Point<D>& x) { return dot(normal, x) - 0.0123; };
    // Stretched by 7: only its zeros count. The plane leaves the box, where distances have no
    // neighbour to come from: those rows are left out.
    const auto field = sampled<double, D>(cube<D>(0.5), {0.04, {}},
                                          [&](const Point<D>& x) { return 7 * plane(x); });
    const auto made = redistanced(field, 0.2, context);
    double most = 0;
    for (int t = 0; t < made.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Point<D> x = made.position(t, o);
            const double d = plane(x);
            if (length(x) < 0.3 && std::abs(d) < 0.1)
                most = std::max(most, std::abs(made.at(t, o) - d));
        }
    EXPECT_LT(most, 1e-12) << D;
}
TEST(Redistance, PlanesAreExact) {
    expect_exact_plane<2>();
    expect_exact_plane<3>();
}

template <int D>
void expect_ball_orders() {
    Context context(2);
    const Point<D> centre = Point<D>::filled(0.0137);
    const auto exact = [&](const Point<D>& x) { return length(x - centre) - 0.3; };
    double beside = 0, far = 0;
    for (const double voxel : {0.04, 0.02, 0.01}) {
        // Squared distance: the same surface, far from a distance.
        const auto field = sampled<float, D>(cube<D>(0.55), {voxel, {}}, [&](const Point<D>& x) {
            return dot(x - centre, x - centre) - 0.09;
        });
        const auto made = redistanced(field, 0.18, context);
        const double near_error = worst(made, 0.5 * voxel, exact);
        const double far_error = worst(made, 0.15, exact);
        if (beside > 0) {
            EXPECT_GT(std::log2(beside / near_error), 1.7) << D;
            EXPECT_GT(std::log2(far / far_error), 0.7) << D;
        }
        beside = near_error;
        far = far_error;
    }
    EXPECT_LT(beside, 0.02 * 0.01) << D;
    EXPECT_LT(far, 0.4 * 0.01) << D;
}
TEST(Redistance, BallsConverge) {
    expect_ball_orders<2>();
    expect_ball_orders<3>();
}

TEST(Redistance, KeepsVolumeAndCutsAtTheBand) {
    Context context(1);
    const auto field = sampled<double, 3>(cube<3>(0.5), {0.04, {}}, [](const Point<3>& x) {
        return (length(x) - 0.3) * (2 + x[0] + x[1]);
    });
    const auto made = redistanced(field, 0.1, context);
    EXPECT_NEAR(enclosed_volume(mesh_of(made, context)) / enclosed_volume(mesh_of(field, context)),
                1, 2e-3);
    double low = 0, high = 0;
    for (int t = 0; t < made.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<3>; ++o) {
            low = std::min(low, made.at(t, o));
            high = std::max(high, made.at(t, o));
            EXPECT_EQ(made.at(t, o) < 0, field.at(t, o) < 0);
        }
    EXPECT_DOUBLE_EQ(low, -0.1);
    EXPECT_DOUBLE_EQ(high, 0.1);
}

TEST(Redistance, ThreadsChangeNoBit) {
    const auto field = sampled<float, 3>(cube<3>(0.5), {0.03, {}}, [](const Point<3>& x) {
        return std::sin(9 * x[0]) + std::sin(8 * x[1] + 1) + std::sin(7 * x[2] + 2);
    });
    Context one(1), five(5);
    const auto a = redistanced(field, 0.2, one), b = redistanced(field, 0.2, five);
    EXPECT_TRUE(std::equal(a.values().begin(), a.values().end(), b.values().begin()));
}

}  // namespace
}  // namespace spume

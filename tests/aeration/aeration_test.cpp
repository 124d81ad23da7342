// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/aeration.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "aeration/formula_bulk.h"
#include "spume/core/math.h"

namespace spume {
namespace {

/// [WFS22] Eq. 27 of numbers.
double printed_aeration(double h, double mean_curvature, double fluctuation,
                        const AerationLaw& law) {
    return 2 * mean_curvature * h * h * law.density * fluctuation * fluctuation /
           (math::kPi * law.tension);
}

/// Largest relative error of the aeration around an air ball in an accelerating stream, in liquid
/// cells within 2 voxels: the level through a cell's centre has mean curvature 1/d (2D: 1/2d).
template <int D>
double worst_error(double radius, double voxel, double sign, const AerationLaw& law) {
    Context context(2);
    const double gain = 3;  // m/s²
    const auto bulk = ball_in_stream<D>(radius, voxel, 2 * radius, gain, sign);
    const auto r = aerated<D>(bulk, 0.7, law, context);
    if (!r) return 1e9;
    double worst = 0;
    int cells = 0;
    const auto& tiles = *r->aeration.tiles();
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Point<D> x = r->aeration.position(t, o);
            const double d = std::sqrt(dot(x, x)), phi = sign * (radius - d);
            if (phi >= 0 || phi < -1.99 * voxel || d > 1.8 * radius) continue;
            const double expected =
                printed_aeration(voxel, (D == 3 ? 1 : 0.5) / d, gain * law.tau / 2, law);
            worst = std::max(worst, std::abs(r->aeration.at(t, o) / expected - 1));
            ++cells;
        }
    EXPECT_GT(cells, 100);
    return worst;
}

TEST(Aeration, OfAnAirBallIsThatOfItsCurvatureAndFluctuation) {
    const AerationLaw law;
    const double coarse = worst_error<3>(0.08, 0.01, 1, law),
                 fine = worst_error<3>(0.08, 0.005, 1, law);
    EXPECT_LT(coarse, 0.04);
    EXPECT_GT(std::log2(coarse / fine), 1.6) << coarse << " " << fine;  // second order
}

TEST(Aeration, OfADiscHasHalfTheCurvature) {
    EXPECT_LT(worst_error<2>(0.16, 0.01, 1, AerationLaw{}), 0.01);
}

TEST(Aeration, CrestsCountOnlyIfAskedFor) {
    AerationLaw law;
    law.curvature = CurvatureSign::kBoth;
    EXPECT_LT(worst_error<3>(0.08, 0.01, -1, law), 0.08);
    law.curvature = CurvatureSign::kConcave;
    Context context;
    const auto drop = ball_in_stream<3>(0.08, 0.01, 0.16, 3, -1);
    const auto r = aerated<3>(drop, 0.7, law, context);
    ASSERT_TRUE(r);
    for (const double a : r->aeration.values()) ASSERT_EQ(a, 0);
}

/// The onset at the strongest curvature that a voxel can hold: A = 1 at these fluctuations.
TEST(Aeration, OnsetAtTheSharpestCurvature) {
    struct Row {
        double voxel, fluctuation;
    };
    for (const Row row : {Row{0.01, 0.106}, Row{0.05, 0.048}, Row{0.10, 0.034}}) {
        Context context;
        // A ball about a corner of the lattice: the nearest cells see more than 1/Δx.
        auto bulk = ball_in_stream<3>(0.6 * row.voxel, row.voxel, 8 * row.voxel, 0);
        const AerationLaw law;
        const double speed = 2 / law.tau;  // [u] = 1 m/s
        bulk.velocity = [=](const Point<3>&, double t) { return Vec<double, 3>{0, speed * t, 0}; };
        const auto r = aerated<3>(bulk, 1, law, context);
        ASSERT_TRUE(r);
        double most = 0;
        for (const double a : r->aeration.values()) most = std::max(most, a);
        EXPECT_NEAR(1 / std::sqrt(most), row.fluctuation, 0.0005) << row.voxel;
    }
}

/// Only the fixed time τ enters: A ∝ τ² in a stream that gains speed evenly, at any time.
TEST(Aeration, DependsOnTauAndNotOnTheTime) {
    Context context;
    const auto bulk = ball_in_stream<3>(0.05, 0.01, 0.1, 3);
    AerationLaw law;
    const auto a = aerated<3>(bulk, 0.5, law, context), b = aerated<3>(bulk, 2.25, law, context);
    law.tau *= 2;
    const auto c = aerated<3>(bulk, 0.5, law, context);
    ASSERT_TRUE(a && b && c);
    double largest = 0;
    for (std::size_t i = 0; i < a->aeration.values().size(); ++i) {
        const double value = a->aeration.values()[i];
        largest = std::max(largest, value);
        EXPECT_NEAR(b->aeration.values()[i], value, 1e-9 * value);
        EXPECT_NEAR(c->aeration.values()[i], 4 * value, 1e-9 * value);
    }
    EXPECT_GT(largest, 0.1);
}

TEST(Aeration, IsUnknownBeforeTheFirstTau) {
    Context context;
    auto bulk = ball_in_stream<3>(0.05, 0.01, 0.1, 3);
    bulk.known = {1.0, 2.0};
    const AerationLaw law;
    EXPECT_FALSE(aerated<3>(bulk, 1 + law.tau / 2, law, context));
    EXPECT_TRUE(aerated<3>(bulk, 1 + law.tau, law, context));
}

TEST(Aeration, HasTheSameBitsOnAnyNumberOfThreads) {
    const auto bulk = ball_in_stream<2>(0.3, 0.01, 0.5, 3);
    Context one(1), four(4);
    const auto a = aerated<2>(bulk, 0.5, AerationLaw{}, one),
               b = aerated<2>(bulk, 0.5, AerationLaw{}, four);
    ASSERT_TRUE(a && b);
    ASSERT_EQ(a->aeration.values().size(), b->aeration.values().size());
    EXPECT_EQ(std::memcmp(a->aeration.read(), b->aeration.read(),
                          a->aeration.values().size() * sizeof(double)),
              0);
}

/// A slope that leaves the box does not bend there: A of a plane is zero up to its sides.
TEST(Aeration, APlaneDoesNotBendAtTheSidesOfTheBox) {
    Context context;
    auto bulk = ball_in_stream<2>(0.1, 0.01, 0.16, 100);
    bulk.phi = [](const Point<2>& x, double) { return (0.6 * x[0] + 0.8 * x[1]); };
    AerationLaw law;
    law.curvature = CurvatureSign::kBoth;
    const auto r = aerated<2>(bulk, 0.5, law, context);
    ASSERT_TRUE(r);
    ASSERT_GT(r->aeration.tiles()->active(), 0);
    for (const double a : r->aeration.values()) ASSERT_LT(a, 1e-9);
}

TEST(Aeration, TargetIsCutToItsRange) {
    Aeration range;
    range.a_min = 2, range.a_max = 12, range.fraction_max = 0.4;
    EXPECT_EQ(target_fraction(0, range), 0);
    EXPECT_EQ(target_fraction(2, range), 0);
    EXPECT_DOUBLE_EQ(target_fraction(7, range), 0.2);
    EXPECT_DOUBLE_EQ(target_fraction(1e9, range), 0.4);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/radius_distribution.h"

#include <cmath>

#include <gtest/gtest.h>

namespace spume {
namespace {

constexpr double kMm = 1e-3;

/// Quantiles and moments of [WFS22] Eq. 34 between 0.5 and 5 mm, computed outside.
TEST(RadiusDistribution, InverseCubic) {
    const RadiusDistribution d(SizeLaw::kInverseCubic, 0.5 * kMm, 5 * kMm, 1 * kMm);
    EXPECT_NEAR(d.moment(1) / kMm, 0.909091, 1e-6);
    EXPECT_NEAR(d.moment(2) / (kMm * kMm), 1.162922, 1e-6);
    EXPECT_NEAR(d.mean_volume<3>() / (kMm * kMm * kMm), 9.519978, 1e-6);
    EXPECT_NEAR(d.moment(3) / d.moment(2) / kMm, 1.954325, 1e-6);
    struct Row {
        double share, radius;
    };
    for (const Row row :
         {Row{0.01, 0.502494}, Row{0.1, 0.526754}, Row{0.25, 0.576390}, Row{0.5, 0.703598},
          Row{0.75, 0.985329}, Row{0.9, 1.514456}, Row{0.99, 3.544406}}) {
        EXPECT_NEAR(d.radius(row.share) / kMm, row.radius, 1e-6);
        EXPECT_NEAR(d.share(row.radius * kMm), row.share, 3e-6);  // the radius has six digits
    }
}

/// Two slopes that meet at 1 mm, computed outside.
TEST(RadiusDistribution, TwoSlope) {
    const RadiusDistribution d(SizeLaw::kTwoSlope, 0.5 * kMm, 5 * kMm, 1 * kMm);
    EXPECT_NEAR(d.moment(1) / kMm, 1.0009, 5e-5);
    EXPECT_NEAR(d.radius(0.5) / kMm, 0.8227, 5e-5);
    EXPECT_NEAR(d.radius(0.9) / kMm, 1.6421, 5e-5);
    EXPECT_NEAR(d.moment(3) / d.moment(2) / kMm, 1.9178, 5e-5);
    EXPECT_NEAR(1e-3 / d.mean_volume<3>(), 92586, 1);
}

TEST(RadiusDistribution, ShareAndRadiusAreInverse) {
    for (const SizeLaw law : {SizeLaw::kInverseCubic, SizeLaw::kTwoSlope})
        for (const double split : {0.1, 0.8, 1.7, 9.0}) {
            const RadiusDistribution d(law, 0.5 * kMm, 5 * kMm, split * kMm);
            for (double s = 0; s < 1; s += 0.01) EXPECT_NEAR(d.share(d.radius(s)), s, 1e-12);
            EXPECT_NEAR(d.radius(1) / kMm, 5, 1e-9);
        }
}

/// A split outside of the range leaves one slope, whose moments are elementary.
TEST(RadiusDistribution, OneSlopeIsThatOfItsPower) {
    const double a = 0.5, b = 5, p = 10.0 / 3;
    const RadiusDistribution d(SizeLaw::kTwoSlope, a * kMm, b * kMm, 0.2 * kMm);
    const auto integral = [&](double e) {
        return (std::pow(b, e + 1) - std::pow(a, e + 1)) / (e + 1);
    };
    EXPECT_NEAR(d.moment(3) / (kMm * kMm * kMm), integral(3 - p) / integral(-p), 1e-9);
    EXPECT_NEAR(d.moment(1) / kMm, 0.838, 5e-4);
}

TEST(RadiusDistribution, MayBeOneRadius) {
    for (const SizeLaw law : {SizeLaw::kInverseCubic, SizeLaw::kTwoSlope}) {
        const RadiusDistribution d(law, 2 * kMm, 2 * kMm, 1 * kMm);
        EXPECT_EQ(d.radius(0.3), 2 * kMm);
        EXPECT_NEAR(d.mean_volume<3>(), 4.0 / 3 * M_PI * 8e-9, 1e-15);
    }
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/optics.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/math.h"

namespace spume {
namespace {

double radians(double degrees) { return degrees * math::kPi / 180; }

/// Fresnel's equations for the two polarisations, from the angles on both sides.
double by_polarisation(double degrees, double from, double to) {
    const double a = radians(degrees), sine = from / to * std::sin(a);
    if (sine >= 1) return 1;
    const double b = std::asin(sine);
    const double s =
        (from * std::cos(a) - to * std::cos(b)) / (from * std::cos(a) + to * std::cos(b));
    const double p =
        (from * std::cos(b) - to * std::cos(a)) / (from * std::cos(b) + to * std::cos(a));
    return (s * s + p * p) / 2;
}

struct Row {
    double degrees, into_water, into_air;
};

// Unpolarised reflectance for n = 1.333, computed independently in extended precision.
constexpr Row kTable[] = {
    {0, 0.02037319, 0.02037319},  {10, 0.02038367, 0.02040755}, {20, 0.02055541, 0.02105095},
    {30, 0.02143647, 0.02551916}, {40, 0.02450236, 0.05558159}, {45, 0.02789836, 0.13945846},
    {48, 0.03099290, 0.43307665}, {50, 0.03366787, 1},          {60, 0.05969092, 1},
    {70, 0.13347500, 1},          {80, 0.34791671, 1},          {85, 0.58352348, 1},
    {89, 0.89627640, 1}};

TEST(Optics, FresnelTableOfWater) {
    for (const Row& row : kTable) {
        const double cosine = math::cos(radians(row.degrees));
        EXPECT_NEAR(fresnel(cosine, 1.333), row.into_water, 1e-7) << row.degrees;
        EXPECT_NEAR(fresnel(cosine, 1 / 1.333), row.into_air, 1e-7) << row.degrees;
    }
}

TEST(Optics, FresnelAgreesWithBothPolarisations) {
    for (double degrees = 0; degrees < 89.9; degrees += 0.7) {
        const double cosine = math::cos(radians(degrees));
        EXPECT_NEAR(fresnel(cosine, 1.333), by_polarisation(degrees, 1, 1.333), 1e-12);
        EXPECT_NEAR(fresnel(cosine, 1 / 1.333), by_polarisation(degrees, 1.333, 1), 1e-9);
        EXPECT_NEAR(fresnel(cosine, 1.5), by_polarisation(degrees, 1, 1.5), 1e-12);
    }
}

TEST(Optics, CriticalAngleByBisection) {
    double low = 30, high = 80;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (fresnel(math::cos(radians(middle)), 1 / 1.333) < 1 ? low : high) = middle;
    }
    EXPECT_NEAR(low, 48.6066, 5e-5);
    EXPECT_NEAR(low, std::asin(1 / 1.333) * 180 / math::kPi, 1e-9);
    const Vec<double, 3> normal{0, 1, 0};
    for (const double off : {-1e-5, 1e-5}) {
        const double angle = radians(low + off);
        const Vec<double, 3> d{math::sin(angle), -math::cos(angle), 0};
        EXPECT_EQ(refracted(d, normal, 1 / 1.333).has_value(), off < 0);
    }
}

TEST(Optics, DiffuseReflectanceOfWater) {
    // ∫ R(θ) 2 sinθ cosθ dθ, known for both sides.
    constexpr int kSteps = 200000;
    double outside = 0, inside = 0;
    for (int i = 0; i < kSteps; ++i) {
        const double c = (i + 0.5) / kSteps;
        outside += fresnel(c, 1.333) * 2 * c / kSteps;
        inside += fresnel(c, 1 / 1.333) * 2 * c / kSteps;
    }
    EXPECT_NEAR(outside, 0.066406, 1e-6);
    EXPECT_NEAR(inside, 0.474591, 2e-6);
}

TEST(Optics, SnellAndReversal) {
    const Vec<double, 3> normal{0, 1, 0};
    for (double degrees = 1; degrees < 89; degrees += 4) {
        const double a = radians(degrees);
        const Vec<double, 3> d{math::sin(a), -math::cos(a), 0};
        const auto bent = refracted(d, normal, 1.333);
        ASSERT_TRUE(bent);
        EXPECT_NEAR((*bent)[0], math::sin(a) / 1.333, 1e-14);
        EXPECT_NEAR(length(*bent), 1, 1e-14);
        const auto back = refracted(-*bent, -normal, 1 / 1.333);
        ASSERT_TRUE(back);
        EXPECT_NEAR(length(*back + d), 0, 1e-12);
        EXPECT_NEAR(fresnel(-dot(*bent, normal), 1 / 1.333), fresnel(-dot(d, normal), 1.333),
                    1e-12);
    }
}

TEST(Optics, FilmIsTheSumOfItsOrders) {
    for (const double cosine : {1.0, 0.7, 0.3, 0.05}) {
        const double r = fresnel(cosine, 1.333);
        double sum = r, inner = (1 - r) * (1 - r) * r;
        for (int order = 0; order < 2000; ++order) sum += inner, inner *= r * r;
        EXPECT_NEAR(film_reflectance(cosine, 1.333), sum, 1e-9) << cosine;
    }
}

}  // namespace
}  // namespace spume

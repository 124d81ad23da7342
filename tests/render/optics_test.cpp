// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/optics.h"

#include <cmath>
#include <complex>

#include <gtest/gtest.h>

#include "spume/core/math.h"
#include "spume/render/film.h"

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

/// All orders of one polarisation, added as powers.
double orders(double r) {
    double sum = r, inner = (1 - r) * (1 - r) * r;
    for (int order = 0; order < 2000; ++order) sum += inner, inner *= r * r;
    return sum;
}

TEST(Optics, FilmIsTheSumOfItsOrdersForEachPolarisation) {
    for (const double cosine : {1.0, 0.7, 0.3, 0.05}) {
        const Polarised r = fresnel_polarised(cosine, 1.333);
        EXPECT_NEAR(r.mean(), fresnel(cosine, 1.333), 1e-14);
        EXPECT_NEAR(film_reflectance(cosine, 1.333), (orders(r.s) + orders(r.p)) / 2, 1e-9);
    }
    // With the polarisations averaged first it would be 0.1127.
    EXPECT_NEAR(film_reflectance(0.5, 1.333), 0.1075, 5e-5);
}

// The field of all orders, added with their phases: amplitudes r, t of a film's two faces.
TEST(Optics, FilmInterferesAsItsOrdersDo) {
    for (const double degrees : {0.0, 35.0, 60.0, 80.0})
        for (const double h : {50e-9, 170e-9, 400e-9, 1.3e-6}) {
            const double a = radians(degrees), b = std::asin(std::sin(a) / 1.333);
            const double turn = 4 * math::kPi * 1.333 * h * std::cos(b) / 550e-9;
            const double from_s =
                (std::cos(a) - 1.333 * std::cos(b)) / (std::cos(a) + 1.333 * std::cos(b));
            const double from_p =
                (std::cos(b) - 1.333 * std::cos(a)) / (std::cos(b) + 1.333 * std::cos(a));
            double power = 0;
            for (const double r : {from_s, from_p}) {
                std::complex<double> field = r, wave = -(1 - r * r) * r;
                for (int order = 0; order < 400; ++order)
                    wave *= std::polar(1.0, turn), field += wave, wave *= r * r;
                power += std::norm(field) / 2;
            }
            EXPECT_NEAR(film_reflectance(std::cos(a), 1.333, h, 550e-9), power, 1e-10)
                << degrees << " degrees, " << h;
        }
}

TEST(Optics, FilmIsBlackWhereThinAndBrightestAtAQuarterWave) {
    EXPECT_EQ(film_reflectance(0.8, 1.333, 0, 550e-9), 0);
    EXPECT_LT(film_reflectance(1, 1.333, 5e-9, 550e-9), 5e-4);
    const double quarter = 550e-9 / (4 * 1.333);
    EXPECT_NEAR(film_reflectance(1, 1.333, quarter, 550e-9), 0.0783, 5e-5);
    // Mean over whole fringes.
    for (const double cosine : {1.0, 0.5, 0.1}) {
        constexpr int kSteps = 2000;
        const double inside = std::sqrt(1 - (1 - cosine * cosine) / (1.333 * 1.333));
        double sum = 0;
        for (int i = 0; i < kSteps; ++i)
            sum += film_reflectance(cosine, 1.333,
                                    550e-9 / (2 * 1.333 * inside) * (i + 0.5) / kSteps, 550e-9);
        EXPECT_NEAR(sum / kSteps, film_reflectance(cosine, 1.333), 1e-9);
    }
}

TEST(Film, ColoursOfTheTableAndOfTheSumAgree) {
    const FilmReflectance table(FilmLaw::kInterference);
    double most = 0, off = 0;
    for (double cosine = 0.1; cosine <= 1; cosine += 0.0371)
        for (double h = 3e-9; h < 2.2e-6; h += 7.3e-9) {
            const Colour a = table(cosine, h), b = FilmReflectance::interference(cosine, h);
            for (int k = 0; k < 3; ++k)
                off =
                    std::max<double>(off, std::abs(a[k] - b[k]) / film_reflectance(cosine, 1.333)),
                most = std::max<double>(most, b[k]);
        }
    EXPECT_LT(off, 0.03);
    EXPECT_GT(most, 0.5);
    // Newton's first colours: black, then white, then yellowish brown where blue has gone.
    EXPECT_LT(table(1, 5e-9)[1], 1e-3);
    const Colour white = table(1, 95e-9), brown = table(1, 160e-9);
    for (int k = 0; k < 3; ++k) EXPECT_GT(white[k], 0.06);
    EXPECT_GT(brown[0], 2 * brown[2]);
    // Thick films: no colours, the mean.
    const Colour thick = table(0.7, 5e-6);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(thick[k], film_reflectance(0.7, 1.333), 1e-7);
}

TEST(Film, MeanOverThicknessIsWhiteAndOfTheMeanLaw) {
    const FilmReflectance table(FilmLaw::kInterference), mean(FilmLaw::kMean);
    Vec<double, 3> sum{};
    int n = 0;
    for (double h = 0.4e-6; h < 1.4e-6; h += 1e-9, ++n) sum += table(0.8, h).as<double>();
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(sum[k] / n, mean(0.8, 0)[k], 0.05 * mean(0.8, 0)[k]);
    EXPECT_FLOAT_EQ(FilmReflectance(FilmLaw::kThesis)(0.3, 1e-7)[0], 0.7f);  // [G04] Eq. 42
}

TEST(Film, DrainsWithAge) {
    const FilmDraining d{.begin = 1e-6, .time = 5, .least = 20e-9};
    EXPECT_DOUBLE_EQ(d.thickness(0), 1e-6);
    EXPECT_NEAR(d.thickness(5), 1e-6 * std::exp(-1.0), 1e-15);
    EXPECT_EQ(d.thickness(1000), 20e-9);
    EXPECT_DOUBLE_EQ(d.thickness(-3), 1e-6);
}

}  // namespace
}  // namespace spume

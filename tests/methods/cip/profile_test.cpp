// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/physics/motion/cip_profile.h"

namespace spume {
namespace {

/// Profiles between random ends and slopes, [SSK05] Appendix: within the ends, and monotone.
template <Profile kProfile, class T>
void stays_within(double slack) {
    for (std::uint64_t n = 0; n < 1000000; ++n) {
        const Random random(7, n, 0, Purpose::kTest);
        T v[4];
        for (std::uint32_t k = 0; k < 4; ++k) v[k] = T(20 * random.uniform(k) - 10);
        if (n % 5 == 0) v[2] = v[0];
        const T lo = std::min(v[0], v[2]), hi = std::max(v[0], v[2]);
        T last = v[0];
        for (int k = 0; k <= 8; ++k) {
            const auto p = profile_at<kProfile, T>(v[0], v[1], v[2], v[3], T(k) / 8);
            ASSERT_GE(p.value, lo);
            ASSERT_LE(p.value, hi);
            ASSERT_GE((p.value - last) * (v[2] - v[0]), -T(slack));
            ASSERT_GE(p.slope * (v[2] - v[0]), -T(slack));
            last = p.value;
        }
    }
}

TEST(CipProfile, MonotoneStaysWithinItsEnds) {
    stays_within<Profile::kMonotone, double>(1e-11);
    stays_within<Profile::kMonotone, float>(1e-2);
}
TEST(CipProfile, ClampedStaysWithinItsEnds) { stays_within<Profile::kClamped, double>(1e-11); }

/// What is monotone already is left alone: slopes of the ellipse's inside, far outside the square.
TEST(CipProfile, MonotoneSlopesAreKept) {
    const double inside[][2] = {{0, 0}, {1, 1}, {2.9, 0}, {0, 2.9}, {3, 3}, {3.9, 1.1}, {1, 3.7}};
    for (const auto& [a, b] : inside)
        for (double rise : {2.0, -0.5}) {
            double x = a * rise, y = b * rise;
            into_monotone_region(rise, x, y);
            EXPECT_DOUBLE_EQ(x, a * rise);
            EXPECT_DOUBLE_EQ(y, b * rise);
        }
    // A point outside goes onto the ellipse.
    double a = 5, b = 2;
    into_monotone_region(1.0, a, b);
    EXPECT_NEAR(a * a + a * b + b * b - 6 * (a + b) + 9, 0, 1e-12);
    EXPECT_NEAR(a / b, 2.5, 1e-12);
}

/// Ends and slopes of every profile are those given, where they are monotone data.
TEST(CipProfile, EndsAreThoseGiven) {
    const auto check = [](auto at) {
        const auto lower = at(0.0), upper = at(1.0);
        EXPECT_NEAR(lower.value, 1, 1e-14);
        EXPECT_NEAR(lower.slope, 0.5, 1e-14);
        EXPECT_NEAR(upper.value, 3, 1e-14);
        EXPECT_NEAR(upper.slope, 4, 1e-13);
        const double x = 0.3, step = 1e-6;
        EXPECT_NEAR((at(x + step).value - at(x - step).value) / (2 * step), at(x).slope, 1e-8);
    };
    check([](double x) { return profile_at<Profile::kCip>(1.0, 0.5, 3.0, 4.0, x); });
    check([](double x) { return profile_at<Profile::kMonotone>(1.0, 0.5, 3.0, 4.0, x); });
    check([](double x) { return profile_at<Profile::kRational>(1.0, 0.5, 3.0, 4.0, x); });
}

struct Line {
    std::vector<double> f, g;
};

template <Profile kProfile>
void shift(Line& line, double courant) {
    const std::size_t n = line.f.size();
    Line next = line;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t j = (i + n - 1) % n;
        const auto p =
            profile_at<kProfile>(line.f[j], line.g[j], line.f[i], line.g[i], 1 - courant);
        next.f[i] = p.value;
        next.g[i] = p.slope;
    }
    line = next;
}

Line square() {
    Line line{std::vector<double>(100, 0.0), std::vector<double>(100, 0.0)};
    for (std::size_t i = 40; i < 60; ++i) line.f[i] = 1;
    return line;
}

template <Profile kProfile>
Line carried_square() {
    Line line = square();
    for (int n = 0; n < 1000; ++n) shift<kProfile>(line, 0.2);
    return line;
}

double l1(const Line& line) {
    const Line start = square();
    double sum = 0;
    for (std::size_t i = 0; i < 100; ++i) sum += std::abs(line.f[i] - start.f[i]);
    return sum;
}

/// 20 of 100 cells at 1, CFL 0.2, 1000 steps: two turns. Unlimited CIP by an independent script:
/// largest 1.05479379, smallest −0.05480230, L1 2.74017649.
TEST(CipProfile, SquareWave) {
    const Line plain = carried_square<Profile::kCip>();
    EXPECT_NEAR(*std::max_element(plain.f.begin(), plain.f.end()), 1.05479379, 1e-7);
    EXPECT_NEAR(*std::min_element(plain.f.begin(), plain.f.end()), -0.05480230, 1e-7);
    EXPECT_NEAR(l1(plain), 2.74017649, 1e-7);
    const Line monotone = carried_square<Profile::kMonotone>();
    for (double f : monotone.f) {
        EXPECT_GE(f, 0);
        EXPECT_LE(f, 1);
    }
    EXPECT_LT(l1(monotone), 2.75);  // 2.725 by the region, 2.732 by the square
    const Line clamped = carried_square<Profile::kClamped>();
    EXPECT_LT(l1(clamped), 2.76);
    EXPECT_GT(l1(carried_square<Profile::kLinear>()), 18.9);
    const Line rational = carried_square<Profile::kRational>();
    EXPECT_LT(l1(rational), 6);
}

/// A sine over one period at CFL 0.25: third order, errors of an independent script.
TEST(CipProfile, ThirdOrderOnASine) {
    const double expected[] = {3.1401e-3, 3.9967e-4, 5.0203e-5, 6.2846e-6};
    int n = 16;
    for (double error : expected) {
        Line line;
        const double k = 2 * math::kPi / n;
        for (int i = 0; i < n; ++i) {
            line.f.push_back(math::sin(k * i));
            line.g.push_back(k * math::cos(k * i));
        }
        const Line start = line;
        for (int step = 0; step < 4 * n; ++step) shift<Profile::kCip>(line, 0.25);
        double worst = 0;
        for (std::size_t i = 0; i < line.f.size(); ++i)
            worst = std::max(worst, std::abs(line.f[i] - start.f[i]));
        EXPECT_NEAR(worst, error, 0.01 * error);  // samples of another phase
        n *= 2;
    }
}

/// A cubic in each axis is its own profile: value and derivatives in 3D.
TEST(CipProfile, TensorIsExactForCubics) {
    const auto p = [](double x, int d) {
        return d ? 1 + 4 * x - 3 * x * x : x + 2 * x * x - x * x * x;
    };
    CipNode<double, 3> corner[8];
    for (int c = 0; c < 8; ++c)
        for (int m = 0; m < 8; ++m) {
            corner[c].v[m] = 1;
            for (int a = 0; a < 3; ++a) corner[c].v[m] *= p(c >> a & 1, m >> a & 1);
        }
    const double x[3] = {0.3, 0.8, 0.45};
    const auto n = cell_at<Profile::kCip, double, 3>(corner, x);
    for (int m = 0; m < 8; ++m) {
        double expected = 1;
        for (int a = 0; a < 3; ++a) expected *= p(x[a], m >> a & 1);
        EXPECT_NEAR(n.v[m], expected, 1e-13);
    }
}

}  // namespace
}  // namespace spume

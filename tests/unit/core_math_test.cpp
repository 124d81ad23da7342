// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "spume/core/bits.h"
#include "spume/core/double_double.h"
#include "spume/core/math.h"
#include "spume/core/random.h"

namespace spume {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

double uniform(std::uint64_t i, std::uint32_t draw) {
    return Random(11, i, 0, Purpose::kTest).uniform(draw);
}

/// Any finite double, each exponent as likely as any other.
double any_double(std::uint64_t i, std::uint32_t draw) {
    const double x =
        std::ldexp(1 + uniform(i, draw), static_cast<int>(uniform(i, draw + 1) * 2098) - 1074);
    return uniform(i, draw + 2) < 0.5 ? x : -x;
}

/// Distance in units of the last place of the reference.
double error_in_ulp(double got, long double want) {
    const double rounded = static_cast<double>(want);
    if (std::isnan(rounded)) return std::isnan(got) ? 0 : 1e300;
    if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : 1e300;
    int exponent = rounded == 0 ? -1074 : std::max(std::ilogb(rounded) - 52, -1074);
    return static_cast<double>(std::fabs(static_cast<long double>(got) - want) /
                               std::ldexp(1.0L, exponent));
}

using Case = std::function<double(std::uint64_t)>;
void expect_close(const char* what, double limit, int samples, const Case& error) {
    double worst = 0;
    std::uint64_t at = 0;
    for (int i = 0; i < samples; ++i) {
        const double e = error(static_cast<std::uint64_t>(i));
        if (e > worst) worst = e, at = static_cast<std::uint64_t>(i);
    }
    EXPECT_LT(worst, limit) << what << ", sample " << at;
    testing::Test::RecordProperty(what, std::to_string(worst));
}

#ifdef __EMSCRIPTEN__
constexpr bool kPreciseReference = false;
#else
constexpr bool kPreciseReference = true;
#endif
constexpr const char* kNoReference =
    "exp, log and pow of long double are no better than those of double in this C library";

TEST(Math, ExpWithinOneUlp) {
    if (!kPreciseReference) GTEST_SKIP() << kNoReference;
    auto error = [](double x) {
        return error_in_ulp(math::exp(x), std::exp(static_cast<long double>(x)));
    };
    expect_close("exp", 1, 400000, [&](auto i) { return error(-760 + 1480 * uniform(i, 0)); });
    expect_close("exp_small", 1, 200000, [&](auto i) { return error(-1 + 2 * uniform(i, 0)); });
    expect_close("exp_any", 1, 100000, [&](auto i) { return error(any_double(i, 0)); });
    EXPECT_EQ(math::exp(0), 1);
    EXPECT_EQ(math::exp(-kInf), 0);
    EXPECT_EQ(math::exp(kInf), kInf);
    EXPECT_TRUE(std::isnan(math::exp(kNaN)));
    EXPECT_EQ(math::exp(709.782712893384), 0x1.fffffffffff2ap+1023);
    EXPECT_EQ(math::exp(709.7827128933841), kInf);
}

TEST(Math, LogWithinOneUlp) {
    if (!kPreciseReference) GTEST_SKIP() << kNoReference;
    auto error = [](double x) {
        return error_in_ulp(math::log(x), std::log(static_cast<long double>(x)));
    };
    expect_close("log", 1, 300000, [&](auto i) { return error(std::fabs(any_double(i, 0))); });
    expect_close("log_near_1", 1, 300000, [&](auto i) { return error(0.5 + 1.5 * uniform(i, 0)); });
    expect_close("log_at_1", 1, 100000, [&](auto i) {
        return error(1 + (uniform(i, 0) - 0.5) * std::ldexp(1, -static_cast<int>(i % 52)));
    });
    EXPECT_EQ(math::log(1), 0);
    EXPECT_EQ(math::log(0), -kInf);
    EXPECT_EQ(math::log(kInf), kInf);
    EXPECT_TRUE(std::isnan(math::log(-1)));
    EXPECT_TRUE(std::isnan(math::log(kNaN)));
    EXPECT_LT(error(kTiny), 1);
}

TEST(Math, PowWithinOneUlp) {
    if (!kPreciseReference) GTEST_SKIP() << kNoReference;
    auto error = [](double x, double y) {
        return error_in_ulp(math::pow(x, y),
                            std::pow(static_cast<long double>(x), static_cast<long double>(y)));
    };
    // Exponents chosen so that results fill the whole range of doubles.
    expect_close("pow", 1, 400000, [&](auto i) {
        const double x = std::fabs(any_double(i, 0));
        return error(x, (2 * uniform(i, 5) - 1) * 745 / std::fabs(std::log(x)));
    });
    expect_close("pow_near_1", 1, 200000, [&](auto i) {
        const double x = 1 + (uniform(i, 0) - 0.5) * std::ldexp(1, -static_cast<int>(i % 50));
        return x == 1 ? 0 : error(x, (2 * uniform(i, 5) - 1) * 740 / std::fabs(std::log(x)));
    });
    expect_close("pow_drag", 1, 200000, [&](auto i) { return error(1e5 * uniform(i, 0), 0.687); });
    expect_close("pow_any", 1, 100000,
                 [&](auto i) { return error(any_double(i, 0), any_double(i, 5)); });
}

TEST(Math, PowSpecialValuesAreThoseOfC) {
    const double values[] = {0.0,   -0.0,   1,     -1,     2,      -2,         0.5,
                             -0.5,  3,      -3,    1.5,    kInf,   -kInf,      kNaN,
                             kTiny, -kTiny, 1e308, -1e308, 0x1p53, 0x1p53 + 2, -0x1p53 + 1};
    for (double x : values)
        for (double y : values) {
            const double want = std::pow(x, y), got = math::pow(x, y);
            if (std::isnan(want))
                EXPECT_TRUE(std::isnan(got)) << x << " " << y;
            else {
                EXPECT_LT(error_in_ulp(got, want), 1.5) << x << " " << y << " " << got;
                EXPECT_EQ(std::signbit(got), std::signbit(want)) << x << " " << y;
            }
        }
}

TEST(Math, CbrtWithinOneUlp) {
    auto error = [](double x) {
        return error_in_ulp(math::cbrt(x), std::cbrt(static_cast<long double>(x)));
    };
    expect_close("cbrt", 1, 400000, [&](auto i) { return error(any_double(i, 0)); });
    for (int n = -100; n <= 100; ++n) EXPECT_EQ(math::cbrt(n * n * n), n);
    EXPECT_EQ(math::cbrt(kInf), kInf);
    EXPECT_TRUE(std::signbit(math::cbrt(-0.0)));
    EXPECT_LT(error(kTiny), 1);
    EXPECT_LT(error(0x1.fffffffffffffp1023), 1);
}

TEST(Math, SinAndCosWithinOneUlp) {
    auto error = [](double x) {
        const auto wide = static_cast<long double>(x);
        return std::max(error_in_ulp(math::sin(x), std::sin(wide)),
                        error_in_ulp(math::cos(x), std::cos(wide)));
    };
    expect_close("sincos", 1, 200000, [&](auto i) { return error(20 * uniform(i, 0) - 10); });
    expect_close("sincos_large", 1, 200000,
                 [&](auto i) { return error(4e6 * (uniform(i, 0) - 0.5)); });
    expect_close("sincos_any", 1, 200000, [&](auto i) { return error(any_double(i, 0)); });
    // Next to multiples of π/2, where the reduction cancels.
    expect_close("sincos_pole", 1, 100000, [&](auto i) {
        return error(static_cast<double>(i * i / 7 + 1) * (math::kPi / 2));
    });
    EXPECT_LT(error(0x1.6ac5b262ca1ffp+849), 1);  // the double nearest to a multiple of π/2
    EXPECT_EQ(math::cos(0), 1);
    EXPECT_TRUE(std::signbit(math::sin(-0.0)));
    EXPECT_EQ(math::sin(kTiny), kTiny);
    EXPECT_TRUE(std::isnan(math::sin(kInf)) && std::isnan(math::cos(-kInf)) &&
                std::isnan(math::cos(kNaN)));
}

TEST(Math, Atan2WithinOneUlpAndAcosWithinTwo) {
    auto error = [](double y, double x) {
        return error_in_ulp(math::atan2(y, x),
                            std::atan2(static_cast<long double>(y), static_cast<long double>(x)));
    };
    expect_close("atan2", 1, 300000,
                 [&](auto i) { return error(uniform(i, 0) - 0.5, uniform(i, 1) - 0.5); });
    expect_close("atan2_any", 1, 200000,
                 [&](auto i) { return error(any_double(i, 0), any_double(i, 5)); });
    expect_close("atan", 1, 200000, [&](auto i) { return error(any_double(i, 0), 1); });
    expect_close("acos", 2, 300000, [&](auto i) {
        const double x = 2 * uniform(i, 0) - 1;
        return error_in_ulp(math::acos(x), std::acos(static_cast<long double>(x)));
    });
    expect_close("acos_at_1", 2, 100000, [&](auto i) {
        const double x = 1 - uniform(i, 0) * std::ldexp(1, -static_cast<int>(i % 53));
        return std::max(error_in_ulp(math::acos(x), std::acos(static_cast<long double>(x))),
                        error_in_ulp(math::acos(-x), std::acos(static_cast<long double>(-x))));
    });
    const double values[] = {0.0, -0.0, 1, -1, kInf, -kInf, kTiny, -kTiny, 1e308, -1e308, kNaN};
    for (double y : values)
        for (double x : values) {
            const double want = std::atan2(y, x), got = math::atan2(y, x);
            if (std::isnan(want))
                EXPECT_TRUE(std::isnan(got));
            else {
                EXPECT_EQ(got, want) << y << " " << x;
                EXPECT_EQ(std::signbit(got), std::signbit(want)) << y << " " << x;
            }
        }
    EXPECT_EQ(math::acos(1), 0);
    EXPECT_EQ(math::acos(-1), math::kPi);
    EXPECT_TRUE(std::isnan(math::acos(0x1.0000000000001p0)));
}

TEST(Math, BitsAreThoseOfTheFirstRelease) {
    // Every machine and compiler must give this sum of bit patterns.
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const double x = any_double(i, 0), y = 30 * uniform(i, 5) - 15;
        for (double v :
             {math::exp(y), math::log(std::fabs(x)), math::pow(std::fabs(x), y / 15), math::cbrt(x),
              math::sin(x), math::cos(y), math::atan2(x, y), math::acos(y / 15)})
            sum = sum * 6364136223846793005u + bits_as<std::uint64_t>(v);
    }
    EXPECT_EQ(sum, 0xf62a190d8c49ab23u) << std::hex << sum;
}

TEST(Math, ProductErrorIsExact) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const double a = 2 * uniform(i, 0) - 1, b = 2 * uniform(i, 1) - 1;
        const math::DoubleDouble p = math::two_product(a, b);
        EXPECT_EQ(p.lo, std::fma(a, b, -p.hi));
    }
}

}  // namespace
}  // namespace spume

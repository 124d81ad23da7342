// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/math.h"

#include <cmath>
#include <limits>

#include "spume/core/bits.h"
#include "spume/core/double_double.h"

namespace spume::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// ln 2 = hi + lo; hi has 32 bits, so that k · hi is exact for every exponent k.
constexpr double kLn2Hi = 0x1.62e42fee00000p-1;
constexpr double kLn2Lo = 0x1.a39ef35793c76p-33;
constexpr double kLn2Rest = 0x1.cc01f97b57a08p-87;

/// x = 2^exponent · mantissa with √½ ≤ mantissa < √2, for finite x > 0.
struct Split {
    int exponent;
    double mantissa;
};

Split split(double x) {
    int exponent = 0;
    if (x < std::numeric_limits<double>::min()) {
        x *= 0x1p54;
        exponent = -54;
    }
    std::uint64_t bits = bits_as<std::uint64_t>(x);
    exponent += static_cast<int>(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    double mantissa = bits_as<double>(bits);
    if (mantissa >= 0x1.6a09e667f3bcdp+0) {
        mantissa *= 0.5;
        ++exponent;
    }
    return {exponent, mantissa};
}

/// exp(x + tail) for |tail| well below one unit of x. The series of exp on |r| ≤ ln 2 / 2; the
/// first left-out term is 4e-18.
double exp_of_sum(double x, double tail) {
    if (x > 709.79) return kInfinity;
    if (x < -745.2) return 0;
    const double k = std::floor(x * 0x1.71547652b82fep+0 + 0.5);
    const double a = x - k * kLn2Hi;
    const double b = k * kLn2Lo - tail;
    const double r = a - b;
    const double rest = (a - r) - b;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    return scale(1 + (r + (p * (r * r) + rest)), static_cast<int>(k));
}

/// log x to about 2^-68 relative. With s = f / (2 + f), log(1 + f) = 2 s (1 + s²/3 + s⁴/5 + …);
/// the terms that matter beyond double precision are summed as pairs.
DoubleDouble precise_log(double x) {
    const Split parts = split(x);
    const double f = parts.mantissa - 1;
    const DoubleDouble denominator = two_sum(2, f);
    const double s_hi = f / denominator.hi;
    const DoubleDouble back = two_product(s_hi, denominator.hi);
    const double s_lo = (((f - back.hi) - back.lo) - s_hi * denominator.lo) / denominator.hi;
    const DoubleDouble s{s_hi, s_lo};
    const DoubleDouble z = multiply(s, s);
    double tail = 1.0 / 29;
    for (int n = 27; n >= 7; n -= 2) tail = tail * z.hi + 1.0 / n;
    DoubleDouble sum =
        add({0x1.999999999999ap-3, -0x1.999999999999ap-57}, multiply(z, DoubleDouble{tail, 0}));
    sum = add({0x1.5555555555555p-2, 0x1.5555555555555p-56}, multiply(z, sum));
    sum = add({1, 0}, multiply(z, sum));
    const DoubleDouble log_mantissa = multiply(DoubleDouble{2 * s.hi, 2 * s.lo}, sum);
    const double k = parts.exponent;
    DoubleDouble low = two_product(k, kLn2Lo);
    low.lo += k * kLn2Rest;
    return add(add({k * kLn2Hi, 0}, low), log_mantissa);
}

/// x^y for finite x > 0, x ≠ 1, finite y ≠ 0.
double positive_power(double x, double y) {
    const DoubleDouble log_x = precise_log(x);
    // |log x| ≥ 2^-53 here, so such an exponent is out of range, and products below cannot
    // overflow.
    if (std::fabs(y) >= 0x1p64) return (y > 0) == (log_x.hi > 0) ? kInfinity : 0;
    if (std::fabs(y) < 0x1p-64) return 1;
    const DoubleDouble product = multiply(log_x, DoubleDouble{y, 0});
    return exp_of_sum(product.hi, product.lo);
}

bool is_integer(double y) { return std::fabs(y) >= 0x1p53 || y == std::floor(y); }
bool is_odd(double y) { return std::fabs(y) < 0x1p53 && is_integer(y) && is_integer((y - 1) / 2); }

}  // namespace

double exp(double x) {
    if (x != x) return x;
    return exp_of_sum(x, 0);
}

double log(double x) {
    if (!(x > 0)) return x == 0 ? -kInfinity : kNaN;
    if (x == kInfinity) return x;
    const Split parts = split(x);
    const double f = parts.mantissa - 1;
    // 2 s = f − f²/2 + s f²/2 keeps f, which is exact, as the leading term.
    const double s = f / (2 + f);
    const double z = s * s;
    double p = 2.0 / 25;
    for (int n = 23; n >= 3; n -= 2) p = p * z + 2.0 / n;
    const double half_square = 0.5 * f * f;
    const double k = parts.exponent;
    const double small = s * (half_square + z * p) + k * kLn2Lo;
    return k * kLn2Hi + (f - (half_square - small));
}

double pow(double x, double y) {
    if (x == 1 || y == 0) return 1;
    if (x != x || y != y) return kNaN;
    const double size = std::fabs(x);
    const double sign = std::signbit(x) && is_odd(y) ? -1 : 1;
    if (std::isinf(y)) {
        if (size == 1) return 1;
        return (size > 1) == (y > 0) ? kInfinity : 0;
    }
    if (size == 0) return y > 0 ? sign * 0.0 : sign * kInfinity;
    if (size == kInfinity) return y > 0 ? sign * kInfinity : sign * 0.0;
    if (x < 0 && !is_integer(y)) return kNaN;
    if (size == 1) return sign;
    return sign * positive_power(size, y);
}

double cbrt(double x) {
    if (!(std::fabs(x) < kInfinity) || x == 0) return x;
    double size = std::fabs(x);
    int thirds = 0;
    if (size < 0x1p-1000) {
        size *= 0x1p54;
        thirds = -18;
    }
    const int exponent = static_cast<int>(bits_as<std::uint64_t>(size) >> 52) - 1023;
    const int third = (exponent >= 0 ? exponent : exponent - 2) / 3;
    const double m = scale(size, -3 * third);     // 1 ≤ m < 8
    double t = 0.70 + m * (0.3107 - 0.0186 * m);  // within 5 %
    for (int i = 0; i < 2; ++i) {                 // Halley: the error is cubed
        const double cube = t * t * t;
        t *= (cube + 2 * m) / (2 * cube + m);
    }
    // With t cut to 24 bits its square is exact, and one more step ends within 0.7 units.
    t = bits_as<double>(bits_as<std::uint64_t>(t) & ~std::uint64_t{0x1fffffff});
    const double q = m / (t * t);
    t += t * ((q - t) / (2 * t + q));
    return std::copysign(t * power_of_two(third + thirds), x);
}

}  // namespace spume::math

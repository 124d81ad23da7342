// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>

#include "spume/core/bits.h"

namespace spume::math {

// A number as the unevaluated sum of two doubles, about 104 bits. Every step is exact or rounds the
// same way with and without hardware FMA: the exact error of a product is the same by either route.
struct DoubleDouble {
    double hi, lo;
};

/// a + b without loss.
inline DoubleDouble two_sum(double a, double b) {
    const double s = a + b;
    const double t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}

/// The same for |a| ≥ |b|.
inline DoubleDouble fast_two_sum(double a, double b) {
    const double s = a + b;
    return {s, b - (s - a)};
}

/// a · b without loss, for |a|, |b| < 2^990 and a product that does not underflow.
inline DoubleDouble two_product(double a, double b) {
    const double p = a * b;
#if defined(__FMA__)
    return {p, __builtin_fma(a, b, -p)};
#else
    constexpr double kSplit = 0x1p27 + 1;
    const double ca = kSplit * a, cb = kSplit * b;
    const double ah = ca - (ca - a), bh = cb - (cb - b);
    const double al = a - ah, bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
#endif
}

inline DoubleDouble add(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble s = two_sum(a.hi, b.hi);
    return fast_two_sum(s.hi, s.lo + (a.lo + b.lo));
}

inline DoubleDouble multiply(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble p = two_product(a.hi, b.hi);
    return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/// 2^k for −1022 ≤ k ≤ 1023.
inline double power_of_two(int k) {
    return bits_as<double>(static_cast<std::uint64_t>(1023 + k) << 52);
}

/// x · 2^k, rounded once at most.
inline double scale(double x, int k) {
    if (k > 1023) return x * 0x1p1023 * power_of_two(k - 1023);
    if (k < -1022) return x * power_of_two(k + 54) * 0x1p-54;
    return x * power_of_two(k);
}

}  // namespace spume::math

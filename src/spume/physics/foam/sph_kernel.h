// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include "spume/core/math.h"
#include "spume/particles/bubble_size.h"

namespace spume::sph {

// The cubic kernel of [WFS22] Eq. 46 with support radius h, normalised: as printed it integrates to
// 1/8. With t = (2 − q)₊ and s = (1 − q)₊ both of its pieces are one formula,
//
//   W(x, h) = σ h⁻ᴰ ω(2|x|/h),   ω(q) = ¼ t³ − s³,   ω′(q) = −¾ t² + 3 s²

/// σ: 8/π, and 40/7π in the plane.
template <int D>
inline constexpr double kNorm = D == 2 ? 40 / (7 * math::kPi) : 8 / math::kPi;

/// a where it is positive, else 0; of numbers or of several at once.
template <class T>
inline T positive(T a) {
    return a > 0.0f ? a : a - a;
}
template <class T>
inline T omega(T q) {
    const T t = positive(2.0f - q), s = positive(1.0f - q);
    return 0.25f * (t * t * t) - s * s * s;
}
template <class T>
inline T omega_derivative(T q) {
    const T t = positive(2.0f - q), s = positive(1.0f - q);
    return 3.0f * (s * s) - 0.75f * (t * t);
}
/// ω′(q) / q, which is −3 at 0; below q = 1e-3 it falls to 0 instead.
inline double omega_slope(double q) {
    constexpr double kLeast = 1e-3;
    return omega_derivative(q) / (kLeast + positive(q - kLeast));
}

/// hᴰ by multiplication.
template <int D, class T>
inline T power(T h) {
    return D == 2 ? h * h : h * h * h;
}

template <int D>
inline double kernel(double distance, double h) {
    return kNorm<D> / power<D>(h) * omega(2 * distance / h);
}

/// f(distance, count) for each ring of a plane of spheres of radius 1, packed as densely as can be,
/// around one of them, itself first, up to `reach`; 2D: of a row of discs.
template <int D, class F>
void for_packed(double reach, F&& f) {
    const int n = static_cast<int>(reach / 2) + 2;
    if constexpr (D == 2) {
        for (int l = -n; l <= n; ++l)
            if (2 * std::abs(l) <= reach) f(2.0 * std::abs(l));
    } else {
        for (int m = -2 * n; m <= 2 * n; ++m)
            for (int l = -2 * n; l <= 2 * n; ++l) {
                const double x = 2 * l + (m & 1), y = std::sqrt(3.0) * m;
                const double d = std::sqrt(x * x + y * y);
                if (d <= reach) f(d);
            }
    }
}

/// η(β) = ρ_p / ρ_0 of one layer of equal spheres packed at distances 2r, h = βr: [WFS22] Eq. 47.
template <int D>
double packed_ratio(double beta) {
    double sum = 0;
    for_packed<D>(beta, [&](double d) { sum += bubble_volume<D>(1) * kernel<D>(d, beta); });
    return sum;
}

/// N_avg = βᴰ η, [WFS22] Eq. 49: what a ball of radius h would hold if it were as full everywhere.
template <int D>
double packed_count(double beta) {
    return power<D>(beta) * packed_ratio<D>(beta);
}

/// The part of the surface that equal spheres, packed as densely as can be, cover.
template <int D>
inline constexpr double kPackedCover = D == 2 ? 1.0 : 0.90689968211710892530;  // π / √12

}  // namespace spume::sph

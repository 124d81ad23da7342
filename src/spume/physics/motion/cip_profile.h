// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace spume {

// Profiles between two samples from values and derivatives at both, [SSK05] §4.1 and Appendix, in
// units of the distance between them.

/// How a field goes between its samples.
enum class Profile {
    kLinear,    ///< values alone, [Sta99]
    kCip,       ///< the cubic of [SSK05] Eq. 4, as [YXU01]: no limiter, third order
    kMonotone,  ///< derivatives brought into the region of [SSK05] Fig. 7 (Appendix, corrected)
    kClamped,   ///< derivatives cut to [0, 3Δ]: the square inside that region
    kRational   ///< [XYI96]: a rational function where the data is convex or concave
};

// T below is float, double or a vector of them (cip_lanes.h): choices are written so that they are
// made lane by lane, without a branch.

template <class T>
inline auto element(const T& x) {
    if constexpr (std::is_floating_point_v<T>)
        return x;
    else
        return x[0];
}
template <class T>
inline T lesser(T a, T b) {
    return b < a ? b : a;
}
template <class T>
inline T greater(T a, T b) {
    return a < b ? b : a;
}
template <class T>
inline T magnitude(T a) {
    return a < T{} ? -a : a;
}
template <class T>
inline T root(T a) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::sqrt(a);
    } else {
        using E = decltype(element(a));
        constexpr std::size_t kCount = sizeof(T) / sizeof(E);
        E x[kCount], r[kCount];
        std::memcpy(x, &a, sizeof(T));
        for (std::size_t l = 0; l < kCount; ++l) r[l] = std::sqrt(x[l]);
        std::memcpy(&a, r, sizeof(T));
        return a;
    }
}

/// Derivatives a, b at both ends of a rise by `rise`, made those of a monotone cubic. It is
/// monotone where both have the sign of the rise and, in units of it, a + b ≤ 3 or inside the
/// ellipse
///
///   a² + ab + b² − 6 (a + b) + 9 ≤ 0        [SSK05] Appendix with the constant of [FC80]
///
/// Points outside go there along the ray to the origin: by 3 (a + b + √(ab)) / (a² + ab + b²), the
/// farther crossing of the ray with the ellipse.
template <class T>
inline void into_monotone_region(T rise, T& a, T& b) {
    using E = decltype(element(T{}));
    a = a * rise > T{} ? a : T{};
    b = b * rise > T{} ? b : T{};
    const T sum = magnitude(a) + magnitude(b), product = a * b;
    const T square = sum * sum - product, reach = E(3) * magnitude(rise) * (sum + root(product));
    const T ratio = reach / square, scale = reach < square ? ratio : T{} + E(1);
    a *= scale;
    b *= scale;
}

/// Derivatives cut to [0, 3 rise].
template <class T>
inline void into_square(T rise, T& a, T& b) {
    using E = decltype(element(T{}));
    const T end = E(3) * rise, lo = lesser(T{}, end), hi = greater(T{}, end);
    a = lesser(greater(a, lo), hi);
    b = lesser(greater(b, lo), hi);
}

template <class T>
struct ProfilePoint {
    T value, slope;
};

/// [XYI96]: (C₀ + C₁x + C₂x² + C₃x³) / (1 + αBx), α = 1 where the data is convex or concave.
template <class T>
inline ProfilePoint<T> rational_at(T f0, T g0, T f1, T g1, T x) {
    using E = decltype(element(T{}));
    const T s = f1 - f0, before = s - g0, after = g1 - s, bend = before * after;
    const T ratio = magnitude(before / after) - E(1), b = bend > T{} ? ratio : T{};
    const T c1 = g0 + f0 * b, c3 = bend > T{} ? T{} : after - before;
    const T c2 = s * b + before - c3;
    const T above = f0 + x * (c1 + x * (c2 + x * c3)), below = E(1) + b * x;
    const T value = above / below;
    return {value, (c1 + x * (E(2) * c2 + E(3) * x * c3) - value * b) / below};
}

/// Value and derivative at x, 0 … 1.
template <Profile kProfile, class T>
inline ProfilePoint<T> profile_at(T f0, T g0, T f1, T g1, T x) {
    using E = decltype(element(T{}));
    const T rise = f1 - f0;
    if constexpr (kProfile == Profile::kLinear) return {f0 + rise * x, rise};
    if constexpr (kProfile == Profile::kRational) return rational_at(f0, g0, f1, g1, x);
    if constexpr (kProfile == Profile::kMonotone) into_monotone_region(rise, g0, g1);
    if constexpr (kProfile == Profile::kClamped) into_square(rise, g0, g1);
    // [SSK05] Eq. 4 with Δx = 1.
    const T a = g0 + g1 - E(2) * rise, b = rise - g0 - a;
    T value = ((a * x + b) * x + g0) * x + f0;
    if constexpr (kProfile == Profile::kMonotone || kProfile == Profile::kClamped)
        value = lesser(greater(value, lesser(f0, f1)), greater(f0, f1));  // rounding
    return {value, (E(3) * a * x + E(2) * b) * x + g0};
}

/// A sample with its derivatives: v[m] is differentiated once along each axis whose bit is set in
/// m.
template <class T, int D>
struct CipNode {
    T v[1 << D];
};

/// Value and all derivatives at x in a cell whose corner c is the upper one along axis a where its
/// bit a is set: axis by axis as [SSK05] Fig. 2, [φ φ_x] and [φ_y φ_xy] along x, and so on.
/// Corners are overwritten.
template <Profile kProfile, class T, int D>
inline CipNode<T, D> cell_at(CipNode<T, D> (&corner)[1 << D], const T (&x)[D]) {
    for (int a = 0; a < D; ++a)
        for (int c = 0; c < (1 << (D - a - 1)); ++c)
            for (int m = 0; m < (1 << D); ++m) {
                const int with = m | 1 << a;
                if (m == with) continue;
                const auto p = profile_at<kProfile, T>(corner[2 * c].v[m], corner[2 * c].v[with],
                                                       corner[2 * c + 1].v[m],
                                                       corner[2 * c + 1].v[with], x[a]);
                corner[c].v[m] = p.value;
                corner[c].v[with] = p.slope;
            }
    return corner[0];
}

}  // namespace spume

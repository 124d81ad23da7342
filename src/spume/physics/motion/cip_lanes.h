// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "spume/grid/dense.h"
#include "spume/physics/motion/cip_profile.h"

namespace spume {

// Several samples of a row at a time; what a lane computes does not depend on the others, and is
// bit for bit what one sample alone would get.

/// A vector of 32 bytes of values and what goes with it.
template <class T>
struct Pack;
template <>
struct Pack<float> {
    static constexpr int kLanes = 8;
    using Values = float __attribute__((vector_size(32)));
    using Quad = float __attribute__((vector_size(16)));
    using Pair = float __attribute__((vector_size(8)));
    using Ints = std::int32_t __attribute__((vector_size(32)));
};
template <>
struct Pack<double> {
    static constexpr int kLanes = 4;
    using Values = double __attribute__((vector_size(32)));
    using Quad = double __attribute__((vector_size(32)));
    using Pair = double __attribute__((vector_size(16)));
    using Ints = std::int32_t __attribute__((vector_size(16)));
};

template <class V, class T>
inline V load_as(const T* p) {
    V v;
    std::memcpy(&v, p, sizeof(V));
    return v;
}
template <class T>
inline typename Pack<T>::Values load_pack(const T* p) {
    return load_as<typename Pack<T>::Values>(p);
}
/// Up to `count` values; lanes beyond repeat the last one.
template <class T>
inline typename Pack<T>::Values load_pack(const T* p, int count) {
    if (count >= Pack<T>::kLanes) return load_pack(p);
    T v[Pack<T>::kLanes];
    for (int l = 0; l < Pack<T>::kLanes; ++l) v[l] = p[std::min(l, count - 1)];
    return load_pack(v);
}
template <class T>
inline void store_pack(const typename Pack<T>::Values& v, T* p, int count) {
    if (count >= Pack<T>::kLanes)
        std::memcpy(p, &v, sizeof(v));
    else
        for (int l = 0; l < count; ++l) p[l] = v[l];
}

// Compilers for WebAssembly take conversions of doubles to integers apart, lane by lane. There
// whole numbers are found by adding 2⁵², whose last binary digit is one: they are the last digits
// then.
#ifdef __wasm__
template <class T>
inline constexpr bool kByAddition = sizeof(T) == 8;
#else
template <class T>
inline constexpr bool kByAddition = false;
#endif
template <class T>
inline constexpr T kUnit = T(4503599627370496.0);

/// Cells that hold some points, and the points' places in them, 0 … 1.
template <class T, int D>
struct PackCells {
    using Values = typename Pack<T>::Values;
    Values w[D];
    std::int32_t base[Pack<T>::kLanes];

    PackCells(const Values (&x)[D], const DensePlace<D>& place) {
        using Ints = typename Pack<T>::Ints;
        const DenseShape<D>& shape = place.shape;
        std::conditional_t<kByAddition<T>, Values, Ints> sum{};
        for (int a = 0; a < D; ++a) {
            const auto stride = std::int32_t(shape.stride(a));
            // ≥ −½: floor by a shift, one more and one less.
            const Values u = x[a] - T(place.offset[a]) + T(1);
            if constexpr (kByAddition<T>) {
                const Values near = (u + kUnit<T>)-kUnit<T>, lower = near > u ? near - T(1) : near;
                w[a] = u - lower;
                sum += (lower + T(DenseShape<D>::kGhosts - 1)) * T(stride);
            } else {
                const Ints lower = __builtin_convertvector(u, Ints);
                w[a] = u - __builtin_convertvector(lower, Values);
                sum += (lower + (DenseShape<D>::kGhosts - 1)) * stride;
            }
        }
        if constexpr (kByAddition<T>) {
            const Values last = sum + kUnit<T>;
            std::int32_t halves[2 * Pack<T>::kLanes];
            std::memcpy(halves, &last, sizeof(last));
            for (int l = 0; l < Pack<T>::kLanes; ++l) base[l] = halves[2 * l];
        } else {
            std::memcpy(base, &sum, sizeof(sum));
        }
    }
};

/// The values at some places, and those one behind each.
inline void load_pairs(const double* p, const std::int32_t (&at)[4], Pack<double>::Values& low,
                       Pack<double>::Values& high) {
    using Pair = Pack<double>::Pair;
    const auto a = load_as<Pair>(p + at[0]), b = load_as<Pair>(p + at[1]),
               c = load_as<Pair>(p + at[2]), d = load_as<Pair>(p + at[3]);
    const auto ac = __builtin_shufflevector(a, c, 0, 1, 2, 3),
               bd = __builtin_shufflevector(b, d, 0, 1, 2, 3);
    low = __builtin_shufflevector(ac, bd, 0, 4, 2, 6);
    high = __builtin_shufflevector(ac, bd, 1, 5, 3, 7);
}
inline void load_pairs(const float* p, const std::int32_t (&at)[8], Pack<float>::Values& low,
                       Pack<float>::Values& high) {
    using Pair = Pack<float>::Pair;
    Pack<float>::Quad four[4];
    for (int k = 0; k < 4; ++k)
        four[k] = __builtin_shufflevector(load_as<Pair>(p + at[2 * k]),
                                          load_as<Pair>(p + at[2 * k + 1]), 0, 1, 2, 3);
    const auto front = __builtin_shufflevector(four[0], four[1], 0, 2, 4, 6, 1, 3, 5, 7),
               back = __builtin_shufflevector(four[2], four[3], 0, 2, 4, 6, 1, 3, 5, 7);
    low = __builtin_shufflevector(front, back, 0, 1, 2, 3, 8, 9, 10, 11);
    high = __builtin_shufflevector(front, back, 4, 5, 6, 7, 12, 13, 14, 15);
}

/// Multilinear samples of values whose ghosts are filled.
template <class T, int D>
inline typename Pack<T>::Values sample_pack(const T* values, const DenseShape<D>& shape,
                                            const PackCells<T, D>& cells) {
    using Values = typename Pack<T>::Values;
    constexpr int kHalf = 1 << (D - 1);
    Values low[kHalf], high[kHalf];  // by the corner along all axes but the last
    for (int k = 0; k < kHalf; ++k) {
        std::size_t o = 0;
        for (int a = 0; a < D - 1; ++a) o += (k >> a & 1) ? shape.stride(a) : 0;
        load_pairs(values + o, cells.base, low[k], high[k]);
    }
    for (int a = 0; a < D - 1; ++a)
        for (int k = 0; k < (kHalf >> (a + 1)); ++k) {
            low[k] = low[2 * k] + (low[2 * k + 1] - low[2 * k]) * cells.w[a];
            high[k] = high[2 * k] + (high[2 * k + 1] - high[2 * k]) * cells.w[a];
        }
    return low[0] + (high[0] - low[0]) * cells.w[D - 1];
}

/// The same at places of a lattice half a voxel off along some axes: `off` there, −1 or 1 by where
/// the sample stands.
template <class T, int D>
inline typename Pack<T>::Values sample_between(const T* at, const DenseShape<D>& shape,
                                               const int (&off)[D]) {
    using Values = typename Pack<T>::Values;
    Values c[1 << D];
    for (int k = 0; k < (1 << D); ++k) {
        const T* p = at;
        bool read = true;
        for (int a = 0; a < D; ++a) {
            const auto stride = std::ptrdiff_t(shape.stride(a));
            if (off[a] < 0) p -= stride;
            if ((k >> a & 1) != 0) p += stride, read = read && off[a] != 0;
        }
        if (read) c[k] = load_pack(p);
    }
    for (int a = 0; a < D; ++a)
        for (int k = 0; k < (1 << (D - a - 1)); ++k) {
            bool read = true;  // what stands here is of a corner that was read
            for (int b = a + 1; b < D; ++b)
                read = read && (off[b] != 0 || (k >> (b - a - 1) & 1) == 0);
            if (!read) continue;
            c[k] = off[a] == 0 ? c[2 * k] : c[2 * k] + (c[2 * k + 1] - c[2 * k]) * T(0.5);
        }
    return c[0];
}

/// Rows of four values become columns.
template <class T>
inline void transpose(typename Pack<T>::Quad (&q)[4]) {
    using Quad = typename Pack<T>::Quad;
    if constexpr (sizeof(T) == 8) {  // within halves of the vector, then across
        const Quad a = __builtin_shufflevector(q[0], q[1], 0, 4, 2, 6),
                   b = __builtin_shufflevector(q[0], q[1], 1, 5, 3, 7),
                   c = __builtin_shufflevector(q[2], q[3], 0, 4, 2, 6),
                   d = __builtin_shufflevector(q[2], q[3], 1, 5, 3, 7);
        q[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
        q[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
        q[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
        q[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
    } else {
        const Quad a = __builtin_shufflevector(q[0], q[1], 0, 4, 1, 5),
                   b = __builtin_shufflevector(q[0], q[1], 2, 6, 3, 7),
                   c = __builtin_shufflevector(q[2], q[3], 0, 4, 1, 5),
                   d = __builtin_shufflevector(q[2], q[3], 2, 6, 3, 7);
        q[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
        q[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
        q[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
        q[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
    }
}

/// The nodes at some places, lane by lane.
template <class T, int D>
inline void load_nodes(const CipNode<T, D>* nodes, const std::int32_t (&at)[Pack<T>::kLanes],
                       CipNode<typename Pack<T>::Values, D>& out) {
    using Quad = typename Pack<T>::Quad;
    for (int m = 0; m < (1 << D); m += 4) {
        Quad group[Pack<T>::kLanes / 4][4];
        for (int g = 0; g < Pack<T>::kLanes / 4; ++g) {
            for (int l = 0; l < 4; ++l) group[g][l] = load_as<Quad>(nodes[at[4 * g + l]].v + m);
            transpose<T>(group[g]);
        }
        for (int k = 0; k < 4; ++k) {
            if constexpr (sizeof(T) == 8)
                out.v[m + k] = group[0][k];
            else
                out.v[m + k] =
                    __builtin_shufflevector(group[0][k], group[1][k], 0, 1, 2, 3, 4, 5, 6, 7);
        }
    }
}

}  // namespace spume

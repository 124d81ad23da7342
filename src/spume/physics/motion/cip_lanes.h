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

inline constexpr int kCipLanes = 8;

using CipFloats = float __attribute__((vector_size(32)));
using CipDoubles = double __attribute__((vector_size(32)));

template <class T>
struct alignas(32) LaneValues {
    using Pack = std::conditional_t<sizeof(T) == 4, CipFloats, CipDoubles>;
    static constexpr int kPacks = int(sizeof(T)) * kCipLanes / 32;
    T v[kCipLanes];

    Pack pack(int k) const {
        Pack p;
        std::memcpy(&p, v + k * (kCipLanes / kPacks), sizeof(p));
        return p;
    }
    void set(int k, const Pack& p) { std::memcpy(v + k * (kCipLanes / kPacks), &p, sizeof(p)); }
};

/// Cells that hold some points, and the points' places in them, 0 … 1.
template <class T, int D>
struct LaneCells {
    LaneValues<T> w[D];
    alignas(32) std::int32_t base[kCipLanes];

    LaneCells(const LaneValues<T> (&x)[D], const DensePlace<D>& place) {
        const DenseShape<D>& shape = place.shape;
        std::int32_t origin = 0;
        for (int a = 0; a < D; ++a)
            origin += DenseShape<D>::kGhosts * std::int32_t(shape.stride(a));
        for (int l = 0; l < kCipLanes; ++l) base[l] = origin;
        for (int a = 0; a < D; ++a) {
            const T offset = T(place.offset[a]);
            const auto stride = std::int32_t(shape.stride(a));
            for (int l = 0; l < kCipLanes; ++l) {
                // ≥ −½: floor by a shift, one more and one less.
                const T u = x[a].v[l] - offset + 1;
                const auto lower = static_cast<std::int32_t>(u);
                w[a].v[l] = u - T(lower);
                base[l] += (lower - 1) * stride;
            }
        }
    }
};

/// Multilinear samples of values whose ghosts are filled.
template <class T, int D>
inline void sample_lanes(const T* values, const DenseShape<D>& shape, const LaneCells<T, D>& cells,
                         LaneValues<T>& out) {
    LaneValues<T> c[1 << D];
    for (int k = 0; k < (1 << D); ++k) {
        std::size_t o = 0;
        for (int a = 0; a < D; ++a) o += (k >> a & 1) ? shape.stride(a) : 0;
        for (int l = 0; l < kCipLanes; ++l) c[k].v[l] = values[std::size_t(cells.base[l]) + o];
    }
    for (int a = 0; a < D; ++a)
        for (int k = 0; k < (1 << (D - a - 1)); ++k)
            for (int l = 0; l < kCipLanes; ++l)
                c[k].v[l] = c[2 * k].v[l] + (c[2 * k + 1].v[l] - c[2 * k].v[l]) * cells.w[a].v[l];
    out = c[0];
}

/// profile_at in all lanes: value and slope go where the lower end was.
template <Profile kProfile, class T>
inline void profile_lanes(LaneValues<T>& f0, LaneValues<T>& g0, const LaneValues<T>& f1,
                          const LaneValues<T>& g1, const LaneValues<T>& x) {
    using Pack = typename LaneValues<T>::Pack;
    for (int k = 0; k < LaneValues<T>::kPacks; ++k) {
        const auto p =
            profile_at<kProfile, Pack>(f0.pack(k), g0.pack(k), f1.pack(k), g1.pack(k), x.pack(k));
        f0.set(k, p.value);
        g0.set(k, p.slope);
    }
}

template <class T, int D>
struct LaneNode {
    LaneValues<T> v[1 << D];
};

/// cell_at in all lanes; of mixed derivatives only those that first ones need.
template <Profile kProfile, class T, int D>
inline void cell_lanes(LaneNode<T, D> (&corner)[1 << D], const LaneValues<T> (&x)[D]) {
    for (int a = 0; a < D; ++a)
        for (int c = 0; c < (1 << (D - a - 1)); ++c)
            for (int m = 0; m < (1 << D); ++m) {
                const int with = m | 1 << a;
                if (m == with) continue;
                // After the last axis only values and first derivatives are asked for.
                if (a == D - 1 && (m & (m - 1)) != 0) continue;
                LaneNode<T, D>&low = corner[2 * c], &high = corner[2 * c + 1];
                LaneValues<T> f = low.v[m], g = low.v[with];
                profile_lanes<kProfile, T>(f, g, high.v[m], high.v[with], x[a]);
                corner[c].v[m] = f;
                corner[c].v[with] = g;
            }
}

}  // namespace spume

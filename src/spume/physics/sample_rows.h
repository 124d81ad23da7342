// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cstdint>

#include "spume/grid/halo.h"
#include "spume/grid/sample.h"
#include "spume/particles/clamp.h"

namespace spume {

// Face velocities at many points at once. A row holds N points, each coordinate an array of its
// own, so that places and weights are found for several at once; values come two by two.

/// Points in the lattice (cell i spans [i, i + 1)), counted from the origin of a sampler.
template <int D, int N>
struct RowPoints {
    double x[D][N];
};

template <int N>
struct RowSamples {
    double value[N];
    double lo[N], hi[N];  ///< range of the corners, where asked for
};

/// Two values that follow each other along the last axis, and those of two points side by side.
using ValuePair = double __attribute__((vector_size(16), aligned(8), may_alias));
using TwoPairs = double __attribute__((vector_size(32)));
using FourDoubles = double __attribute__((vector_size(32), aligned(8), may_alias));

inline const ValuePair& pair_at(const double* p) { return *reinterpret_cast<const ValuePair*>(p); }

/// Points n and n + 1 of a row, from pairs at the 2^(D−1) corners along the other axes: values and,
/// with kRange, the ranges of all corners. Weights are those of the upper corners.
template <int D, int N, bool kRange>
inline __attribute__((always_inline)) void interpolate(TwoPairs (&c)[1 << (D - 1)],
                                                       const ValuePair (&weights)[D], int n,
                                                       RowSamples<N>& out) {
    if constexpr (kRange) {
        TwoPairs lo = c[0], hi = c[0];
        for (int k = 1; k < (1 << (D - 1)); ++k) {
            lo = c[k] < lo ? c[k] : lo;
            hi = c[k] > hi ? c[k] : hi;
        }
        for (int i = 0; i < 2; ++i) {
            out.lo[n + i] = lo[2 * i + 1] < lo[2 * i] ? lo[2 * i + 1] : lo[2 * i];
            out.hi[n + i] = hi[2 * i + 1] > hi[2 * i] ? hi[2 * i + 1] : hi[2 * i];
        }
    }
    for (int a = 0; a < D - 1; ++a) {
        const TwoPairs w = __builtin_shufflevector(weights[a], weights[a], 0, 0, 1, 1);
        for (int k = 0; k < (1 << (D - a - 2)); ++k) c[k] = c[2 * k] * (1 - w) + c[2 * k + 1] * w;
    }
    const ValuePair w = weights[D - 1];
    const TwoPairs shares = c[0] * __builtin_shufflevector(1 - w, w, 0, 2, 1, 3);
    out.value[n] = shares[0] + shares[1];
    out.value[n + 1] = shares[2] + shares[3];
}

/// Points n to n + 3 of a row whose lower corners follow each other from v on: the same sums in the
/// same order, by whole registers. Most points of a smooth flow are like that.
template <int D, int N, bool kRange>
inline __attribute__((always_inline)) void interpolate_four(const double* v, const int (&stride)[D],
                                                            const FourDoubles (&weights)[D], int n,
                                                            RowSamples<N>& out) {
    constexpr int kHalf = 1 << (D - 1);
    FourDoubles c[2][kHalf];
    for (int last = 0; last < 2; ++last)
        for (int k = 0; k < kHalf; ++k) {
            int o = last;
            for (int a = 0; a < D - 1; ++a) o += (k >> a & 1) * stride[a];
            c[last][k] = *reinterpret_cast<const FourDoubles*>(v + o);
        }
    if constexpr (kRange) {
        FourDoubles lo[2], hi[2];
        for (int last = 0; last < 2; ++last) {
            lo[last] = hi[last] = c[last][0];
            for (int k = 1; k < kHalf; ++k) {
                lo[last] = c[last][k] < lo[last] ? c[last][k] : lo[last];
                hi[last] = c[last][k] > hi[last] ? c[last][k] : hi[last];
            }
        }
        *reinterpret_cast<FourDoubles*>(out.lo + n) = lo[1] < lo[0] ? lo[1] : lo[0];
        *reinterpret_cast<FourDoubles*>(out.hi + n) = hi[1] > hi[0] ? hi[1] : hi[0];
    }
    for (int a = 0; a < D - 1; ++a)
        for (int last = 0; last < 2; ++last)
            for (int k = 0; k < (1 << (D - a - 2)); ++k)
                c[last][k] = c[last][2 * k] * (1 - weights[a]) + c[last][2 * k + 1] * weights[a];
    *reinterpret_cast<FourDoubles*>(out.value + n) =
        c[0][0] * (1 - weights[D - 1]) + c[1][0] * weights[D - 1];
}

/// Samples anywhere, through the tile table.
template <int D>
class FarSampler {
  public:
    FarSampler(const FaceField<double, D>& field, const Clamp<D>& clamp, const Index<D>& origin)
        : field_(&field),
          clamp_(&clamp),
          origin_(origin.template as<double>()),
          cursor_(*field.tiles()) {}

    /// Point n of a row.
    template <int N, bool kRange>
    void one(int axis, const RowPoints<D, N>& points, int n, RowSamples<N>& out) {
        Point<D> u{};
        for (int a = 0; a < D; ++a) {
            const double x = points.x[a][n] + origin_[a];
            u[a] = a == axis ? clamp_->normal(x, a) : clamp_->side(x, a) - 0.5;
        }
        const Index<D> base = floor_index<D>(u);
        const double* values = field_->read(axis);
        double c[1 << D];
        for (int k = 0; k < (1 << D); ++k) {
            Index<D> i = base;
            for (int a = 0; a < D; ++a) i[a] += k >> a & 1;
            c[k] = values[cursor_(i)];
        }
        if constexpr (kRange) {
            out.lo[n] = *std::min_element(c, c + (1 << D));
            out.hi[n] = *std::max_element(c, c + (1 << D));
        }
        for (int a = 0; a < D; ++a) {
            const double w = u[a] - base[a];
            for (int k = 0; k < (1 << (D - a - 1)); ++k)
                c[k] = c[2 * k] * (1 - w) + c[2 * k + 1] * w;
        }
        out.value[n] = c[0];
    }

  private:
    const FaceField<double, D>* field_;
    const Clamp<D>* clamp_;
    Point<D> origin_;
    TileCursor<D> cursor_;
};

/// Samples near one tile from a copy with halo, far ones through the tile table.
template <int D>
class NearSampler {
  public:
    static constexpr int kHalo = 2;
    using Block = HaloBlock<double, D, kHalo>;

    NearSampler(const FaceField<double, D>& field, const Clamp<D>& clamp, int tile)
        : far_(field, clamp, field.tiles()->origin(tile)) {
        const Point<D> origin = field.tiles()->origin(tile).template as<double>();
        for (int a = 0; a < D; ++a) {
            load_halo(field.read(a), *field.tiles(), tile, block_[a]);
            lo_[a] = clamp.lo[a] - origin[a];
            hi_[a] = clamp.hi[a] - origin[a];
        }
    }

    bool still() const {
        for (const Block& block : block_)
            for (double v : block.v)
                if (v != 0) return false;
        return true;
    }

    /// One component.
    template <int N, bool kRange>
    void sample(int axis, const RowPoints<D, N>& points, RowSamples<N>& out) {
        Along<N> along[D];
        for (int a = 0; a < D; ++a) locate(points, a, a == axis ? 0 : 0.5, along[a]);
        const Along<N>* by[D];
        for (int a = 0; a < D; ++a) by[a] = &along[a];
        collect<N, kRange>(axis, points, by, out);
    }

    /// All components.
    template <int N>
    void sample(const RowPoints<D, N>& points, double (&out)[D][N]) {
        Along<N> across[D], beside[D];
        for (int a = 0; a < D; ++a) {
            locate(points, a, 0, across[a]);
            locate(points, a, 0.5, beside[a]);
        }
        for (int axis = 0; axis < D; ++axis) {
            const Along<N>* by[D];
            for (int a = 0; a < D; ++a) by[a] = a == axis ? &across[a] : &beside[a];
            RowSamples<N> s;
            collect<N, false>(axis, points, by, s);
            std::copy_n(s.value, N, out[axis]);
        }
    }

    /// Velocities at a row of the tile's faces across `axis`: their own component, and the mean of
    /// the four nearest of each other.
    void at_faces(int axis, const Index<D>& first, double (&out)[D][kTileSide<D>]) const {
        const int at = Block::at(first), back = Block::stride(axis);
        for (int b = 0; b < D; ++b) {
            const double* v = block_[b].v + at;
            const int up = Block::stride(b);
            if (b == axis)
                for (int n = 0; n < kTileSide<D>; ++n) out[b][n] = v[n];
            else
                for (int n = 0; n < kTileSide<D>; ++n)
                    out[b][n] = 0.25 * ((v[n] + v[n + up]) + (v[n - back] + v[n + up - back]));
        }
    }

  private:
    /// Where the points of a row lie along one axis: the lower of two samples in the block, the
    /// weight of the upper one.
    template <int N>
    struct Along {
        alignas(32) double weight[N];
        alignas(32) std::int64_t outside[N];  ///< −1 where the block does not reach
        alignas(16) int at[N];
    };

    /// Samples of the component stand at `half` from the lower end of their cells. Four at a time.
    template <int N>
    void locate(const RowPoints<D, N>& points, int axis, double half, Along<N>& out) const {
        using Ints = int __attribute__((vector_size(16), may_alias));
        using Masks = std::int64_t __attribute__((vector_size(32), may_alias));
        static_assert(N % 4 == 0);
        const FourDoubles lo = FourDoubles{} + (lo_[axis] + half),
                          hi = FourDoubles{} + (hi_[axis] - half), first = FourDoubles{} - kHalo,
                          end = FourDoubles{} + (kTileSide<D> + kHalo - 1);
        for (int n = 0; n < N; n += 4) {
            FourDoubles u = *reinterpret_cast<const FourDoubles*>(points.x[axis] + n);
            u = u > hi ? hi : u;
            u = (u < lo ? lo : u) - half;
            const Masks outside = ~((u >= first) & (u < end));
            u = (outside ? first : u) + kHalo;
            const Ints i = __builtin_convertvector(u, Ints);
            *reinterpret_cast<Masks*>(out.outside + n) = outside;
            *reinterpret_cast<Ints*>(out.at + n) = i * Block::stride(axis);
            *reinterpret_cast<FourDoubles*>(out.weight + n) =
                u - __builtin_convertvector(i, FourDoubles);
        }
    }

    template <int N, bool kRange>
    void collect(int axis, const RowPoints<D, N>& points, const Along<N>* const (&by)[D],
                 RowSamples<N>& out) {
        std::int64_t any = 0;
        int at[N] = {};  // lower corners in the block
        for (int a = 0; a < D; ++a)
            for (int n = 0; n < N; ++n) any |= by[a]->outside[n], at[n] += by[a]->at[n];
        static_assert(N % 4 == 0);
        for (int n = 0; n < N; n += 4) {
            const double* v = block_[axis].v;
            if (at[n + 1] == at[n] + 1 && at[n + 2] == at[n] + 2 && at[n + 3] == at[n] + 3) {
                int stride[D];
                FourDoubles w[D];
                for (int a = 0; a < D; ++a) {
                    stride[a] = Block::stride(a);
                    w[a] = *reinterpret_cast<const FourDoubles*>(by[a]->weight + n);
                }
                interpolate_four<D, N, kRange>(v + at[n], stride, w, n, out);
                continue;
            }
            for (int m = n; m < n + 4; m += 2) {
                ValuePair w[D];
                for (int a = 0; a < D; ++a) w[a] = pair_at(by[a]->weight + m);
                TwoPairs c[1 << (D - 1)];
                for (int k = 0; k < (1 << (D - 1)); ++k) {
                    int o = 0;
                    for (int a = 0; a < D - 1; ++a) o += (k >> a & 1) * Block::stride(a);
                    c[k] = __builtin_shufflevector(pair_at(v + at[m] + o),
                                                   pair_at(v + at[m + 1] + o), 0, 1, 2, 3);
                }
                interpolate<D, N, kRange>(c, w, m, out);
            }
        }
        for (int n = 0; any != 0 && n < N; ++n) {
            bool outside = false;
            for (int a = 0; a < D; ++a) outside |= by[a]->outside[n] != 0;
            if (outside) far_.template one<N, kRange>(axis, points, n, out);
        }
    }

    Vec<double, D> lo_, hi_;
    FarSampler<D> far_;
    Block block_[D];
};

}  // namespace spume

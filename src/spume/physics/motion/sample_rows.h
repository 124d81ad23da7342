// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "spume/grid/halo.h"
#include "spume/grid/sample.h"
#include "spume/particles/clamp.h"

namespace spume {

// Face velocities at many points at once. A row holds N points, each coordinate an array of its
// own, so that places and weights are found for several at once; values come two by two.
// Particles lie in no rows: move_liquid.cpp takes them one by one from a block that reaches
// farther.

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
using ValuePair = double __attribute__((vector_size(16)));
using TwoPairs = double __attribute__((vector_size(32)));
using FourDoubles = double __attribute__((vector_size(32)));

/// Values at any address: rows begin anywhere in a block.
inline __attribute__((always_inline)) ValuePair pair_at(const double* p) {
    ValuePair v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline __attribute__((always_inline)) FourDoubles four_at(const double* p) {
    FourDoubles v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline __attribute__((always_inline)) void put_four(double* p, const FourDoubles& v) {
    std::memcpy(p, &v, sizeof v);
}

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

/// Layers that a trace reaches beyond a tile without looking through the tile table.
inline constexpr int kSampleHalo = 2;
template <int D>
using SampleBlock = HaloBlock<double, D, kSampleHalo>;

/// Way from the lowest corner to corner k, which says along which axes but the last to go.
template <int D>
constexpr int corner_offset(int k) {
    int o = 0;
    for (int a = 0; a < D - 1; ++a) o += (k >> a & 1) * SampleBlock<D>::stride(a);
    return o;
}

/// Points n to n + 3 of a row whose lower corners follow each other from v on: the same sums in the
/// same order, by whole registers. Most points of a smooth flow are like that.
template <int D, int N, bool kRange>
inline __attribute__((always_inline)) void interpolate_four(const double* v,
                                                            const FourDoubles (&weights)[D], int n,
                                                            RowSamples<N>& out) {
    constexpr int kHalf = 1 << (D - 1);
    FourDoubles c[2][kHalf];
    for (int last = 0; last < 2; ++last)
        for (int k = 0; k < kHalf; ++k) c[last][k] = four_at(v + corner_offset<D>(k) + last);
    if constexpr (kRange) {
        FourDoubles lo[2], hi[2];
        for (int last = 0; last < 2; ++last) {
            lo[last] = hi[last] = c[last][0];
            for (int k = 1; k < kHalf; ++k) {
                lo[last] = c[last][k] < lo[last] ? c[last][k] : lo[last];
                hi[last] = c[last][k] > hi[last] ? c[last][k] : hi[last];
            }
        }
        put_four(out.lo + n, lo[1] < lo[0] ? lo[1] : lo[0]);
        put_four(out.hi + n, hi[1] > hi[0] ? hi[1] : hi[0]);
    }
    for (int a = 0; a < D - 1; ++a)
        for (int last = 0; last < 2; ++last)
            for (int k = 0; k < (1 << (D - a - 2)); ++k)
                c[last][k] = c[last][2 * k] * (1 - weights[a]) + c[last][2 * k + 1] * weights[a];
    put_four(out.value + n, c[0][0] * (1 - weights[D - 1]) + c[1][0] * weights[D - 1]);
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
        double c[1 << D], w[D];
        load_corners<double, D>(field_->read(axis), cursor_, u, c, w);
        if constexpr (kRange) {
            out.lo[n] = *std::min_element(c, c + (1 << D));
            out.hi[n] = *std::max_element(c, c + (1 << D));
        }
        out.value[n] = interpolate_corners<double, D>(c, w);
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
    static constexpr int kHalo = kSampleHalo;
    using Block = SampleBlock<D>;

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

    /// The largest component at any face of the block.
    double fastest() const {
        double most = 0;
        for (const Block& block : block_)
            for (double v : block.v) most = std::max(most, v < 0 ? -v : v);
        return most;
    }

    /// Where no tile is stored the field goes on as it is at the nearest face of this tile, as far
    /// as the block reaches.
    void continue_beyond(const Tiles<D>& tiles, int tile) {
        constexpr int kS = kTileSide<D>;
        bool whole = true;
        for (int n = 0; n < kTileNeighbours<D>; ++n)
            whole = whole && tiles.is_active(tiles.neighbours(tile)[n]);
        if (whole) return;
        for (int a = 0; a < D; ++a)
            for_halo<D, kHalo>([&](const Index<D>& local) {
                Index<D> step{}, nearest = local;
                for (int b = 0; b < D; ++b) {
                    step[b] = local[b] < 0 ? -1 : local[b] < kS ? 0 : 1;
                    nearest[b] = std::clamp(local[b], 0, b == a ? kS : kS - 1);
                }
                if (nearest == local || tiles.is_active(tiles.neighbour(tile, step))) return;
                block_[a].v[Block::at(local)] = block_[a].v[Block::at(nearest)];
            });
    }

    /// One component.
    template <int N, bool kRange>
    void sample(int axis, const RowPoints<D, N>& points, RowSamples<N>& out) {
        static_assert(N % 4 == 0);
        Masks outside{};
        for (int n = 0; n < N; n += 4) {
            Along along[D];
            for (int a = 0; a < D; ++a) locate(points, a, a == axis ? 0 : 0.5, n, along[a]);
            const Along* by[D];
            for (int a = 0; a < D; ++a) by[a] = &along[a], outside |= along[a].outside;
            collect<N, kRange>(axis, by, n, out);
        }
        if (any(outside)) collect_far<N, kRange>(axis, points, out);
    }

    /// All components.
    template <int N>
    void sample(const RowPoints<D, N>& points, double (&out)[D][N]) {
        static_assert(N % 4 == 0);
        RowSamples<N> s[D];
        Masks outside{};
        for (int n = 0; n < N; n += 4) {
            Along across[D], beside[D];
            for (int a = 0; a < D; ++a) {
                locate(points, a, 0, n, across[a]);
                locate(points, a, 0.5, n, beside[a]);
                outside |= across[a].outside | beside[a].outside;
            }
            for (int axis = 0; axis < D; ++axis) {
                const Along* by[D];
                for (int a = 0; a < D; ++a) by[a] = a == axis ? &across[a] : &beside[a];
                collect<N, false>(axis, by, n, s[axis]);
            }
        }
        for (int axis = 0; axis < D; ++axis) {
            if (any(outside)) collect_far<N, false>(axis, points, s[axis]);
            std::copy_n(s[axis].value, N, out[axis]);
        }
    }

    /// Velocities at a row of the tile's faces across `axis`: their own component, and the mean of
    /// the four nearest of each other.
    void at_faces(int axis, const Index<D>& first, double (&out)[D][kTileSide<D>]) const {
        const int at = Block::at(first), back = Block::stride(axis);
        for (int b = 0; b < D; ++b) {
            const int up = Block::stride(b);
            for (int n = 0; n < kTileSide<D>; n += 4) {
                const double* v = block_[b].v + at + n;
                const FourDoubles own = four_at(v);
                put_four(out[b] + n, b == axis
                                         ? own
                                         : 0.25 * ((own + four_at(v + up)) +
                                                   (four_at(v - back) + four_at(v + up - back))));
            }
        }
    }

  private:
    using Ints = int __attribute__((vector_size(16)));
    using Masks = std::int64_t __attribute__((vector_size(32)));

    static bool any(const Masks& mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

    /// Where four points lie along one axis: the lower of two samples in the block, the weight of
    /// the upper one.
    struct Along {
        FourDoubles weight;
        Masks outside;   ///< −1 where the block does not reach
        FourDoubles at;  ///< a whole number: converting once, at the end, is less work
    };

    /// Of points n to n + 3. Samples of the component stand at `half` from the lower end of their
    /// cells.
    template <int N>
    inline __attribute__((always_inline)) void locate(const RowPoints<D, N>& points, int axis,
                                                      double half, int n, Along& out) const {
        const FourDoubles lo = FourDoubles{} + (lo_[axis] + half),
                          hi = FourDoubles{} + (hi_[axis] - half), first = FourDoubles{} - kHalo,
                          end = FourDoubles{} + (kTileSide<D> + kHalo - 1);
        FourDoubles u = four_at(points.x[axis] + n);
        u = u > hi ? hi : u;
        u = (u < lo ? lo : u) - half;
        out.outside = ~((u >= first) & (u < end));
        u = (out.outside ? first : u) + kHalo;
        // u is not negative and far below 2^52, where doubles have no fraction: rounds, then
        // floors.
        const FourDoubles nearest = (u + 0x1p52) - 0x1p52;
        const FourDoubles lower = nearest > u ? nearest - 1 : nearest;
        out.at = lower * Block::stride(axis);
        out.weight = u - lower;
    }

    template <int N, bool kRange>
    inline __attribute__((always_inline)) void collect(int axis, const Along* const (&by)[D], int n,
                                                       RowSamples<N>& out) const {
        const double* v = block_[axis].v;
        FourDoubles places = by[0]->at;
        for (int a = 1; a < D; ++a) places += by[a]->at;
        const Ints at = __builtin_convertvector(places, Ints);
        const Ints apart = at - (at[0] + Ints{0, 1, 2, 3});
        if ((apart[1] | apart[2] | apart[3]) == 0) {
            FourDoubles w[D];
            for (int a = 0; a < D; ++a) w[a] = by[a]->weight;
            interpolate_four<D, N, kRange>(v + at[0], w, n, out);
            return;
        }
        for (int m = 0; m < 4; m += 2) {
            ValuePair w[D];
            for (int a = 0; a < D; ++a) w[a] = ValuePair{by[a]->weight[m], by[a]->weight[m + 1]};
            TwoPairs c[1 << (D - 1)];
            for (int k = 0; k < (1 << (D - 1)); ++k) {
                const double* corner = v + corner_offset<D>(k);
                c[k] = __builtin_shufflevector(pair_at(corner + at[m]), pair_at(corner + at[m + 1]),
                                               0, 1, 2, 3);
            }
            interpolate<D, N, kRange>(c, w, n + m, out);
        }
    }

    /// The points of a row that the block does not reach.
    template <int N, bool kRange>
    void collect_far(int axis, const RowPoints<D, N>& points, RowSamples<N>& out) {
        for (int n = 0; n < N; n += 4) {
            Masks outside{};
            for (int a = 0; a < D; ++a) {
                Along along;
                locate(points, a, a == axis ? 0 : 0.5, n, along);
                outside |= along.outside;
            }
            for (int m = 0; m < 4; ++m)
                if (outside[m] != 0) far_.template one<N, kRange>(axis, points, n + m, out);
        }
    }

    Vec<double, D> lo_, hi_;
    FarSampler<D> far_;
    Block block_[D];
};

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "spume/grid/field.h"
#include "spume/particles/clamp.h"

namespace spume::detail {

// A tile's own copy of the faces that its particles touch, with the K channels of a face side by
// side, for each of the D face axes:
//
//   across the axis   side + 1 faces are touched, 0 … side;   place 0 is face 0
//   along the others  side + 2,                  −1 … side;   place 0 is face −1
//
// Both get side + 2 places so that all axes share one set of strides.
//
// Not the sampler of grid/sample.h: gathering must be the exact transpose of scattering, in float
// and with several channels a face.

template <int D>
struct FaceBlock {
    static constexpr int kSide = kTileSide<D> + 2;
    static constexpr int kNodes = D == 2 ? kSide * kSide : kSide * kSide * kSide;
    static constexpr int stride(int dimension) {
        int s = 1;
        for (int d = D - 1; d > dimension; --d) s *= kSide;
        return s;
    }
    /// Channels are padded to a power of two so that two faces in a row fill whole registers.
    static constexpr int padded(int channels) {
        return static_cast<int>(std::bit_ceil(static_cast<unsigned>(channels)));
    }
};

/// Where a batch of particles lies in its tile's block: for each dimension the place of the lower
/// of two samples and the weight of the upper one, for samples on faces across it (0) and along it
/// (1). Arrays over particles, so that the compiler computes several at once.
template <class T, int D>
struct Stencils {
    static constexpr int kBatch = 16;
    int place[2][D][kBatch];
    T weight[2][D][kBatch];

    /// Of particles x[0] … x[count − 1], count ≤ kBatch.
    void set(const Point<D>* x, int count, const Index<D>& origin, const Transform<D>& transform,
             const Clamp<D>& clamp) {
        for (int d = 0; d < D; ++d) {
            const double lo = clamp.lo[d], hi = clamp.hi[d], first = lo + 0.5, last = hi - 0.5;
            const double corner = transform.origin[d], voxel = transform.voxel, o = origin[d];
            double at[kBatch];
            for (int i = 0; i < kBatch; ++i) at[i] = x[i < count ? i : 0][d];
            for (int i = 0; i < kBatch; ++i) {
                const double u = (at[i] - corner) / voxel;
                // Rounding may lift a coordinate just below the tile's end onto it: the last cell
                // with weight one says the same.
                double n = u < lo ? lo : u;
                n = (n > hi ? hi : n) - o;
                const int cell = static_cast<int>(n);
                const int p = cell < kTileSide<D> ? cell : kTileSide<D> - 1;
                place[0][d][i] = p;
                weight[0][d][i] = static_cast<T>(n - p);
                double s = u < first ? first : u;
                s = (s > last ? last : s) - o + 0.5;
                const int q = static_cast<int>(s);
                place[1][d][i] = q;
                weight[1][d][i] = static_cast<T>(s - q);
            }
        }
    }
};

/// One particle of a batch.
template <class T, int D>
struct Stencil {
    const Stencils<T, D>& batch;
    int i;

    template <int kAxis>
    int place() const {
        int p = 0;
        for (int d = 0; d < D; ++d)
            p = p * FaceBlock<D>::kSide + batch.place[d == kAxis ? 0 : 1][d][i];
        return p;
    }
    template <int kAxis>
    T upper(int d) const {
        return batch.weight[d == kAxis ? 0 : 1][d][i];
    }
};

template <class T, int N>
struct LanesOf {
    typedef T type __attribute__((vector_size(N * sizeof(T))));
};
/// The padded channels of two faces that follow each other in memory.
template <class T, int K, int D>
using Pair = typename LanesOf<T, 2 * FaceBlock<D>::padded(K)>::type;

template <class T, int K, int D>
struct PairTools {
    static constexpr int kPadded = FaceBlock<D>::padded(K);
    using Lanes = Pair<T, K, D>;

    template <std::size_t... I>
    static void spread(const std::array<T, K>& v, Lanes& r, std::index_sequence<I...>) {
        r = Lanes{(I % kPadded < K ? v[I % kPadded < K ? I % kPadded : 0] : T{})...};
    }
    template <std::size_t... I>
    static void weights(T lower, T upper, Lanes& r, std::index_sequence<I...>) {
        r = Lanes{(I < kPadded ? lower : upper)...};
    }
    using All = std::make_index_sequence<2 * kPadded>;
};

/// f(offset in the block, weight) for each pair of faces along the last dimension.
template <int kAxis, class T, int D, class F>
inline void for_pairs(const Stencil<T, D>& stencil, F&& f) {
    using Block = FaceBlock<D>;
    const T x1 = stencil.template upper<kAxis>(0), x0 = T(1) - x1;
    if constexpr (D == 2) {
        f(0, x0);
        f(Block::stride(0), x1);
    } else {
        const T y1 = stencil.template upper<kAxis>(1), y0 = T(1) - y1;
        f(0, x0 * y0);
        f(Block::stride(1), x0 * y1);
        f(Block::stride(0), x1 * y0);
        f(Block::stride(0) + Block::stride(1), x1 * y1);
    }
}

/// block += value · weight at the faces of component kAxis around the particle.
template <int kAxis, class T, int K, int D>
inline void deposit(T* block, const Stencil<T, D>& stencil, const std::array<T, K>& value) {
    using Tools = PairTools<T, K, D>;
    typename Tools::Lanes spread, weight;
    const T upper = stencil.template upper<kAxis>(D - 1);
    Tools::spread(value, spread, typename Tools::All{});
    Tools::weights(T(1) - upper, upper, weight, typename Tools::All{});
    spread *= weight;
    T* first = block + stencil.template place<kAxis>() * Tools::kPadded;
    for_pairs<kAxis>(stencil, [&](int offset, T w) {
        typename Tools::Lanes row;
        std::memcpy(&row, first + offset * Tools::kPadded, sizeof row);
        row += spread * w;
        std::memcpy(first + offset * Tools::kPadded, &row, sizeof row);
    });
}

/// The transpose of deposit.
template <int kAxis, class T, int K, int D>
inline std::array<T, K> collect(const T* block, const Stencil<T, D>& stencil) {
    using Tools = PairTools<T, K, D>;
    typename Tools::Lanes sum{}, weight;
    const T* first = block + stencil.template place<kAxis>() * Tools::kPadded;
    for_pairs<kAxis>(stencil, [&](int offset, T w) {
        typename Tools::Lanes row;
        std::memcpy(&row, first + offset * Tools::kPadded, sizeof row);
        sum += row * w;
    });
    const T upper = stencil.template upper<kAxis>(D - 1);
    Tools::weights(T(1) - upper, upper, weight, typename Tools::All{});
    sum *= weight;
    std::array<T, K> r;
    for (int c = 0; c < K; ++c) r[std::size_t(c)] = sum[c] + sum[Tools::kPadded + c];
    return r;
}

/// One run of faces along the last dimension, in a block and in a tile's storage.
struct FaceRun {
    int place, offset, count;
};

/// f(run) for the part of component `axis` of a block that lies in the neighbour at `step`.
template <int D, class F>
void for_runs(int axis, const Index<D>& step, F&& f) {
    constexpr int kS = kTileSide<D>;
    int place[D], from[D], count[D];
    for (int d = 0; d < D; ++d) {
        const int shift = d == axis ? 0 : 1;
        place[d] = step[d] < 0 ? 0 : step[d] == 0 ? shift : kS + shift;
        from[d] = step[d] < 0 ? kS - 1 : 0;
        count[d] = step[d] == 0 ? kS : 1;
    }
    const int rows = D == 2 ? count[0] : count[0] * count[1];
    for (int row = 0; row < rows; ++row) {
        const int i = D == 2 ? row : row / count[1], j = D == 2 ? 0 : row % count[1];
        int p = place[0] + i, o = from[0] + i;
        if constexpr (D == 3) {
            p = p * FaceBlock<D>::kSide + place[1] + j;
            o = o * kS + from[1] + j;
        }
        f(FaceRun{p * FaceBlock<D>::kSide + place[D - 1], o * kS + from[D - 1], count[D - 1]});
    }
}

/// f(step) for each neighbour that a block of component `axis` reaches into.
template <int D, class F>
void for_reach(int axis, F&& f) {
    for (int code = 0; code < kTileNeighbours<D>; ++code) {
        Index<D> step{};
        for (int d = D - 1, rest = code; d >= 0; --d, rest /= 3) step[d] = rest % 3 - 1;
        if (step[axis] >= 0) f(step);
    }
}

}  // namespace spume::detail

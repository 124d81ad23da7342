// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/solve/lanes.h"
#include "spume/solve/tile_rows.h"

namespace spume {

// The two legs of the multigrid cycle on one tile, in float.
//
// Both start from a zero guess, so that little has to be stored between them. Going down, red then
// black Gauss–Seidel gives
//
//   x_r = b_r / d_r,   x_b = (b_b + Σ c x_r) / d_b,   residual_r = Σ c x_b,   residual_b = 0,
//
// and going up with the coarse correction e, black then red,
//
//   x_b = (b_b + Σ c (b_r / d_r + e_r)) / d_b,   x_r = (b_r + Σ c x_b) / d_r :
//
// neither needs x of the leg before. A tile's red cells at its border need x_b of its neighbours,
// which those know; instead of a second pass over the coefficients each tile leaves its share of
// the sum in its neighbours' in-boxes, and whoever reads the result next adds them.
//
// The two legs are each other's adjoint, which makes the cycle symmetric.

template <int D>
struct CoarseRows {
    static constexpr int kSide = kTileSide<D> / 2;
    static constexpr int kFace = D == 2 ? kSide : kSide * kSide;
    static constexpr int kRows = D == 2 ? kSide : kSide * kSide;

    /// Place in the coarse tile of the first of its cells that this part covers.
    static constexpr int base(int part) {
        int o = 0;
        for (int a = 0; a < D; ++a) o += (part >> a & 1) * kSide * tile_stride<D>(a);
        return o;
    }
    /// Place, from base, of row R of the coarse cells under a tile.
    static constexpr int row(int r) {
        return D == 2 ? r * tile_stride<D>(0)
                      : r / kSide * tile_stride<D>(0) + r % kSide * tile_stride<D>(D - 2);
    }
    /// The coarse row under a row.
    static constexpr int under(int fine_row) {
        using R = TileRows<D>;
        return D == 2 ? fine_row / 2 : fine_row / R::kSide / 2 * kSide + fine_row % R::kSide / 2;
    }
};

template <int D>
inline constexpr int kFaceCells = kTileCells<D> / kTileSide<D>;

/// What the legs read of a level: flat arrays by tile.
template <int D>
struct SmootherView {
    const float* faces;    ///< TileRows::kFaces per tile
    const float* uniform;  ///< per tile: the coefficient if all of its faces have the same, else 0
    const float* inverse;  ///< 1 / diagonal, 0 where no unknown
    const int* twin;       ///< per tile: one with the same inverse, likely in the cache
    const float* b;

    const float* inverse_of(int tile) const {
        return inverse + std::size_t(twin[tile]) * kTileCells<D>;
    }
    const float* b_of(int tile) const { return b + std::size_t(tile) * kTileCells<D>; }
};

/// The coefficients of a tile, read …
struct StoredFaces {
    const float* values;
    /// Asks for a row's share of the next tile's coefficients.
    template <int D>
    void fetch_next(int offset) const {
        using R = TileRows<D>;
        constexpr int kShare = R::kFaces / R::kRows;  // at most two lines
        const float* next = values + R::kFaces + offset / R::kSide * kShare;
        __builtin_prefetch(next);
        __builtin_prefetch(next + kShare / 2);
    }
    float at(int i) const { return values[i]; }
    inline __attribute__((always_inline)) void row(int i, Floats& out) const {
        out = lanes(values + i);
    }
};
/// … or known. Most tiles inside a liquid of one density are like that, and coefficients are most
/// of what a leg reads.
struct UniformFaces {
    float value;
    template <int D>
    void fetch_next(int) const {}
    float at(int) const { return value; }
    inline __attribute__((always_inline)) void row(int, Floats& out) const {
        out = Floats{} + value;
    }
};

/// f(StoredFaces or UniformFaces) of a tile.
template <int D, class F>
inline __attribute__((always_inline)) void with_faces(const float* faces, const float* uniform,
                                                      int tile, F&& f) {
    if (uniform[tile] > 0)
        f(UniformFaces{uniform[tile]});
    else
        f(StoredFaces{faces + std::size_t(tile) * TileRows<D>::kFaces});
}

template <int D>
using Float = TileBlock<float, D>;

/// Σ c x over the 2·D neighbours of eight cells from cell k of a row; x a block.
template <int D>
inline __attribute__((always_inline)) void gather(const StoredFaces& faces, const float* x,
                                                  const RowAt& at, int k, Floats& out) {
    using R = TileRows<D>;
    const float* v = x + at.block + k;
    const float *low = faces.values + at.low + k, *last = faces.values + at.last + k;
    constexpr int s0 = R::block_stride(0);
    out = lanes(low) * lanes(v - s0) + lanes(low + R::face_step(0)) * lanes(v + s0) +
          (lanes(last) * lanes(v - 1) + lanes(last + 1) * lanes(v + 1));
    if constexpr (D == 3) {
        const float* middle = faces.values + at.middle + k;
        constexpr int s1 = R::block_stride(1);
        out += lanes(middle) * lanes(v - s1) + lanes(middle + R::face_step(1)) * lanes(v + s1);
    }
}
template <int D>
inline __attribute__((always_inline)) void gather(const UniformFaces& faces, const float* x,
                                                  const RowAt& at, int k, Floats& out) {
    using R = TileRows<D>;
    const float* v = x + at.block + k;
    constexpr int s0 = R::block_stride(0);
    out = (lanes(v - s0) + lanes(v + s0)) + (lanes(v - 1) + lanes(v + 1));
    if constexpr (D == 3) {
        constexpr int s1 = R::block_stride(1);
        out += lanes(v - s1) + lanes(v + s1);
    }
    out *= faces.value;
}

/// Zero on the cells of a row that have not the colour (0 red, 1 black), whatever stood there.
inline __attribute__((always_inline)) void keep_colour(const RowAt& at, int colour, Floats& x) {
    constexpr LaneMask kFirst = {-1, 0, -1, 0, -1, 0, -1, 0},
                       kSecond = {0, -1, 0, -1, 0, -1, 0, -1};
    const LaneMask mask = (at.parity ^ colour) != 0 ? kSecond : kFirst;
    x = reinterpret_cast<Floats>(reinterpret_cast<LaneMask>(x) & mask);
}

/// b / diagonal, plus the coarse correction where there is one, of a tile.
struct RedSource {
    const float* b;
    const float* inverse;
    const float* correction;  ///< first coarse cell under the tile, or nullptr
};

template <int D, bool kCorrected>
inline __attribute__((always_inline)) void load_red_row(const RedSource& from, int offset,
                                                        int coarse_row, int k, float* out) {
    Floats y = lanes(from.b + offset + k) * lanes(from.inverse + offset + k);
    if constexpr (kCorrected) {
        const HalfFloats& e = half_lanes(from.correction + coarse_row + k / 2);
        y += __builtin_shufflevector(e, e, 0, 0, 1, 1, 2, 2, 3, 3);
    }
    lanes(out + k) = y;
}

/// Red values of a tile and of the layer around it; beyond the ends of rows only where that is red.
/// `around` as in LevelTiles, own tile at the end; `next` comes after it.
template <int D, bool kCorrected>
inline void load_red(Float<D>& block, const RedSource* around, const NextTile<float, D>& next) {
    using R = TileRows<D>;
    using C = CoarseRows<D>;
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        const int coarse = C::row(C::under(at.offset / R::kSide));
        next.fetch(at.offset);
        for (int k = 0; k < R::kSide; k += kLanes)
            load_red_row<D, kCorrected>(around[2 * D], at.offset, coarse, k, block.v + at.block);
    });
    for (int a = 0; a < D - 1; ++a)
        for (int side = 0; side < 2; ++side)
            for (int m = 0; m < R::kFaceRows; ++m) {
                const int row = R::layer_row(a, side ? 0 : R::kSide - 1, m);
                for (int k = 0; k < R::kSide; k += kLanes)
                    load_red_row<D, kCorrected>(
                        around[2 * a + side], row * R::kSide, C::row(C::under(row)), k,
                        block.v + R::block_layer(a, side ? R::kSide : -1, m));
            }
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        const int side = at.parity ? 0 : 1;
        const RedSource& from = around[2 * D - 2 + side];
        const int o = at.offset + (side ? 0 : R::kSide - 1);
        float y = from.b[o] * from.inverse[o];
        if constexpr (kCorrected)
            y +=
                from.correction[C::row(C::under(at.offset / R::kSide)) + (side ? 0 : C::kSide - 1)];
        block.v[at.block + (side ? R::kSide : -1)] = y;
    });
}

/// The layer around a block that holds black values of its own tile only.
template <int D>
inline void clear_around(Float<D>& x) {
    using R = TileRows<D>;
    for (int a = 0; a < D - 1; ++a)
        for (int m = 0; m < R::kFaceRows; ++m)
            for (int k = 0; k < R::kSide; k += kLanes) {
                lanes(x.v + R::block_layer(a, -1, m) + k) = Floats{};
                lanes(x.v + R::block_layer(a, R::kSide, m) + k) = Floats{};
            }
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        x.v[at.block - 1] = x.v[at.block + R::kSide] = 0;
    });
}

/// x_b from the red values in `y`, into the inside of `x`; red cells become zero.
template <int D, class Faces>
inline void relax_black(const Faces& faces, const float* inverse, const float* b, const Float<D>& y,
                        Float<D>& x) {
    using R = TileRows<D>;
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        faces.template fetch_next<D>(at.offset);
        for (int k = 0; k < R::kSide; k += kLanes) {
            Floats sum;
            gather<D>(faces, y.v, at, k, sum);
            sum = lanes(inverse + at.offset + k) * (lanes(b + at.offset + k) + sum);
            keep_colour(at, 1, sum);
            lanes(x.v + at.block + k) = sum;
        }
    });
}

/// The row beside a border across an axis that is not the last, and the place of its coefficients.
template <int D>
constexpr int border_row(int axis, int side, int m) {
    using R = TileRows<D>;
    return R::layer_row(axis, side ? R::kSide - 1 : 0, m);
}
template <int D>
constexpr int border_faces(int axis, int side, int row) {
    using R = TileRows<D>;
    return R::face_row(axis, row) + (side ? R::face_step(axis) : 0);
}

}  // namespace spume

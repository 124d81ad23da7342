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
    const float* inverse;  ///< 1 / diagonal, 0 where no unknown
    const float* b;
};

template <int D>
using Float = TileBlock<float, D>;

/// Σ c x over the 2·D neighbours of eight cells; `x` and the faces of `row` as they stand there.
template <int D>
inline void gather(const float* faces, const float* x, int row, int k, Floats& out) {
    using R = TileRows<D>;
    const float* a0 = faces + R::face_row(0, row) + k;
    const float* a2 = faces + R::face_row(D - 1, row) + k;
    const float* v = x + k;
    constexpr int s0 = R::block_stride(0);
    out = lanes(a0) * lanes(v - s0) + lanes(a0 + R::face_step(0)) * lanes(v + s0) +
          (lanes(a2) * lanes(v - 1) + lanes(a2 + 1) * lanes(v + 1));
    if constexpr (D == 3) {
        const float* a1 = faces + R::face_row(1, row) + k;
        constexpr int s1 = R::block_stride(1);
        out += lanes(a1) * lanes(v - s1) + lanes(a1 + R::face_step(1)) * lanes(v + s1);
    }
}

/// Zero on the cells of a row that have not the colour (0 red, 1 black), whatever stood there.
template <int D>
inline void keep_colour(int row, int colour, Floats& x) {
    constexpr LaneMask kFirst = {-1, 0, -1, 0, -1, 0, -1, 0},
                       kSecond = {0, -1, 0, -1, 0, -1, 0, -1};
    const LaneMask mask = TileRows<D>::parity(row) ^ colour ? kSecond : kFirst;
    x = reinterpret_cast<Floats>(reinterpret_cast<LaneMask>(x) & mask);
}

/// Fills the block with a value of the cells around; beyond the ends of rows only where that is
/// red. rows(tile, offset, out) writes eight cells, one(tile, offset) gives one.
template <int D, class Rows, class One>
inline void load_red(Float<D>& block, int tile, const int* around, Rows&& rows, One&& one) {
    using R = TileRows<D>;
    for (int r = 0; r < R::kRows; ++r)
        for (int k = 0; k < R::kSide; k += kLanes)
            rows(tile, r * R::kSide + k, block.v + R::block_row(r) + k);
    for (int a = 0; a < D - 1; ++a)
        for (int side = 0; side < 2; ++side)
            for (int m = 0; m < R::kFaceRows; ++m)
                for (int k = 0; k < R::kSide; k += kLanes)
                    rows(around[2 * a + side],
                         R::layer_row(a, side ? 0 : R::kSide - 1, m) * R::kSide + k,
                         block.v + R::block_layer(a, side ? R::kSide : -1, m) + k);
    for (int r = 0; r < R::kRows; ++r) {
        float* row = block.v + R::block_row(r);
        if (R::parity(r))
            row[-1] = one(around[2 * D - 2], r * R::kSide + R::kSide - 1);
        else
            row[R::kSide] = one(around[2 * D - 1], r * R::kSide);
    }
}

/// The layer around a block that holds black values of its own tile only.
template <int D>
inline void clear_around(Float<D>& x) {
    using R = TileRows<D>;
    for (int a = 0; a < D - 1; ++a)
        for (int m = 0; m < R::kFaceRows; ++m) {
            std::memset(x.v + R::block_layer(a, -1, m), 0, sizeof(float) * R::kSide);
            std::memset(x.v + R::block_layer(a, R::kSide, m), 0, sizeof(float) * R::kSide);
        }
    for (int r = 0; r < R::kRows; ++r)
        x.v[R::block_row(r) - 1] = x.v[R::block_row(r) + R::kSide] = 0;
}

/// x_b from the red values in `y`, into the inside of `x`; red cells become zero.
template <int D>
inline void relax_black(const SmootherView<D>& level, int tile, const Float<D>& y, Float<D>& x) {
    using R = TileRows<D>;
    const std::size_t at = std::size_t(tile) * kTileCells<D>;
    const float* faces = level.faces + std::size_t(tile) * R::kFaces;
    for (int r = 0; r < R::kRows; ++r)
        for (int k = 0; k < R::kSide; k += kLanes) {
            const std::size_t o = at + std::size_t(r * R::kSide + k);
            Floats sum;
            gather<D>(faces, y.v + R::block_row(r), r, k, sum);
            sum = lanes(level.inverse + o) * (lanes(level.b + o) + sum);
            keep_colour<D>(r, 1, sum);
            lanes(x.v + R::block_row(r) + k) = sum;
        }
}

/// Coefficients of the border faces of a row, and the row, across an axis that is not the last.
template <int D>
inline int border_row(int axis, int side, int m) {
    using R = TileRows<D>;
    return R::layer_row(axis, side ? R::kSide - 1 : 0, m);
}
template <int D>
inline const float* border_faces(const float* faces, int axis, int side, int row) {
    using R = TileRows<D>;
    return faces + R::face_row(axis, row) + (side ? R::face_step(axis) : 0);
}

}  // namespace spume

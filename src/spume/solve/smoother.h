// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

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

/// out = Σ c x over the 2·D neighbours of a row.
template <int D>
inline void gather_row(const float* faces, const float* x, int row, float* __restrict out) {
    using R = TileRows<D>;
    constexpr int kSide = R::kSide;
    constexpr int s0 = R::block_stride(0), s1 = R::block_stride(D == 3 ? 1 : 0);
    const float* a0 = faces + R::face_row(0, row);
    const float* a1 = faces + R::face_row(D == 3 ? 1 : 0, row);
    const float* a2 = faces + R::face_row(D - 1, row);
    if constexpr (D == 3) {
        for (int k = 0; k < kSide; ++k)
            out[k] = (a0[k] * x[k - s0] + a0[k + R::face_step(0)] * x[k + s0]) +
                     (a1[k] * x[k - s1] + a1[k + R::face_step(1)] * x[k + s1]) +
                     (a2[k] * x[k - 1] + a2[k + 1] * x[k + 1]);
    } else {
        for (int k = 0; k < kSide; ++k)
            out[k] = (a0[k] * x[k - s0] + a0[k + R::face_step(0)] * x[k + s0]) +
                     (a2[k] * x[k - 1] + a2[k + 1] * x[k + 1]);
    }
}

/// 1 on the cells of a row that have the colour (0 red, 1 black), else 0.
template <int D>
inline const float* colour_mask(int row, int colour) {
    alignas(64) static constexpr float kMask[2][16] = {
        {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0},
        {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}};
    return kMask[TileRows<D>::parity(row) ^ colour];
}

/// x_b from the red values in `y`, into the inside of `x`, whose layer around must be zero.
template <int D>
inline void relax_black(const SmootherView<D>& level, int tile, const Float<D>& y, Float<D>& x) {
    using R = TileRows<D>;
    const std::size_t at = std::size_t(tile) * kTileCells<D>;
    const float* faces = level.faces + std::size_t(tile) * R::kFaces;
    for (int r = 0; r < R::kRows; ++r) {
        float sum[R::kSide];
        gather_row<D>(faces, y.v + R::block_row(r), r, sum);
        const float* mask = colour_mask<D>(r, 1);
        const float* b = level.b + at + r * R::kSide;
        const float* inverse = level.inverse + at + r * R::kSide;
        float* out = x.v + R::block_row(r);
        for (int k = 0; k < R::kSide; ++k) out[k] = mask[k] * (inverse[k] * (b[k] + sum[k]));
    }
}

/// f(axis, side, i, flat place in the tile of border cell i, its face coefficient, its x).
template <int D, class F>
inline void for_border(const float* faces, const Float<D>& x, int axis, int side, F&& f) {
    using R = TileRows<D>;
    const int layer = side ? R::kSide - 1 : 0;
    if (axis == D - 1) {
        for (int r = 0; r < R::kRows; ++r)
            f(r, r * R::kSide + layer, faces[R::face_row(axis, r) + (side ? R::kSide : 0)],
              x.v[R::block_row(r) + layer]);
        return;
    }
    for (int m = 0; m < R::kFaceRows; ++m) {
        const int r = R::layer_row(axis, layer, m);
        const float* c = faces + R::face_row(axis, r) + (side ? R::face_step(axis) : 0);
        const float* v = x.v + R::block_row(r);
        for (int k = 0; k < R::kSide; ++k) f(m * R::kSide + k, r * R::kSide + k, c[k], v[k]);
    }
}

}  // namespace spume

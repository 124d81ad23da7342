// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstring>

#include "spume/grid/tile.h"

namespace spume {

// How the solver sees a tile: rows along the last axis, so that one loop nest serves 2D and 3D and
// a row is one or two vector registers.
//
//   block    the tile with one layer of its 2·D face neighbours. A row of a 3D block in float is
//            one cache line: [ . . . −1 | 0 … 7 | 8 . . . ]
//   faces    coefficients of a tile, both borders included, so that a kernel reads them as one
//            stream: for each axis a block with side + 1 layers along that axis.
template <int D>
struct TileRows {
    static constexpr int kSide = kTileSide<D>;
    static constexpr int kRows = kTileCells<D> / kSide;
    static constexpr int kLead = 4;
    static constexpr int kRowStride = kSide + 2 * kLead;
    static constexpr int kBlockSize = (D == 2 ? kSide + 2 : (kSide + 2) * (kSide + 2)) * kRowStride;
    static constexpr int kFaceBlock = kTileCells<D> + kRows;
    static constexpr int kFaces = D * kFaceBlock;
    static constexpr int kFaceRows = kRows / kSide;  ///< rows of a face across an axis but the last

    /// Where cell 0 of row (i, j) stands in a block; −1 and side are the layers around.
    static constexpr int block_at(int i, int j) {
        return D == 2 ? (i + 1) * kRowStride + kLead
                      : ((i + 1) * (kSide + 2) + j + 1) * kRowStride + kLead;
    }
    static constexpr int block_row(int row) {
        return D == 2 ? block_at(row, 0) : block_at(row / kSide, row % kSide);
    }
    static constexpr int block_stride(int axis) {
        return axis == D - 1 ? 1 : (D == 3 && axis == 0 ? (kSide + 2) * kRowStride : kRowStride);
    }
    /// Row `m` of the layer `layer` across `axis` (not the last), and its place in a block.
    static constexpr int layer_row(int axis, int layer, int m) {
        return axis == 0 ? layer * kFaceRows + m : m * kSide + layer;
    }
    static constexpr int block_layer(int axis, int layer, int m) {
        return axis == 0 ? block_at(layer, m) : block_at(m, layer);
    }
    /// Lower face of cell 0 of a row, and the way to the upper face of the same cell.
    static constexpr int face_row(int axis, int row) {
        if (axis == D - 1) return axis * kFaceBlock + row * (kSide + 1);
        if (axis == 0) return row * kSide;
        return kFaceBlock + (row / kSide * (kSide + 1) + row % kSide) * kSide;
    }
    static constexpr int face_step(int axis) {
        return axis == D - 1 ? 1 : (axis == 0 ? kRows : kSide);
    }
    /// 0 where cell 0 of the row is red. Sides are even, so this is the colour on the lattice too.
    static constexpr int parity(int row) {
        return D == 2 ? row & 1 : (row / kSide + row % kSide) & 1;
    }
};

/// Where things of a row stand.
struct RowAt {
    int offset;             ///< cell 0 in a tile
    int block;              ///< cell 0 in a block
    int low, middle, last;  ///< lower faces of cell 0 across axis 0, 1 and the last
    int parity;             ///< 0: cell 0 is red
};

/// f(RowAt) for each row, unrolled over two layers so that all but one offset, and the colours, are
/// constants.
template <int D, class F>
inline __attribute__((always_inline)) void for_rows(F&& f) {
    using R = TileRows<D>;
    for (int pair = 0; pair < R::kSide; pair += 2) {
#pragma GCC unroll 2
        for (int i = 0; i < 2; ++i) {
#pragma GCC unroll 8
            for (int j = 0; j < R::kFaceRows; ++j) {
                const int row = (pair + i) * R::kFaceRows + j;
                f(RowAt{row * R::kSide, R::block_at(pair + i, j), row * R::kSide,
                        R::kFaceBlock + ((pair + i) * (R::kSide + 1) + j) * R::kSide,
                        (D - 1) * R::kFaceBlock + row * (R::kSide + 1), (i + j) & 1});
            }
        }
    }
}

template <class T, int D>
struct TileBlock {
    alignas(64) T v[TileRows<D>::kBlockSize];
};

/// What a kernel will read of the tile after this one, asked for row by row: tiles are too short
/// for the machine to guess what comes next, least of all beyond the ends of rows.
template <class T, int D>
struct NextTile {
    NextTile(const T* field, int tile, const int* around)
        : own(field + std::size_t(tile) * kTileCells<D>),
          below(field + std::size_t(around[2 * D - 2]) * kTileCells<D>),
          above(field + std::size_t(around[2 * D - 1]) * kTileCells<D>) {}
    void fetch(int offset) const {
        __builtin_prefetch(own + offset);
        __builtin_prefetch(below + offset);
        __builtin_prefetch(above + offset);
    }
    const T *own, *below, *above;
};

/// Fills a block: row(tile, offset, out) writes a row, element(tile, offset) gives one value.
/// `around` lists the tiles below and above along each axis.
template <int D, class T, class Row, class Element>
inline void load_block(TileBlock<T, D>& block, int tile, const int* around, Row&& row,
                       Element&& element) {
    using R = TileRows<D>;
    for (int r = 0; r < R::kRows; ++r) row(tile, r * R::kSide, block.v + R::block_row(r));
    for (int a = 0; a < D - 1; ++a)
        for (int m = 0; m < R::kFaceRows; ++m) {
            row(around[2 * a], R::layer_row(a, R::kSide - 1, m) * R::kSide,
                block.v + R::block_layer(a, -1, m));
            row(around[2 * a + 1], R::layer_row(a, 0, m) * R::kSide,
                block.v + R::block_layer(a, R::kSide, m));
        }
    for (int r = 0; r < R::kRows; ++r) {
        T* out = block.v + R::block_row(r);
        out[-1] = element(around[2 * D - 2], r * R::kSide + R::kSide - 1);
        out[R::kSide] = element(around[2 * D - 1], r * R::kSide);
    }
}

template <int D, class T, class S>
inline void load_block(TileBlock<T, D>& block, const S* field, int tile, const int* around) {
    load_block<D>(
        block, tile, around,
        [&](int t, int o, T* out) {
            const S* in = field + std::size_t(t) * kTileCells<D> + o;
            for (int k = 0; k < kTileSide<D>; ++k) out[k] = static_cast<T>(in[k]);
        },
        [&](int t, int o) { return static_cast<T>(field[std::size_t(t) * kTileCells<D> + o]); });
}

}  // namespace spume

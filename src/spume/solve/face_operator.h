// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/core/array.h"
#include "spume/solve/level_tiles.h"
#include "spume/solve/pressure.h"
#include "spume/solve/tile_rows.h"

namespace spume {

/// Tiles a task works on at a time. Pieces are the leaves of every reduction: a constant, so that
/// sums do not depend on the number of threads.
inline constexpr std::size_t kTilePiece = 8;

/// f(tile) for each listed tile.
template <class F>
void for_each_tile(Arena& arena, std::span<const int> tiles, F&& f) {
    for_range(arena, tiles.size(), kTilePiece, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) f(tiles[i]);
    });
}

/// Sum of f(tile) over the listed tiles, over a fixed tree.
template <class F>
double sum_tiles(Arena& arena, std::span<const int> tiles, F&& f) {
    return reduce(
        arena, tiles.size(), kTilePiece, 0.0,
        [&](std::size_t b, std::size_t e) {
            double s = 0;
            for (std::size_t i = b; i < e; ++i) s += f(tiles[i]);
            return s;
        },
        [](double a, double b) { return a + b; });
}

/// The matrix of a pressure system in double. Vectors are flat over the active tiles in the order
/// of the tile set, then one tile of zeros; faces that touch anything but two unknowns are folded
/// into the diagonal or dropped, so the kernels have no branches.
template <int D>
struct FaceOperator {
    const LevelTiles<D>* tiles = nullptr;
    std::vector<std::uint8_t> contents;  ///< per tile: which kinds of cells it has; 0 past the last
    std::vector<int> live;               ///< tiles with at least one unknown
    Array<float> narrow;                 ///< TileRows::kFaces coefficients per tile, rounded
    Array<double> faces;                 ///< the same unrounded; empty where rounding changed none
    std::vector<float> uniform;      ///< per tile: coefficient of all its faces if they have the
                                     ///< same, no cell has an extra diagonal; else 0
    double contrast = 1;             ///< of the largest to the smallest coefficient above zero
    std::vector<int> extra_slot;     ///< per tile: block in `extra`, −1: all zero
    std::vector<double> extra;       ///< diagonal beyond the faces, blocks of a tile
    std::vector<LowRankTerm> terms;  ///< unknowns only
    std::int64_t unknowns = 0;

    /// Reads the system; rhs gets b with the Dirichlet values moved over, zero where no unknown.
    void assign(const PressureSystem<D>& system, const LevelTiles<D>& level, double* rhs,
                Context& context);
    /// Fills narrow, and faces unless empty; frees faces and returns true if floats hold them all.
    bool assign_faces(const PressureSystem<D>& system, Context& context);
    /// The right-hand side alone, for the system last assigned.
    void assign_rhs(const PressureSystem<D>& system, double* rhs, Context& context) const;
    /// q = A p; returns p · q. Where p has no unknown it must be finite, past the last tile too.
    template <class T>
    double apply(const T* p, double* q, Context& context) const;
    /// The diagonal of a tile, low-rank terms left out.
    void diagonal(int tile, double* out) const;

    const double* extra_of(int tile) const {
        const int slot = extra_slot[static_cast<std::size_t>(tile)];
        return slot < 0 ? nullptr : extra.data() + std::size_t(slot) * kTileCells<D>;
    }
    const float* narrow_of(int tile) const {
        return narrow.data() + std::size_t(tile) * TileRows<D>::kFaces;
    }
    const double* faces_of(int tile) const {
        return faces.data() + std::size_t(tile) * TileRows<D>::kFaces;
    }
};

extern template struct FaceOperator<2>;
extern template struct FaceOperator<3>;

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/grid/field.h"
#include "spume/grid/sample.h"

namespace spume {

// Volumes back as fields: the other way round is frame/volumes.h. A 2D volume is one voxel thick;
// read from a file it comes in blocks of 8³, of which one layer counts.

/// Cells of a volume's lattice that a tile of it covers; in 2D those of the layer z = 0, if any.
template <int D>
Box<int, D> cells_of_tile(const Volume& volume, std::size_t tile) {
    Box<int, D> box{};
    for (int a = 0; a < D; ++a) {
        box.lo[a] = volume.tiles[tile][a];
        box.hi[a] = box.lo[a] + volume.side[a];
    }
    if (D == 2 && (volume.tiles[tile][2] > 0 || volume.tiles[tile][2] + volume.side[2] <= 0))
        box.hi = box.lo;
    return box;
}

/// f(cell, place among the values of a component) for the cells of one tile.
template <int D, class F>
void for_cells_of_tile(const Volume& volume, std::size_t tile, F&& f) {
    const Box<int, D> box = cells_of_tile<D>(volume, tile);
    if (box.empty()) return;
    const Vec<int, 3> side = volume.side;
    const std::size_t first = tile * std::size_t(product(side));
    const int layer = D == 2 ? -volume.tiles[tile][2] : 0;
    for (int i = 0; i < side[0]; ++i)
        for (int j = 0; j < side[1]; ++j)
            for (int k = layer; k < (D == 2 ? layer + 1 : side[2]); ++k) {
                Index<D> cell = box.lo;
                cell[0] += i;
                cell[1] += j;
                if constexpr (D == 3) cell[2] += k;
                f(cell, first + std::size_t((i * side[1] + j) * side[2] + k));
            }
}

/// Copies a component of a volume to the places of a field's flat storage; cell 0 of the volume is
/// cell `shift` of the field. Cells whose tile is not active in the field are left out. Tiles
/// of a volume do not overlap, so that they are copied at once.
template <int D>
void copy_values(const Volume& volume, int component, const Index<D>& shift, const Tiles<D>& tiles,
                 double* values, Context& context) {
    const Array<float>& from = volume.values[std::size_t(component)];
    for_range(context.arena, volume.tiles.size(), 4, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(tiles);
        for (std::size_t t = b; t < e; ++t)
            for_cells_of_tile<D>(volume, t, [&](const Index<D>& cell, std::size_t place) {
                const std::size_t to = cursor(cell + shift);
                if (tiles.is_active(cursor.tile())) values[to] = static_cast<double>(from[place]);
            });
    });
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include "spume/grid/field.h"

namespace spume {

/// Where the neighbour of a cell across one of its 2·D faces is stored: face 2a is the lower one
/// across axis a, 2a + 1 the upper. In the zero tile or a border tile where none is active.
template <int D>
struct Neighbour {
    int tile, offset;
    std::size_t place() const { return std::size_t(tile) * kTileCells<D> + std::size_t(offset); }
};
template <int D>
Neighbour<D> neighbour_of(const Tiles<D>& tiles, int tile, int offset, int face) {
    const int a = face / 2, last = kTileSide<D> - 1, stride = tile_stride<D>(a);
    const int local = tile_local<D>(offset)[a];
    if (face % 2 == 0)
        return local > 0 ? Neighbour<D>{tile, offset - stride}
                         : Neighbour<D>{tiles.neighbour(tile, Index<D>::unit(a, -1)),
                                        offset + last * stride};
    return local < last
               ? Neighbour<D>{tile, offset + stride}
               : Neighbour<D>{tiles.neighbour(tile, Index<D>::unit(a)), offset - last * stride};
}
/// Place of that face itself in the flat storage of a face field's component `face / 2`.
template <int D>
std::size_t face_place(const Tiles<D>& tiles, int tile, int offset, int face) {
    if (face % 2 == 0) return std::size_t(tile) * kTileCells<D> + std::size_t(offset);
    return neighbour_of<D>(tiles, tile, offset, face).place();
}

/// Copies what a field's component `axis` holds on the upper faces of a tile's cells.
template <class T, int D>
void load_upper_faces(const T* component, const Tiles<D>& tiles, int tile, int axis,
                      T (&out)[kTileCells<D>]) {
    const int stride = tile_stride<D>(axis), block = stride * kTileSide<D>;
    const T* own = component + std::size_t(tile) * kTileCells<D>;
    const T* next =
        component + std::size_t(tiles.neighbour(tile, Index<D>::unit(axis))) * kTileCells<D>;
    for (int o = 0; o < kTileCells<D>; o += block) {
        std::copy_n(own + o + stride, block - stride, out + o);
        std::copy_n(next + o, stride, out + o + block - stride);
    }
}

}  // namespace spume

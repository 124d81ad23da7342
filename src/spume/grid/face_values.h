// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include "spume/core/context.h"
#include "spume/grid/field.h"

namespace spume {

/// Zero on every face, for writing at once: FaceField(tiles) copies on the first write.
template <class T, int D>
FaceField<T, D> zero_faces(const typename Tiles<D>::Ptr& tiles, Context& context) {
    auto r = FaceField<T, D>::unwritten(tiles);
    for (int a = 0; a < D; ++a) {
        T* values = r.write(a);
        for_values(context.arena, *tiles,
                   [=](std::size_t b, std::size_t e) { std::fill(values + b, values + e, T(0)); });
    }
    return r;
}

/// Undefined in active tiles, zero beyond: for fields whose active tiles are written whole.
template <class T, int D>
FaceField<T, D> zero_borders(const typename Tiles<D>::Ptr& tiles, Context& context) {
    auto r = FaceField<T, D>::unwritten(tiles);
    const std::size_t first = std::size_t(tiles->active()) * kTileCells<D>;
    for (int a = 0; a < D; ++a) {
        T* values = r.write(a) + first;
        for_range(context.arena, tiles->values() - first, std::size_t(32) * kTileCells<D>,
                  [=](std::size_t b, std::size_t e) { std::fill(values + b, values + e, T(0)); });
    }
    return r;
}

/// f(begin, end) over the flat storage of the tiles that hold faces across `axis`: for arithmetic
/// face by face. Of border tiles, which may be as many as active ones, it leaves out most.
template <int D, class F>
void for_face_values(Arena& arena, const Tiles<D>& tiles, int axis, F&& f) {
    constexpr std::size_t kCells = kTileCells<D>;
    for_range(arena, std::size_t(tiles.active()) * kCells, 16 * kCells, f);
    const auto borders = tiles.plus_borders(axis);
    for_range(arena, borders.size(), 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i)
            f(std::size_t(borders[i]) * kCells, std::size_t(borders[i] + 1) * kCells);
    });
}

/// The values one cell below along `axis` of all cells of an active tile.
template <class T, int D>
void load_below(const T* field, const Tiles<D>& tiles, int tile, int axis, T* out) {
    const int stride = tile_stride<D>(axis), block = stride * kTileSide<D>;
    const T* own = field + std::size_t(tile) * kTileCells<D>;
    const int before = tiles.neighbour(tile, Index<D>::unit(axis, -1));
    const T* other = field + std::size_t(before) * kTileCells<D>;
    if (axis == D - 1) {  // rows that move by one, in registers
        for (int row = 0; row < kTileCells<D>; row += kTileSide<D>) {
            out[row] = other[row + kTileSide<D> - 1];
            for (int k = 1; k < kTileSide<D>; ++k) out[row + k] = own[row + k - 1];
        }
        return;
    }
    for (int first = 0; first < kTileCells<D>; first += block) {
        std::copy_n(other + first + block - stride, stride, out + first);
        std::copy_n(own + first, block - stride, out + first + stride);
    }
}

/// f(begin, end, below) for runs of faces across `axis` in flat storage, each face once: below[i]
/// is the value of `field` in the cell below face begin + i (in the zero tile where there is none).
/// A run is a whole tile, or a part of a border tile.
template <int D, class T, class F>
void for_faces_above(Arena& arena, const Tiles<D>& tiles, int axis, const T* field, F&& f) {
    constexpr std::size_t kCells = kTileCells<D>;
    for_tiles(arena, tiles, [&](int t) {
        T below[kCells];
        load_below<T, D>(field, tiles, t, axis, below);
        f(std::size_t(t) * kCells, std::size_t(t + 1) * kCells, static_cast<const T*>(below));
    });
    const auto borders = tiles.plus_borders(axis);
    const std::size_t stride = std::size_t(tile_stride<D>(axis)), block = stride * kTileSide<D>;
    for_range(arena, borders.size(), 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const int before = tiles.find(tiles.key(borders[i]) - Index<D>::unit(axis));
            const std::size_t at = std::size_t(borders[i]) * kCells;
            const T* top = field + std::size_t(before) * kCells + block - stride;
            for (std::size_t first = 0; first < kCells; first += block)
                f(at + first, at + first + stride, top + first);
        }
    });
}

}  // namespace spume

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
FaceField<T, D> zero_borders(const typename Tiles<D>::Ptr& tiles) {
    auto r = FaceField<T, D>::unwritten(tiles);
    const std::size_t begin = std::size_t(tiles->active()) * kTileCells<D>;
    for (int a = 0; a < D; ++a) std::fill(r.write(a) + begin, r.write(a) + tiles->values(), T(0));
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

/// f(face, below, count) for runs of faces across `axis` that follow each other in flat storage, as
/// the cells below them do: for_face_pairs for loops that fill registers.
template <int D, class F>
void for_face_runs(Arena& arena, const Tiles<D>& tiles, int axis, F&& f) {
    const int stride = tile_stride<D>(axis), block = stride * kTileSide<D>;
    const auto at = [](int tile, int offset) {
        return std::size_t(tile) * kTileCells<D> + std::size_t(offset);
    };
    for_tiles(arena, tiles, [&](int t) {
        const int before = tiles.neighbour(t, Index<D>::unit(axis, -1));
        for (int first = 0; first < kTileCells<D>; first += block) {
            f(at(t, first), at(before, first + block - stride), stride);
            f(at(t, first + stride), at(t, first), block - stride);
        }
    });
    const auto borders = tiles.plus_borders(axis);
    for_range(arena, borders.size(), 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const int before = tiles.find(tiles.key(borders[i]) - Index<D>::unit(axis));
            for (int first = 0; first < kTileCells<D>; first += block)
                f(at(borders[i], first), at(before, first + block - stride), stride);
        }
    });
}

}  // namespace spume

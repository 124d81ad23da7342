// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/dense.h"
#include "spume/grid/field.h"

namespace spume {

// Between fields over a whole box and those over the tiles that cover it.

/// f(place in tiles, place in the dense field, count) for each stretch of samples that both hold;
/// `lower` is the lattice index of sample 0. Border tiles too: they hold the last faces.
template <int D, class F>
void for_shared_rows(Arena& arena, const Tiles<D>& tiles, const DenseShape<D>& shape,
                     const Index<D>& lower, F&& f) {
    constexpr int kSide = kTileSide<D>;
    for_range(arena, std::size_t(tiles.zero()), 4, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t) {
            const Index<D> origin = tiles.origin(int(t)) - lower;
            const int first = std::max(origin[D - 1], 0),
                      last = std::min(origin[D - 1] + kSide, shape.size[D - 1]);
            if (first >= last) continue;
            for (int row = 0; row < kTileCells<D>; row += kSide) {
                Index<D> i = origin + tile_local<D>(row);
                bool inside = true;
                for (int a = 0; a < D - 1; ++a)
                    inside = inside && i[a] >= 0 && i[a] < shape.size[a];
                if (!inside) continue;
                i[D - 1] = first;
                f(t * kTileCells<D> + std::size_t(row + first - origin[D - 1]), shape.at(i),
                  last - first);
            }
        }
    });
}

template <class To, class From, int D>
void dense_to_tiles(const DenseField<From, D>& from, To* to, const Tiles<D>& tiles,
                    const Index<D>& lower, Context& context) {
    const From* in = from.read();
    for_shared_rows<D>(context.arena, tiles, from.shape, lower,
                       [&](std::size_t tile, std::size_t dense, int count) {
                           for (int k = 0; k < count; ++k)
                               to[tile + std::size_t(k)] = To(in[dense + std::size_t(k)]);
                       });
}
template <class To, class From, int D>
void tiles_to_dense(const From* from, DenseField<To, D>& to, const Tiles<D>& tiles,
                    const Index<D>& lower, Context& context) {
    To* out = to.write();
    for_shared_rows<D>(context.arena, tiles, to.shape, lower,
                       [&](std::size_t tile, std::size_t dense, int count) {
                           for (int k = 0; k < count; ++k)
                               out[dense + std::size_t(k)] = To(from[tile + std::size_t(k)]);
                       });
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstring>

#include "spume/grid/field.h"

namespace spume {

/// Values of a tile with a halo of R layers from its neighbours, last axis fastest.
template <class T, int D, int R>
struct HaloBlock {
    static constexpr int kSide = kTileSide<D> + 2 * R;
    static constexpr int kSize = D == 2 ? kSide * kSide : kSide * kSide * kSide;
    alignas(64) T v[kSize];

    static constexpr int stride(int axis) {
        int s = 1;
        for (int a = D - 1; a > axis; --a) s *= kSide;
        return s;
    }
    /// Place of a cell of the tile, coordinates from −R to side + R − 1.
    static constexpr int at(const Index<D>& local) {
        int o = 0;
        for (int a = 0; a < D; ++a) o = o * kSide + local[a] + R;
        return o;
    }
};

/// Fills the block from the flat storage of a field. Missing neighbours read as zero.
template <class T, int D, int R>
void load_halo(const T* field, const Tiles<D>& tiles, int tile, HaloBlock<T, D, R>& block) {
    static_assert(R <= kTileSide<D>);
    constexpr int kS = kTileSide<D>;
    const int* around = tiles.neighbours(tile);
    const auto span = [](int step, int& from, int& to, int& count) {
        from = step < 0 ? kS - R : 0;
        to = step < 0 ? 0 : step == 0 ? R : kS + R;
        count = step == 0 ? kS : R;
    };
    for (int code = 0; code < kTileNeighbours<D>; ++code) {
        const T* source = field + std::size_t(around[code]) * kTileCells<D>;
        int from[D], to[D], count[D];
        for (int a = D - 1, rest = code; a >= 0; --a, rest /= 3)
            span(rest % 3 - 1, from[a], to[a], count[a]);
        const int rows = D == 2 ? count[0] : count[0] * count[1];
        for (int row = 0; row < rows; ++row) {
            const int i = D == 2 ? row : row / count[1], j = D == 2 ? 0 : row % count[1];
            const int s = D == 2 ? (from[0] + i) * kS + from[1]
                                 : ((from[0] + i) * kS + from[1] + j) * kS + from[D - 1];
            const int t = D == 2
                              ? (to[0] + i) * block.kSide + to[1]
                              : ((to[0] + i) * block.kSide + to[1] + j) * block.kSide + to[D - 1];
            std::memcpy(block.v + t, source + s, std::size_t(count[D - 1]) * sizeof(T));
        }
    }
}

}  // namespace spume

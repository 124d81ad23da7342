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
    constexpr int kS = kTileSide<D>, kSide = HaloBlock<T, D, R>::kSide;
    const int* around = tiles.neighbours(tile);
    // Row by row of the block; each has its middle and two ends in three tiles.
    for (int row = 0; row < HaloBlock<T, D, R>::kSize / kSide; ++row) {
        int code = 0, offset = 0;
        for (int a = 0; a < D - 1; ++a) {
            const int local = (D == 2 || a == 1 ? row % kSide : row / kSide) - R;
            code = code * 3 + (local < 0 ? 0 : local < kS ? 1 : 2);
            offset = (offset + (local & (kS - 1))) * kS;
        }
        const auto source = [&](int step) {
            return field + std::size_t(around[code * 3 + step]) * kTileCells<D> + offset;
        };
        T* out = block.v + row * kSide;
        std::memcpy(out, source(0) + kS - R, R * sizeof(T));
        std::memcpy(out + R, source(1), kS * sizeof(T));
        std::memcpy(out + R + kS, source(2), R * sizeof(T));
    }
}

}  // namespace spume

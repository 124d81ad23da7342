// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
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

/// f(local index) over a tile and R layers of cells around it.
template <int D, int R, class F>
void for_halo(F&& f) {
    constexpr int kSide = HaloBlock<char, D, R>::kSide;
    for (int n = 0; n < HaloBlock<char, D, R>::kSize; ++n) {
        Index<D> local{};
        for (int a = D - 1, rest = n; a >= 0; --a, rest /= kSide) local[a] = rest % kSide - R;
        f(local);
    }
}

/// Where the rows of a block come from: of each the middle one of three tiles that it crosses, as
/// in neighbour_code, and its place there.
template <class T, int D, int R>
struct HaloRows {
    static constexpr int kSide = HaloBlock<T, D, R>::kSide;
    static constexpr int kCount = HaloBlock<T, D, R>::kSize / kSide;
    struct Row {
        short code, offset;
    };
    Row rows[kCount];

    constexpr HaloRows() : rows() {
        constexpr int kS = kTileSide<D>;
        for (int row = 0; row < kCount; ++row) {
            int code = 0, offset = 0;
            for (int a = 0; a < D - 1; ++a) {
                const int local = (D == 2 || a == 1 ? row % kSide : row / kSide) - R;
                code = code * 3 + (local < 0 ? 0 : local < kS ? 1 : 2);
                offset = (offset + (local & (kS - 1))) * kS;
            }
            rows[row] = {static_cast<short>(code * 3), static_cast<short>(offset)};
        }
    }
};
template <class T, int D, int R>
inline constexpr HaloRows<T, D, R> kHaloRows{};

/// Fills the block from the flat storage of a field. Missing neighbours read as zero.
template <class T, int D, int R>
void load_halo(const T* field, const Tiles<D>& tiles, int tile, HaloBlock<T, D, R>& block) {
    static_assert(R <= kTileSide<D>);
    constexpr int kS = kTileSide<D>, kSide = HaloBlock<T, D, R>::kSide;
    const T* around[kTileNeighbours<D>];
    for (int n = 0; n < kTileNeighbours<D>; ++n)
        around[n] = field + std::size_t(tiles.neighbours(tile)[n]) * kTileCells<D>;
    T* out = block.v;
    for (const auto& [code, offset] : kHaloRows<T, D, R>.rows) {
        // Row by row of the block; each has its middle and two ends in three tiles.
        std::memcpy(out, around[code] + offset + kS - R, R * sizeof(T));
        std::memcpy(out + R, around[code + 1] + offset, kS * sizeof(T));
        std::memcpy(out + R + kS, around[code + 2] + offset, R * sizeof(T));
        out += kSide;
    }
}

/// Fills a block with halo. Where a neighbour is not stored the nearest value of the tile itself
/// goes on: beyond a wall that is the liquid's mirror image, elsewhere more of the same air.
template <class T, int D, int R>
void load_halo_continued(const T* field, const Tiles<D>& tiles, int tile,
                         HaloBlock<T, D, R>& block) {
    load_halo(field, tiles, tile, block);
    const int* around = tiles.neighbours(tile);
    for (int code = 0; code < kTileNeighbours<D>; ++code) {
        if (tiles.is_active(around[code])) continue;
        Index<D> lo{}, hi{};
        for (int a = D - 1, rest = code; a >= 0; --a, rest /= 3) {
            const int step = rest % 3 - 1;
            lo[a] = step < 0 ? -R : step == 0 ? 0 : kTileSide<D>;
            hi[a] = step < 0 ? 0 : step == 0 ? kTileSide<D> : kTileSide<D> + R;
        }
        Index<D> i = lo;
        for (bool more = true; more;) {
            Index<D> own = i;
            for (int a = 0; a < D; ++a) own[a] = std::clamp(i[a], 0, kTileSide<D> - 1);
            block.v[block.at(i)] = block.v[block.at(own)];
            more = false;
            for (int a = D - 1; a >= 0 && !more; --a) {
                more = ++i[a] < hi[a];
                if (!more) i[a] = lo[a];
            }
        }
    }
}

}  // namespace spume

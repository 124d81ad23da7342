// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "spume/grid/components.h"
#include "spume/grid/field.h"
#include "spume/surface/regions.h"

namespace spume {

/// The rows of a tile along its last axis as bits: which cells are air or liquid, and which of
/// their lower faces are open.
template <int D>
struct TileBits {
    static constexpr int kSide = kTileSide<D>, kRows = TileRowBits<D>::kRows;
    TileRowBits<D> air, liquid, open[D];

    TileBits(const std::uint8_t* phase, const FaceField<float, D>& area, int t)
        : air(TileRowBits<D>::of([&](int o) { return phase[o] == kAirPhase; })),
          liquid(TileRowBits<D>::of([&](int o) { return phase[o] == kLiquidPhase; })) {
        for (int a = 0; a < D; ++a) {
            const float* f = area.tile(a, t);
            open[a] = TileRowBits<D>::of([&](int o) { return f[o] != 0; });
        }
    }

    /// Cells of one phase join through open faces.
    TileJoins<D> joins() const {
        TileJoins<D> r;
        for (int row = 0; row < kRows; ++row) {
            r.cells.row[row] = air.row[row] | liquid.row[row];
            for (int a = 0; a < D; ++a) r.lower[a].row[row] = open[a].row[row] & ~unlike(a, row);
        }
        return r;
    }

    /// f(offset of the upper cell, stride to the lower) for the open faces inside the tile between
    /// air and liquid, once for those in a row between the same runs of cells that join.
    template <class F>
    void for_unlike(const TileJoins<D>& joins, F&& f) const {
        const auto goes_on = [&](int row) {  // with the cell before it in the row
            return (joins.cells.row[row] << 1) & joins.lower[D - 1].row[row];
        };
        for (int a = 0; a < D; ++a)
            for (int row = 0; row < kRows; ++row) {
                std::uint32_t meet = open[a].row[row] & unlike(a, row);
                if (meet == 0) continue;
                if (a < D - 1)
                    meet &=
                        ~((meet << 1) & goes_on(row) & goes_on(row - tile_stride<D>(a) / kSide));
                for (; meet; meet &= meet - 1)
                    f(row * kSide + std::countr_zero(meet), tile_stride<D>(a));
            }
    }

  private:
    /// Lower faces inside the tile with air on one side and liquid on the other.
    std::uint32_t unlike(int a, int row) const {
        if (a == D - 1)
            return (air.row[row] & (liquid.row[row] << 1)) |
                   (liquid.row[row] & (air.row[row] << 1));
        const int step = tile_stride<D>(a) / kSide;
        if (row / step % kSide == 0) return 0;
        return (air.row[row] & liquid.row[row - step]) | (liquid.row[row] & air.row[row - step]);
    }
};

/// What the sets of a tile are: the phase of each, and which of unlike phase share an open face.
struct TilePhases {
    std::vector<std::uint8_t> is_air{};
    std::vector<std::pair<int, int>> beside{};
};

template <int D>
TilePhases phases_of(const TileBits<D>& bits, const TileJoins<D>& joins,
                     const TileComponents<D>& components, int t, const std::uint8_t* phase) {
    TilePhases r;
    r.is_air.resize(std::size_t(components.sets(t)));
    const std::int16_t* local = components.labels(t);
    if (!local) {  // one set, or none
        std::fill(r.is_air.begin(), r.is_air.end(), std::uint8_t(phase[0] == kAirPhase));
        return r;
    }
    for (int o = 0; o < kTileCells<D>; ++o)
        if (local[o] >= 0) r.is_air[std::size_t(local[o])] = phase[o] == kAirPhase;
    bits.for_unlike(joins, [&](int o, int stride) {
        const std::pair<int, int> pair(local[o], local[o - stride]);
        if (r.beside.empty() || r.beside.back() != pair) r.beside.push_back(pair);
    });
    return r;
}

}  // namespace spume

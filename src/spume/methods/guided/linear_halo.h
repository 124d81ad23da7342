// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include "spume/grid/halo.h"

namespace spume::guided {

/// Where no neighbour is stored, one layer around a tile from its own values by their slopes, so
/// that central differences become one-sided there and are exact for linear fields. `last` is the
/// largest index along each axis that holds a value of the tile's own.
template <int D>
void continue_linearly(const Tiles<D>& tiles, int tile, const Index<D>& last,
                       HaloBlock<double, D, 1>& block) {
    constexpr int kS = kTileSide<D>;
    bool whole = true;
    for (int n = 0; n < kTileNeighbours<D>; ++n)
        whole = whole && tiles.is_active(tiles.neighbours(tile)[n]);
    if (whole) return;
    for_halo<D, 1>([&](const Index<D>& local) {
        Index<D> step{}, nearest = local;
        for (int a = 0; a < D; ++a) {
            step[a] = local[a] < 0 ? -1 : local[a] < kS ? 0 : 1;
            nearest[a] = std::clamp(local[a], 0, last[a]);
        }
        if (nearest == local || tiles.is_active(tiles.neighbour(tile, step))) return;
        const double own = block.v[block.at(nearest)];
        double value = own;
        for (int a = 0; a < D; ++a) {
            if (nearest[a] == local[a]) continue;
            const Index<D> inner = nearest + Index<D>::unit(a, local[a] < 0 ? 1 : -1);
            value += own - block.v[block.at(inner)];
        }
        block.v[block.at(local)] = value;
    });
}

/// The cells of a tile and one layer around it.
template <int D>
void load_cells_linear(const double* field, const Tiles<D>& tiles, int tile,
                       HaloBlock<double, D, 1>& block) {
    load_halo(field, tiles, tile, block);
    continue_linearly(tiles, tile, Index<D>::filled(kTileSide<D> - 1), block);
}

/// The faces across `axis`, those on the tile's upper side among its own.
template <int D>
void load_faces_linear(const double* component, const Tiles<D>& tiles, int tile, int axis,
                       HaloBlock<double, D, 1>& block) {
    load_halo(component, tiles, tile, block);
    continue_linearly(tiles, tile, Index<D>::filled(kTileSide<D> - 1) + Index<D>::unit(axis),
                      block);
}

}  // namespace spume::guided

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/grid/tile.h"

namespace spume {

/// The tiles of one multigrid level: those of the grid on the finest, then halved by each level. A
/// pure function of the tile keys. Clusters of tiles that share no face may be moved together, so
/// that the work goes with the tiles and not with their extent.
template <int D>
struct LevelTiles {
    int count = 0;
    std::vector<Index<D>> keys;      ///< from zero; clusters may have been moved
    std::vector<int> around;         ///< 2·D per tile, below and above by axis; `count`: none
    std::vector<int> parent;         ///< tile of the next coarser level; empty on the coarsest
    std::vector<std::uint8_t> part;  ///< which of its 2^D parts, bit a: upper half along axis a

    std::vector<int> children;  ///< 2^D per tile, on the next finer level, −1: none

    const int* around_tile(int t) const { return around.data() + std::size_t(t) * 2 * D; }
    std::size_t values() const { return (std::size_t(count) + 1) * kTileCells<D>; }
};

/// Finest first; the coarsest holds at most 4³ (8²) cells.
template <int D>
std::vector<LevelTiles<D>> level_tiles(const Tiles<D>& tiles);

}  // namespace spume

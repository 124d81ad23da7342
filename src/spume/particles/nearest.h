// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "spume/particles/cell_ranges.h"

namespace spume {

/// f(i) for each particle in the cell `local` of tile t and in those around it.
template <int D, class F>
void for_particles_around(const CellRanges<D>& cells, const Tiles<D>& tiles, int t,
                          const Index<D>& local, F&& f) {
    constexpr int kSide = kTileSide<D>;
    for (int code = 0; code < kTileNeighbours<D>; ++code) {
        Index<D> at = local, step{};
        for (int a = D - 1, rest = code; a >= 0; --a, rest /= 3) {
            at[a] += rest % 3 - 1;
            step[a] = at[a] < 0 ? -1 : at[a] >= kSide ? 1 : 0;
            at[a] -= step[a] * kSide;
        }
        const int n = tiles.neighbour(t, step);
        if (!tiles.is_active(n)) continue;
        const std::size_t place = std::size_t(n) * kTileCells<D> + std::size_t(tile_offset<D>(at));
        for (std::uint32_t i = cells.first(place); i < cells.last(place); ++i) f(i);
    }
}

/// Distance in voxels from x, in the cell `local` of tile t, to the nearest point in that cell and
/// those around it; `reach` if none is nearer.
template <int D>
double nearest_particle(double reach, std::span<const Point<D>> points, const CellRanges<D>& cells,
                        const Tiles<D>& tiles, int t, const Index<D>& local, const Point<D>& x) {
    double least = reach * reach * tiles.voxel() * tiles.voxel();
    for_particles_around<D>(cells, tiles, t, local, [&](std::uint32_t i) {
        const Point<D> d = points[i] - x;
        least = std::min(least, dot(d, d));
    });
    return std::sqrt(least) / tiles.voxel();
}

/// The same among the points that sees(x, point).
template <int D, class Sees>
double nearest_seen(double reach, std::span<const Point<D>> points, const CellRanges<D>& cells,
                    const Tiles<D>& tiles, int t, const Index<D>& local, const Point<D>& x,
                    const Sees& sees) {
    double least = reach * reach * tiles.voxel() * tiles.voxel();
    for_particles_around<D>(cells, tiles, t, local, [&](std::uint32_t i) {
        const Point<D> d = points[i] - x;
        const double square = dot(d, d);
        if (square < least && sees(x, points[i])) least = square;
    });
    return std::sqrt(least) / tiles.voxel();
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/sort.h"

namespace spume {

/// Which of the sorted particles each cell of the active tiles holds: those of the cell at place p
/// of a field's flat storage are [begin[p], begin[p + 1]).
template <int D>
struct CellRanges {
    Array<std::uint32_t> begin;

    std::uint32_t first(std::size_t place) const { return begin[place]; }
    std::uint32_t last(std::size_t place) const { return begin[place + 1]; }
    int count(std::size_t place) const { return int(last(place) - first(place)); }
};

template <int D>
CellRanges<D> cell_ranges(std::span<const Point<D>> positions, const TileRanges<D>& ranges,
                          const Clamp<D>& clamp, Context& context) {
    const Tiles<D>& tiles = *ranges.tiles;
    CellRanges<D> r;
    r.begin.resize_discard(std::size_t(tiles.active()) * kTileCells<D> + 1);
    std::uint32_t* begin = r.begin.write().data();
    begin[r.begin.size() - 1] = static_cast<std::uint32_t>(positions.size());
    for_tiles(context.arena, tiles, [&](int t) {
        std::uint32_t* own = begin + std::size_t(t) * kTileCells<D>;
        std::uint32_t i = static_cast<std::uint32_t>(ranges.first(t));
        const std::uint32_t end = static_cast<std::uint32_t>(ranges.last(t));
        int next = 0;
        for (; i < end; ++i) {
            const int o =
                tile_offset<D>(local_of<D>(clamp.cell(tiles.transform().to_lattice(positions[i]))));
            for (; next <= o; ++next) own[next] = i;
        }
        for (; next < kTileCells<D>; ++next) own[next] = end;
    });
    return r;
}

}  // namespace spume

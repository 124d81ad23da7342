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

/// Sorts the particles and says where those of each cell lie.
template <class Set, int D>
TileRanges<D> sort_by_cell(Set& set, const std::shared_ptr<const Tiles<D>>& tiles,
                           const Clamp<D>& clamp, CellRanges<D>& cells, Context& context) {
    return sort_by_tile(set, tiles, context, clamp, &cells.begin);
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <memory>
#include <vector>

#include "spume/grid/tile.h"
#include "spume/particles/clamp.h"
#include "spume/particles/set.h"

namespace spume {

template <int D>
struct PowerKernel;

/// Which particles each active tile holds: [begin[t], begin[t + 1]).
template <int D>
struct TileRanges {
    typename Tiles<D>::Ptr tiles;
    std::vector<std::uint32_t> begin;  ///< one more than there are active tiles
    /// How transfers weigh the particles (power_kernel.h); none: by the hat at their place.
    std::shared_ptr<const PowerKernel<D>> power{};

    std::size_t size() const { return begin.empty() ? 0 : begin.back(); }
    std::size_t first(int tile) const { return begin[static_cast<std::size_t>(tile)]; }
    std::size_t last(int tile) const { return begin[static_cast<std::size_t>(tile) + 1]; }
};

namespace detail {

/// Nonempty tiles by the parities of their coordinates.
template <int D>
std::array<std::vector<int>, (1 << D)> parity_classes(const TileRanges<D>& ranges) {
    std::array<std::vector<int>, (1 << D)> classes;
    for (int t = 0; t < ranges.tiles->active(); ++t) {
        if (ranges.first(t) == ranges.last(t)) continue;
        unsigned parity = 0;
        for (int a = 0; a < D; ++a)
            parity = parity * 2 + static_cast<unsigned>(ranges.tiles->key(t)[a] & 1);
        classes[parity].push_back(t);
    }
    return classes;
}

}  // namespace detail

/// The order by (tile, cell, id), and where each tile begins in it. Empty order: already sorted.
template <int D>
struct TileOrder {
    Array<std::uint32_t> order;
    TileRanges<D> ranges;
};
/// `cells`, if given, gets where each cell of the active tiles begins in the order, and the end.
template <int D>
TileOrder<D> tile_order(std::span<const Point<D>> positions, std::span<const std::uint64_t> ids,
                        const typename Tiles<D>::Ptr& tiles, const Clamp<D>& clamp,
                        Context& context, Array<std::uint32_t>* cells = nullptr);

/// Which particles each tile holds, if they lie by tiles already, in any order inside each; none
/// without tiles otherwise.
template <int D>
TileRanges<D> tile_ranges(std::span<const Point<D>> positions, std::span<const std::uint64_t> ids,
                          const typename Tiles<D>::Ptr& tiles, const Clamp<D>& clamp,
                          Context& context);

/// Sorts the particles by (tile, cell, id). The order is total, so it depends neither on the order
/// before nor on the number of threads. A particle in no active tile is a defect.
template <class Set, int D>
TileRanges<D> sort_by_tile(Set& set, const std::shared_ptr<const Tiles<D>>& tiles, Context& context,
                           const Clamp<D>& clamp = {}, Array<std::uint32_t>* cells = nullptr) {
    Stage stage(context, "sort");
    TileOrder<D> sorted =
        tile_order<D>(set.position.read(), set.id.read(), tiles, clamp, context, cells);
    if (!sorted.order.empty()) permute(set, sorted.order.read(), context);
    return std::move(sorted.ranges);
}

/// The same for those who do not ask for cells: what lies by tiles already stays as it is.
template <class Set, int D>
TileRanges<D> gather_by_tile(Set& set, const std::shared_ptr<const Tiles<D>>& tiles,
                             Context& context, const Clamp<D>& clamp = {}) {
    Stage stage(context, "sort");
    TileRanges<D> r = tile_ranges<D>(set.position.read(), set.id.read(), tiles, clamp, context);
    return r.tiles ? r : sort_by_tile(set, tiles, context, clamp);
}

}  // namespace spume

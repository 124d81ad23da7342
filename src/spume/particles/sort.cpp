// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/particles/sort.h"

#include <algorithm>
#include <cstring>

#include "spume/core/error.h"

namespace spume {
namespace {

constexpr std::size_t kPiece = std::size_t(1) << 14;

/// A particle in the making of the order: its key is (tile, cell), its index where it lies now.
struct Entry {
    std::uint32_t key, index;
};

template <int D>
[[noreturn]] void fail_outside(const Point<D>& x, std::uint64_t id) {
    std::string place;
    for (int a = 0; a < D; ++a) place += fmt::format("{}{}", a ? ", " : "", x[a]);
    detail::fail_check(__FILE__, __LINE__, "every particle lies in an active tile",
                       fmt::format("particle {} at ({})", id, place));
}

/// Keys of the particles of a stretch.
template <int D>
void find_keys(std::span<const Point<D>> positions, std::span<const std::uint64_t> ids,
               const Tiles<D>& tiles, const Clamp<D>& clamp, std::size_t begin, std::size_t end,
               std::uint32_t* keys) {
    constexpr double kFar = double(kTileSide<D>) * (1 << 19);  // half of what tile keys can hold
    Index<D> last{};
    int tile = tiles.zero();
    for (std::size_t i = begin; i < end; ++i) {
        const Point<D> u = tiles.transform().to_lattice(positions[i]);
        for (int a = 0; a < D; ++a)
            if (!(std::abs(u[a]) < kFar)) fail_outside<D>(positions[i], ids[i]);
        const Index<D> cell = clamp.cell(u), key = tile_of<D>(cell);
        if (!(key == last) || tile == tiles.zero()) {
            last = key;
            tile = tiles.find(key);
            if (!tiles.is_active(tile)) fail_outside<D>(positions[i], ids[i]);
        }
        keys[i] = static_cast<std::uint32_t>(tile) * kTileCells<D> +
                  static_cast<std::uint32_t>(tile_offset<D>(local_of<D>(cell)));
    }
}

template <int D>
Array<std::uint32_t> all_keys(std::span<const Point<D>> positions,
                              std::span<const std::uint64_t> ids, const Tiles<D>& tiles,
                              const Clamp<D>& clamp, Context& context) {
    Array<std::uint32_t> keys;
    keys.resize_discard(positions.size());
    std::uint32_t* k = keys.write().data();
    for_range(context.arena, positions.size(), kPiece, [&](std::size_t b, std::size_t e) {
        find_keys<D>(positions, ids, tiles, clamp, b, e, k);
    });
    return keys;
}

/// Where the tiles begin in keys that are in the order of tiles.
template <int D>
std::vector<std::uint32_t> tile_begins(std::span<const std::uint32_t> keys, std::size_t active) {
    std::vector<std::uint32_t> begin(active + 1);
    for (std::size_t t = 0; t <= active; ++t)
        begin[t] = static_cast<std::uint32_t>(
            std::partition_point(keys.begin(), keys.end(),
                                 [&](std::uint32_t k) { return k / kTileCells<D> < t; }) -
            keys.begin());
    return begin;
}

/// Are the keys, without their last bits, in order?
bool is_sorted(std::span<const std::uint32_t> keys, int shift, Context& context) {
    if (keys.size() < 2) return true;
    return reduce(
        context.arena, keys.size() - 1, kPiece, true,
        [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                if (keys[i + 1] >> shift < keys[i] >> shift) return false;
            return true;
        },
        [](bool a, bool b) { return a && b; });
}

bool is_sorted(std::span<const std::uint32_t> keys, std::span<const std::uint64_t> ids,
               Context& context) {
    if (keys.size() < 2) return true;
    return reduce(
        context.arena, keys.size() - 1, kPiece, true,
        [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                if (keys[i + 1] < keys[i] || (keys[i + 1] == keys[i] && ids[i + 1] < ids[i]))
                    return false;
            return true;
        },
        [](bool a, bool b) { return a && b; });
}

/// Entries by tile, in the order in which they came. Counts a tile and a stretch of particles, adds
/// them up, then writes each entry to its place.
template <int D>
Array<Entry> by_tile(std::span<const std::uint32_t> keys, std::vector<std::uint32_t>& begin,
                     Context& context) {
    const std::size_t n = keys.size(), tiles = begin.size() - 1;
    const std::size_t wanted = context.arena.threads() == 1 ? 1 : 4 * context.arena.threads();
    const std::size_t grain = std::max((n + wanted - 1) / wanted, kPiece);
    const std::size_t stretches = (n + grain - 1) / grain;
    constexpr int kShift = D * kTileShift<D>;
    std::vector<std::uint32_t> count(stretches * tiles, 0);
    for_range(context.arena, n, grain, [&](std::size_t b, std::size_t e) {
        std::uint32_t* mine = count.data() + b / grain * tiles;
        for (std::size_t i = b; i < e;) {
            const std::uint32_t tile = keys[i] >> kShift;
            const std::size_t first = i;
            while (i < e && keys[i] >> kShift == tile) ++i;
            mine[tile] += static_cast<std::uint32_t>(i - first);
        }
    });
    std::uint32_t sum = 0;
    for (std::size_t t = 0; t < tiles; ++t) {
        begin[t] = sum;
        for (std::size_t s = 0; s < stretches; ++s) sum += std::exchange(count[s * tiles + t], sum);
    }
    begin[tiles] = sum;
    Array<Entry> entries;
    entries.resize_discard(n);
    Entry* out = entries.write().data();
    for_range(context.arena, n, grain, [&](std::size_t b, std::size_t e) {
        std::uint32_t* next = count.data() + b / grain * tiles;
        for (std::size_t i = b; i < e;) {
            const std::uint32_t tile = keys[i] >> kShift;
            std::uint32_t to = next[tile];
            for (; i < e && keys[i] >> kShift == tile; ++i)
                out[to++] = {keys[i], static_cast<std::uint32_t>(i)};
            next[tile] = to;
        }
    });
    return entries;
}

/// The particles of one tile by cell, in two columns.
struct Rows {
    std::vector<std::int64_t> id;
    std::vector<std::uint32_t> index;
    void resize(std::size_t size) {
        id.resize(size);
        index.resize(size);
    }
};

/// Writes the indices of a cell in the order of their ids. The rank of each is how many come before
/// it: no branch depends on the ids, which in a cell with arrivals are in no order that a processor
/// could guess. Reads kFew ids, whatever stands behind the last.
constexpr std::size_t kFew = 16;
void order_few(const std::int64_t* id, const std::uint32_t* index, std::size_t count,
               std::uint32_t* order) {
    typedef std::int64_t Four __attribute__((vector_size(32)));
    Four a[kFew / 4], rank[kFew / 4] = {};
    std::memcpy(a, id, sizeof a);
    for (std::size_t j = 0; j < count; ++j) {
        const Four other = {id[j], id[j], id[j], id[j]};
        rank[0] -= other < a[0];
        rank[1] -= other < a[1];
        rank[2] -= other < a[2];
        rank[3] -= other < a[3];
    }
    std::int64_t place[kFew];
    std::memcpy(place, rank, sizeof place);
    for (std::size_t i = 0; i < count; ++i) order[place[i]] = index[i];
}
void order_many(const std::int64_t* id, const std::uint32_t* index, std::size_t count,
                std::uint32_t* order) {
    std::vector<std::pair<std::int64_t, std::uint32_t>> rows(count);
    for (std::size_t i = 0; i < count; ++i) rows[i] = {id[i], index[i]};
    if (!std::is_sorted(rows.begin(), rows.end())) std::sort(rows.begin(), rows.end());
    for (std::size_t i = 0; i < count; ++i) order[i] = rows[i].second;
}

/// Where the cells of a tile begin, the tile's first particle being number `first`.
template <int D>
void list_cells(const std::uint32_t (&place)[kTileCells<D> + 1], std::uint32_t first,
                std::uint32_t* cells) {
    for (int c = 0; c < kTileCells<D>; ++c) cells[c] = first + place[c];
}

/// The same of particles that are sorted already, from their keys.
template <int D>
void list_cells(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> begin,
                std::uint32_t* cells, Context& context) {
    for_range(context.arena, begin.size() - 1, 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t) {
            std::uint32_t place[kTileCells<D> + 1] = {};
            for (std::uint32_t i = begin[t]; i < begin[t + 1]; ++i)
                ++place[keys[i] % kTileCells<D> + 1];
            for (int c = 0; c < kTileCells<D>; ++c) place[c + 1] += place[c];
            list_cells<D>(place, begin[t], cells + t * kTileCells<D>);
        }
    });
}

/// Indices of one tile's entries by (cell, id); `cells`, if given, gets where its cells begin.
template <int D>
void order_tile(std::span<const Entry> entries, std::span<const std::uint64_t> ids,
                std::uint32_t first_of_tile, std::uint32_t* order, std::uint32_t* cells,
                Rows& rows) {
    std::uint32_t place[kTileCells<D> + 1] = {};
    for (const Entry& e : entries) ++place[e.key % kTileCells<D> + 1];
    for (int c = 0; c < kTileCells<D>; ++c) place[c + 1] += place[c];
    if (cells) list_cells<D>(place, first_of_tile, cells);
    rows.resize(entries.size() + kFew);
    for (const Entry& e : entries) {
        const std::uint32_t p = place[e.key % kTileCells<D>]++;
        rows.index[p] = e.index;
        rows.id[p] = static_cast<std::int64_t>(ids[e.index]);
    }
    for (std::size_t c = 0, first = 0; c < kTileCells<D>; first = place[c++]) {
        const std::size_t count = place[c] - first;
        const auto order_cell = count <= kFew ? order_few : order_many;
        order_cell(rows.id.data() + first, rows.index.data() + first, count, order + first);
    }
}

}  // namespace

template <int D>
TileOrder<D> tile_order(std::span<const Point<D>> positions, std::span<const std::uint64_t> ids,
                        const typename Tiles<D>::Ptr& tiles, const Clamp<D>& clamp,
                        Context& context, Array<std::uint32_t>* cells) {
    const std::size_t n = positions.size(), active = std::size_t(tiles->active());
    SPUME_CHECK_OP(ids.size(), ==, n);
    SPUME_CHECK(std::uint64_t(n) < std::uint64_t(1) << 32 &&
                active < (std::uint64_t(1) << 32) / kTileCells<D>);
    const Array<std::uint32_t> keys = all_keys<D>(positions, ids, *tiles, clamp, context);

    TileOrder<D> result;
    result.ranges.tiles = tiles;
    auto& begin = result.ranges.begin;
    begin.assign(active + 1, 0);
    std::uint32_t* places = nullptr;
    if (cells) {
        cells->resize_discard(active * kTileCells<D> + 1);
        places = cells->write().data();
        places[active * kTileCells<D>] = static_cast<std::uint32_t>(n);
    }
    if (is_sorted(keys.read(), ids, context)) {
        begin = tile_begins<D>(keys.read(), active);
        if (places) list_cells<D>(keys.read(), begin, places, context);
        return result;
    }
    const Array<Entry> entries = by_tile<D>(keys.read(), begin, context);
    result.order.resize_discard(n);
    std::uint32_t* order = result.order.write().data();
    for_range(context.arena, active, 4, [&](std::size_t b, std::size_t e) {
        Rows rows;
        for (std::size_t t = b; t < e; ++t) {
            std::uint32_t* own = places ? places + t * kTileCells<D> : nullptr;
            if (begin[t] < begin[t + 1])
                order_tile<D>(entries.read().subspan(begin[t], begin[t + 1] - begin[t]), ids,
                              begin[t], order + begin[t], own, rows);
            else if (own)
                std::fill_n(own, kTileCells<D>, begin[t]);
        }
    });
    return result;
}

template <int D>
TileRanges<D> tile_ranges(std::span<const Point<D>> positions, std::span<const std::uint64_t> ids,
                          const typename Tiles<D>::Ptr& tiles, const Clamp<D>& clamp,
                          Context& context) {
    const Array<std::uint32_t> keys = all_keys<D>(positions, ids, *tiles, clamp, context);
    if (!is_sorted(keys.read(), D * kTileShift<D>, context)) return {};
    return {tiles, tile_begins<D>(keys.read(), std::size_t(tiles->active()))};
}

template TileRanges<2> tile_ranges<2>(std::span<const Point<2>>, std::span<const std::uint64_t>,
                                      const Tiles<2>::Ptr&, const Clamp<2>&, Context&);
template TileRanges<3> tile_ranges<3>(std::span<const Point<3>>, std::span<const std::uint64_t>,
                                      const Tiles<3>::Ptr&, const Clamp<3>&, Context&);
template TileOrder<2> tile_order<2>(std::span<const Point<2>>, std::span<const std::uint64_t>,
                                    const Tiles<2>::Ptr&, const Clamp<2>&, Context&,
                                    Array<std::uint32_t>*);
template TileOrder<3> tile_order<3>(std::span<const Point<3>>, std::span<const std::uint64_t>,
                                    const Tiles<3>::Ptr&, const Clamp<3>&, Context&,
                                    Array<std::uint32_t>*);

}  // namespace spume

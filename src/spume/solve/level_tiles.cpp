// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/level_tiles.h"

#include <algorithm>
#include <utility>

#include "spume/grid/components.h"

namespace spume {
namespace {

template <int D>
void find_neighbours(LevelTiles<D>& level) {
    // Keys come in Morton order; a table sorted by coordinates is what a search needs.
    const auto less = [](const Index<D>& a, const Index<D>& b) {
        return std::lexicographical_compare(a.v, a.v + D, b.v, b.v + D);
    };
    std::vector<int> order(static_cast<std::size_t>(level.count));
    for (int t = 0; t < level.count; ++t) order[static_cast<std::size_t>(t)] = t;
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return less(level.keys[static_cast<std::size_t>(a)],
                    level.keys[static_cast<std::size_t>(b)]);
    });
    level.around.reserve(static_cast<std::size_t>(level.count) * 2 * D);
    for (int t = 0; t < level.count; ++t)
        for (int a = 0; a < D; ++a)
            for (int side = -1; side <= 1; side += 2) {
                const Index<D> key =
                    level.keys[static_cast<std::size_t>(t)] + Index<D>::unit(a, side);
                const auto at =
                    std::lower_bound(order.begin(), order.end(), key, [&](int o, const auto& k) {
                        return less(level.keys[static_cast<std::size_t>(o)], k);
                    });
                const bool found =
                    at != order.end() && level.keys[static_cast<std::size_t>(*at)] == key;
                level.around.push_back(found ? *at : level.count);
            }
}

/// The keys of the next level, in the order of the first child: Morton order again.
template <int D>
LevelTiles<D> coarser(LevelTiles<D>& fine) {
    LevelTiles<D> coarse;
    std::vector<std::pair<Index<D>, int>> half;
    for (int t = 0; t < fine.count; ++t) {
        Index<D> key = fine.keys[static_cast<std::size_t>(t)];
        std::uint8_t part = 0;
        for (int a = 0; a < D; ++a) {
            part = static_cast<std::uint8_t>(part | (key[a] & 1) << a);
            key[a] >>= 1;
        }
        fine.part.push_back(part);
        half.emplace_back(key, t);
    }
    std::stable_sort(half.begin(), half.end(), [](const auto& a, const auto& b) {
        return std::lexicographical_compare(a.first.v, a.first.v + D, b.first.v, b.first.v + D);
    });
    std::vector<std::pair<int, Index<D>>> firsts;  // first child, key
    for (std::size_t i = 0; i < half.size(); ++i)
        if (i == 0 || !(half[i].first == half[i - 1].first))
            firsts.emplace_back(half[i].second, half[i].first);
    std::sort(firsts.begin(), firsts.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<int> rank(static_cast<std::size_t>(fine.count), -1);
    for (const auto& [child, key] : firsts) {
        rank[static_cast<std::size_t>(child)] = coarse.count++;
        coarse.keys.push_back(key);
    }
    fine.parent.resize(static_cast<std::size_t>(fine.count));
    int current = 0;
    for (std::size_t i = 0; i < half.size(); ++i) {
        if (i == 0 || !(half[i].first == half[i - 1].first))
            current = rank[static_cast<std::size_t>(half[i].second)];
        fine.parent[static_cast<std::size_t>(half[i].second)] = current;
    }
    coarse.children.assign(static_cast<std::size_t>(coarse.count) << D, -1);
    for (std::size_t t = 0; t < fine.parent.size(); ++t)
        coarse.children[(static_cast<std::size_t>(fine.parent[t]) << D) + fine.part[t]] =
            static_cast<int>(t);
    return coarse;
}

/// Tiles that hang together by faces, each under the number of the first of them.
template <int D>
std::vector<int> clusters(const LevelTiles<D>& level) {
    DisjointSets sets(static_cast<std::size_t>(level.count));
    for (int t = 0; t < level.count; ++t)
        for (int face = 0; face < 2 * D; ++face)
            if (const int n = level.around_tile(t)[face]; n < level.count) sets.join(t, n);
    std::vector<int> r(static_cast<std::size_t>(level.count)), first(r.size(), -1);
    for (int t = 0; t < level.count; ++t) {
        int& f = first[static_cast<std::size_t>(sets.find(t))];
        if (f < 0) f = t;
        r[static_cast<std::size_t>(t)] = f;
    }
    return r;
}

/// Coordinates of a place along the Morton curve.
template <int D>
Index<D> from_morton(std::uint64_t place) {
    Index<D> r{};
    for (int bit = 0; place >> (bit * D) != 0; ++bit)
        for (int a = 0; a < D; ++a) r[a] |= int(place >> (bit * D + a) & 1) << bit;
    return r;
}

/// Keys with clusters moved together. No coefficient joins them, so where they lie to one another
/// is free; far apart they would have levels of their own each, that do not thin out. Each lies in
/// a cube of 2ⁿ tiles a side; sorted by size, cubes fill the Morton curve without a gap.
template <int D>
std::vector<Index<D>> gathered(const LevelTiles<D>& level) {
    struct Cluster {
        Index<D> lo, hi;
        int first, bits;
    };
    const std::vector<int> cluster = clusters(level);
    std::vector<Cluster> all;
    std::vector<int> number(cluster.size(), -1);
    for (std::size_t t = 0; t < cluster.size(); ++t) {
        int& n = number[static_cast<std::size_t>(cluster[t])];
        const Index<D>& key = level.keys[t];
        if (n < 0) n = int(all.size()), all.push_back({key, key, cluster[t], 0});
        Cluster& c = all[static_cast<std::size_t>(n)];
        c.lo = min(c.lo, key), c.hi = max(c.hi, key);
    }
    for (Cluster& c : all)
        for (int a = 0; a < D; ++a)
            while ((c.hi[a] - c.lo[a]) >> c.bits != 0) ++c.bits;
    std::stable_sort(all.begin(), all.end(),
                     [](const Cluster& a, const Cluster& b) { return a.bits > b.bits; });
    std::vector<Index<D>> shift(cluster.size());
    std::uint64_t place = 0;
    for (const Cluster& c : all) {
        shift[static_cast<std::size_t>(c.first)] = from_morton<D>(place) - c.lo;
        place += std::uint64_t(1) << (D * c.bits);
    }
    std::vector<Index<D>> r = level.keys;
    for (std::size_t t = 0; t < r.size(); ++t)
        r[t] = r[t] + shift[static_cast<std::size_t>(cluster[t])];
    return r;
}

/// All levels above one whose keys are given and whose neighbours are known.
template <int D>
std::vector<LevelTiles<D>> levels_above(LevelTiles<D> finest) {
    Index<D> lo = finest.keys[0], hi = finest.keys[0];
    for (const Index<D>& k : finest.keys) lo = min(lo, k), hi = max(hi, k);
    for (Index<D>& k : finest.keys) k = k - lo;
    std::vector<LevelTiles<D>> levels{std::move(finest)};
    int extent = 0;  // in cells
    for (int a = 0; a < D; ++a) extent = std::max(extent, (hi[a] - lo[a] + 1) * kTileSide<D>);
    for (; extent > kTileSide<D> / 2; extent = (extent + 1) / 2) {
        levels.push_back(coarser(levels.back()));
        find_neighbours(levels.back());
    }
    return levels;
}

template <int D>
std::size_t coarse_tiles(const std::vector<LevelTiles<D>>& levels) {
    std::size_t n = 0;
    for (std::size_t i = 1; i < levels.size(); ++i) n += static_cast<std::size_t>(levels[i].count);
    return n;
}

}  // namespace

template <int D>
std::vector<LevelTiles<D>> level_tiles(const Tiles<D>& tiles) {
    if (tiles.active() == 0) return std::vector<LevelTiles<D>>(1);
    LevelTiles<D> finest;
    finest.count = tiles.active();
    finest.keys.assign(tiles.active_keys().begin(), tiles.active_keys().end());
    find_neighbours(finest);
    std::vector<LevelTiles<D>> levels = levels_above(finest);
    // Levels of a body without gaps have together less than its tiles; so have those of drops that
    // lie near each other.
    if (coarse_tiles(levels) < finest.keys.size()) return levels;
    finest.keys = gathered(finest);
    auto near = levels_above(std::move(finest));
    return coarse_tiles(near) < coarse_tiles(levels) ? near : levels;
}

template std::vector<LevelTiles<2>> level_tiles(const Tiles<2>&);
template std::vector<LevelTiles<3>> level_tiles(const Tiles<3>&);

}  // namespace spume

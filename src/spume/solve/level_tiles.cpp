// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/level_tiles.h"

#include <algorithm>

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

}  // namespace

template <int D>
std::vector<LevelTiles<D>> level_tiles(const Tiles<D>& tiles) {
    std::vector<LevelTiles<D>> levels(1);
    if (tiles.active() == 0) return levels;
    const auto keys = tiles.active_keys();
    Index<D> lo = keys[0], hi = keys[0];
    for (const Index<D>& k : keys) lo = min(lo, k), hi = max(hi, k);
    levels[0].count = tiles.active();
    for (const Index<D>& k : keys) levels[0].keys.push_back(k - lo);
    int extent = 0;  // in cells
    for (int a = 0; a < D; ++a) extent = std::max(extent, (hi[a] - lo[a] + 1) * kTileSide<D>);
    for (find_neighbours(levels[0]); extent > kTileSide<D> / 2; extent = (extent + 1) / 2) {
        levels.push_back(coarser(levels.back()));
        find_neighbours(levels.back());
    }
    return levels;
}

template std::vector<LevelTiles<2>> level_tiles(const Tiles<2>&);
template std::vector<LevelTiles<3>> level_tiles(const Tiles<3>&);

}  // namespace spume

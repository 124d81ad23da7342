// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/grid/topology.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace spume {
namespace {

template <int D>
bool earlier(const Index<D>& a, const Index<D>& b) {
    for (int i = 0; i < D; ++i)
        if (a[i] != b[i]) return a[i] < b[i];
    return false;
}

template <int D>
void sort_unique(std::vector<Index<D>>& keys) {
    std::sort(keys.begin(), keys.end(), earlier<D>);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

/// Adds all tiles of the box [lo, hi].
template <int D>
void add_box(const Index<D>& lo, const Index<D>& hi, std::vector<Index<D>>& keys) {
    Index<D> k = lo;
    for (bool more = true; more;) {
        keys.push_back(k);
        more = false;
        for (int a = 0; a < D && !more; ++a) {
            more = ++k[a] <= hi[a];
            if (!more) k[a] = lo[a];
        }
    }
}

/// Tiles touched by one stretch of points. Points come nearly sorted by tile, so what is gathered
/// for a tile is only which of its sides they reach beyond: two bits an axis make one of 4^D cases,
/// and a word holds which cases occurred. A few tiles are gathered at once, since points that have
/// moved go to and fro between neighbours.
template <int D>
class TouchedTiles {
  public:
    explicit TouchedTiles(int margin) : whole_(margin / kSide), rest_(margin % kSide) {}

    /// Which sides of its tile a cell reaches beyond.
    int sides_of(const Index<D>& cell) const {
        int sides = 0;
        for (int a = D - 1; a >= 0; --a) {
            const int local = cell[a] & (kSide - 1);
            sides = sides << 2 | int(local >= kSide - rest_) << 1 | int(local < rest_);
        }
        return sides;
    }
    void add(const Index<D>& tile, int sides) {
        unsigned place = 0;
        for (int a = 0; a < D; ++a) place = (place << 2) ^ unsigned(tile[a]);
        Gathered& g = gathered_[place % kGathered];
        if (!(g.tile == tile)) {
            flush(g);
            g.tile = tile;
        }
        g.cases |= std::uint64_t(1) << sides;
    }
    std::vector<Index<D>> take() {
        for (Gathered& g : gathered_) flush(g);
        sort_unique<D>(keys_);
        return std::move(keys_);
    }

  private:
    static constexpr int kSide = kTileSide<D>;
    static constexpr unsigned kGathered = 64;
    struct Gathered {
        Index<D> tile{};
        std::uint64_t cases = 0;
    };

    void flush(Gathered& g) {
        for (; g.cases; g.cases &= g.cases - 1) {
            Index<D> lo = g.tile, hi = g.tile;
            for (int a = 0, sides = std::countr_zero(g.cases); a < D; ++a, sides >>= 2) {
                lo[a] -= whole_ + (sides & 1);
                hi[a] += whole_ + (sides >> 1 & 1);
            }
            add_box<D>(lo, hi, keys_);
        }
        if (keys_.size() > limit_) {
            sort_unique<D>(keys_);
            limit_ = std::max<std::size_t>(4096, 2 * keys_.size());
        }
    }

    int whole_, rest_;
    std::size_t limit_ = 4096;
    Gathered gathered_[kGathered];
    std::vector<Index<D>> keys_;
};

template <int D>
std::vector<Index<D>> touched(std::span<const Point<D>> points, const Transform<D>& transform,
                              int margin) {
    TouchedTiles<D> tiles(margin);
    // Once a point reaches beyond all sides of a tile, others of the tile add nothing.
    constexpr int kAllSides = (1 << 2 * D) - 1;
    Box<double, D> done{Point<D>::filled(1), Point<D>::filled(0)};
    for (const Point<D>& x : points) {
        if (done.contains(x)) continue;
        const Index<D> cell = floor_index<D>(transform.to_lattice(x)), tile = tile_of<D>(cell);
        const int sides = tiles.sides_of(cell);
        tiles.add(tile, sides);
        if (sides == kAllSides) {
            const Index<D> first = tile * kTileSide<D>;
            done = {
                transform.to_world(first.template as<double>()),
                transform.to_world((first + Index<D>::filled(kTileSide<D>)).template as<double>())};
        }
    }
    return tiles.take();
}

}  // namespace

template <int D>
std::vector<Index<D>> tiles_around(std::span<const Point<D>> points, const Transform<D>& transform,
                                   int margin, int padding, const Box<int, D>& limits,
                                   Context& context) {
    Stage stage(context, "topology");
    using Keys = std::vector<Index<D>>;
    Keys keys = reduce(
        context.arena, points.size(), std::size_t(1) << 16, Keys{},
        [&](std::size_t b, std::size_t e) {
            return touched<D>(points.subspan(b, e - b), transform, margin);
        },
        [](const Keys& a, const Keys& b) {
            Keys r;
            r.reserve(a.size() + b.size());
            std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(r),
                           earlier<D>);
            return r;
        });
    for (int axis = 0; axis < D && padding > 0; ++axis) {
        Keys grown;
        grown.reserve(keys.size() * std::size_t(2 * padding + 1));
        for (const Index<D>& k : keys)
            for (int s = -padding; s <= padding; ++s) grown.push_back(k + Index<D>::unit(axis, s));
        sort_unique<D>(grown);
        keys = std::move(grown);
    }
    const Index<D> lo = tile_of<D>(limits.lo), hi = tile_of<D>(limits.hi - Index<D>::filled(1));
    std::erase_if(keys, [&](const Index<D>& k) {
        for (int a = 0; a < D; ++a)
            if (k[a] < lo[a] || k[a] > hi[a]) return true;
        return false;
    });
    return keys;
}

template <int D>
bool TileTopology<D>::rebuild(std::vector<Index<D>> wanted, int patience,
                              const Transform<D>& transform) {
    sort_unique<D>(wanted);
    std::vector<std::pair<Index<D>, int>> kept;  // tiles that linger, with their idle count
    if (tiles)
        for (int t = 0; t < tiles->active(); ++t) {
            const int count = idle[std::size_t(t)] + 1;
            const Index<D> key = tiles->key(t);
            if (count <= patience &&
                !std::binary_search(wanted.begin(), wanted.end(), key, earlier<D>))
                kept.emplace_back(key, count);
        }
    std::vector<Index<D>> keys = wanted;
    for (const auto& [key, count] : kept) keys.push_back(key);

    bool same = tiles && keys.size() == std::size_t(tiles->active());
    for (std::size_t i = 0; same && i < keys.size(); ++i)
        same = tiles->find(keys[i]) < tiles->active();
    if (!same) tiles = Tiles<D>::build(std::move(keys), transform);
    idle = Array<std::int32_t>(std::size_t(tiles->active()), 0);
    auto w = idle.write();
    for (const auto& [key, count] : kept) w[std::size_t(tiles->find(key))] = count;
    return !same;
}

template <class T, int D>
Array<T> carried(const Array<T>& values, const Tiles<D>& from, const Tiles<D>& to, T fill,
                 Context& context) {
    if (&from == &to) return values;
    Array<T> result;
    result.resize_discard(to.values());
    T* out = result.write().data();
    const T* in = values.data();
    for_range(context.arena, std::size_t(to.zero()), 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t) {
            const int source = from.find(to.key(int(t)));
            T* block = out + t * kTileCells<D>;
            if (source == from.zero())
                std::fill_n(block, kTileCells<D>, fill);
            else
                std::copy_n(in + std::size_t(source) * kTileCells<D>, kTileCells<D>, block);
        }
    });
    std::fill_n(out + std::size_t(to.zero()) * kTileCells<D>, kTileCells<D>, T{});
    return result;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template std::vector<Index<D>> tiles_around<D>(std::span<const Point<D>>, const Transform<D>&, \
                                                   int, int, const Box<int, D>&, Context&);        \
    template struct TileTopology<D>;                                                               \
    template Array<std::uint8_t> carried<std::uint8_t, D>(                                         \
        const Array<std::uint8_t>&, const Tiles<D>&, const Tiles<D>&, std::uint8_t, Context&);     \
    template Array<float> carried<float, D>(const Array<float>&, const Tiles<D>&, const Tiles<D>&, \
                                            float, Context&);                                      \
    template Array<double> carried<double, D>(const Array<double>&, const Tiles<D>&,               \
                                              const Tiles<D>&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

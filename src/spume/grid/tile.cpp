// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/grid/tile.h"

#include <algorithm>

#include "spume/core/error.h"

namespace spume {
namespace {

constexpr int kBias = 1 << 20;  // tile coordinates live in (−2²⁰, 2²⁰)

template <int D>
std::uint64_t packed(const Index<D>& key) {
    std::uint64_t r = 0;
    for (int a = 0; a < D; ++a) r = (r << 21) | static_cast<std::uint64_t>(key[a] + kBias);
    return r;
}

/// Bits of the coordinates interleaved: near on the curve means near in space.
template <int D>
std::uint64_t morton(const Index<D>& key) {
    std::uint64_t r = 0;
    for (int bit = 20; bit >= 0; --bit)
        for (int a = 0; a < D; ++a)
            r = (r << 1) | ((static_cast<std::uint64_t>(key[a] + kBias) >> bit) & 1u);
    return r;
}

std::uint64_t scrambled(std::uint64_t x) {
    x *= 0x9E3779B97F4A7C15ull;
    return x ^ (x >> 29);
}

template <int D>
void sort_unique(std::vector<Index<D>>& keys) {
    std::vector<std::pair<std::uint64_t, Index<D>>> order;
    order.reserve(keys.size());
    for (const Index<D>& k : keys) order.emplace_back(morton<D>(k), k);
    std::sort(order.begin(), order.end(), [](auto& a, auto& b) { return a.first < b.first; });
    keys.clear();
    for (const auto& [code, k] : order)
        if (keys.empty() || !(keys.back() == k)) keys.push_back(k);
}

template <int D, class F>
void for_steps(int lo, int hi, F&& f) {
    const int n = hi - lo + 1, count = D == 2 ? n * n : n * n * n;
    for (int i = 0; i < count; ++i) {
        Index<D> s{};
        for (int a = D - 1, rest = i; a >= 0; --a, rest /= n) s[a] = lo + rest % n;
        f(s);
    }
}

}  // namespace

template <int D>
typename Tiles<D>::Ptr Tiles<D>::build(std::vector<Index<D>> active,
                                       const Transform<D>& transform) {
    for (const Index<D>& k : active)
        for (int a = 0; a < D; ++a) SPUME_CHECK(k[a] > -kBias && k[a] < kBias - 1);
    std::shared_ptr<Tiles> tiles(new Tiles);
    tiles->transform_ = transform;
    sort_unique<D>(active);
    tiles->keys_ = std::move(active);
    tiles->active_ = static_cast<int>(tiles->keys_.size());
    tiles->index_keys();

    std::vector<Index<D>> border;
    for (int t = 0; t < tiles->active_; ++t)
        for_steps<D>(0, 1, [&](const Index<D>& s) {
            const Index<D> k = tiles->keys_[static_cast<std::size_t>(t)] + s;
            if (tiles->find(k) == tiles->zero()) border.push_back(k);
        });
    sort_unique<D>(border);
    tiles->keys_.insert(tiles->keys_.end(), border.begin(), border.end());
    tiles->index_keys();

    tiles->neighbours_.resize(static_cast<std::size_t>(tiles->active_) * kTileNeighbours<D>);
    for (int t = 0; t < tiles->active_; ++t)
        for_steps<D>(-1, 1, [&](const Index<D>& s) {
            tiles->neighbours_[static_cast<std::size_t>(t) * kTileNeighbours<D> +
                               static_cast<std::size_t>(neighbour_code<D>(s))] =
                tiles->find(tiles->key(t) + s);
        });
    for (int axis = 0; axis < D; ++axis)
        for (int t = tiles->active_; t < tiles->zero(); ++t)
            if (tiles->find(tiles->key(t) - Index<D>::unit(axis)) < tiles->active_)
                tiles->plus_borders_[axis].push_back(t);
    return tiles;
}

template <int D>
typename Tiles<D>::Ptr Tiles<D>::dense(const Box<int, D>& cells, const Transform<D>& transform) {
    std::vector<Index<D>> keys;
    const Index<D> lo = tile_of<D>(cells.lo), hi = tile_of<D>(cells.hi - Index<D>::filled(1));
    const Index<D> n = hi - lo + Index<D>::filled(1);
    const std::int64_t count = product(n.template as<std::int64_t>());
    keys.reserve(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
    for (std::int64_t i = 0; i < count; ++i) {
        Index<D> k{};
        std::int64_t rest = i;
        for (int a = D - 1; a >= 0; --a) {
            k[a] = lo[a] + static_cast<int>(rest % n[a]);
            rest /= n[a];
        }
        keys.push_back(k);
    }
    return build(std::move(keys), transform);
}

template <int D>
int Tiles<D>::find(const Index<D>& key) const {
    const std::uint64_t wanted = packed<D>(key) + 1, mask = slot_key_.size() - 1;
    for (std::uint64_t s = scrambled(wanted) & mask;; s = (s + 1) & mask) {
        if (slot_key_[s] == wanted) return slot_tile_[s];
        if (slot_key_[s] == 0) return zero();
    }
}

template <int D>
void Tiles<D>::index_keys() {
    std::size_t capacity = 16;
    while (capacity < keys_.size() * 2) capacity *= 2;
    slot_key_.assign(capacity, 0);
    slot_tile_.assign(capacity, 0);
    for (std::size_t t = 0; t < keys_.size(); ++t) {
        const std::uint64_t k = packed<D>(keys_[t]) + 1;
        std::uint64_t s = scrambled(k) & (capacity - 1);
        while (slot_key_[s] != 0) s = (s + 1) & (capacity - 1);
        slot_key_[s] = k;
        slot_tile_[s] = static_cast<int>(t);
    }
}

template class Tiles<2>;
template class Tiles<3>;

}  // namespace spume

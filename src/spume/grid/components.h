// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "spume/grid/tile.h"

namespace spume {

// Connected components of cells. Each tile is labelled by itself, by its own bits; the sets found
// there are the nodes of a graph that is joined across the faces of tiles. Numbers follow the first
// cell in storage, whatever the number of threads.

/// Disjoint sets of nodes. The smallest member is the root: no order of joining changes it.
class DisjointSets {
  public:
    explicit DisjointSets(std::size_t n = 0) : parent_(n) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    int find(int i) {
        while (parent_[std::size_t(i)] != i) {
            parent_[std::size_t(i)] = parent_[std::size_t(parent_[std::size_t(i)])];
            i = parent_[std::size_t(i)];
        }
        return i;
    }
    void join(int a, int b) {
        a = find(a), b = find(b);
        if (a != b) parent_[std::size_t(std::max(a, b))] = std::min(a, b);
    }

  private:
    std::vector<int> parent_;
};

/// Bytes of a tile that are 0 or 1 as one number a row along the last axis.
template <int D>
struct TileRowBits {
    static constexpr int kSide = kTileSide<D>, kRows = kTileCells<D> / kSide;
    std::uint32_t row[kRows];

    /// is(offset) of every cell.
    template <class F>
    static TileRowBits of(F&& is) {
        std::uint8_t bytes[kTileCells<D>];
        for (int o = 0; o < kTileCells<D>; ++o) bytes[o] = is(o) ? 1 : 0;
        TileRowBits r;
        static_assert(std::endian::native == std::endian::little);
        for (int n = 0; n < kRows; ++n) {
            r.row[n] = 0;
            for (int i = 0; i < kSide; i += 8) {
                // Eight at a time: the product moves byte i to bit 56 + i.
                std::uint64_t eight;
                std::memcpy(&eight, bytes + n * kSide + i, sizeof eight);
                r.row[n] |= std::uint32_t(eight * 0x0102040810204080u >> 56) << i;
            }
        }
        return r;
    }
};

/// What joins the cells of one tile: which take part, and which of their lower faces join them with
/// the cell below. Faces at the tile's own lower end are not looked at.
template <int D>
struct TileJoins {
    TileRowBits<D> cells, lower[D];
};

/// The connected sets of each tile by itself, as nodes of a graph over all tiles.
template <int D>
class TileComponents {
  public:
    explicit TileComponents(int tiles = 0) : sets_(std::size_t(tiles), 0), local_(sets_.size()) {}

    /// Finds the sets of a tile; several tiles may be labelled at once. A tile that is never
    /// labelled has none.
    void label(int tile, const TileJoins<D>& joins);
    /// All cells of the tile are one set.
    void label_whole(int tile) { sets_[std::size_t(tile)] = 1; }
    /// Once all tiles are labelled: gives their sets their numbers.
    void number() {
        first_.assign(1, 0);
        for (const int n : sets_) first_.push_back(first_.back() + n);
    }

    int count() const { return first_.back(); }
    int first(int tile) const { return first_[std::size_t(tile)]; }
    int sets(int tile) const { return sets_[std::size_t(tile)]; }
    bool is_whole(int tile) const { return sets(tile) == 1 && local_[std::size_t(tile)].empty(); }
    /// Of the cells of a tile within it; nullptr where it is one set with every cell, or has none.
    const std::int16_t* labels(int tile) const {
        const auto& own = local_[std::size_t(tile)];
        return own.empty() ? nullptr : own.data();
    }
    /// Number of a cell's set within its tile; −1 where the cell takes no part.
    int local(int tile, int offset) const {
        const auto& own = local_[std::size_t(tile)];
        return own.empty() ? sets(tile) - 1 : own[std::size_t(offset)];
    }
    int of(int tile, int offset) const {
        const int n = local(tile, offset);
        return n < 0 ? -1 : first(tile) + n;
    }

  private:
    std::vector<int> sets_;                         ///< by tile: how many
    std::vector<std::vector<std::int16_t>> local_;  ///< by tile; empty: one set with every cell
    std::vector<int> first_;
};

/// f(offset) for the cells of a tile with coordinate `at` along axis a.
template <int D, class F>
void for_plane(int a, int at, F&& f) {
    const int stride = tile_stride<D>(a), block = stride * kTileSide<D>;
    for (int o = at * stride; o < kTileCells<D>; o += block)
        for (int i = o; i < o + stride; ++i) f(i);
}

/// Joins the sets of a tile with those of the tile below it along an axis. joins(offset): do the
/// cell and the one below, across the face between the tiles?
template <int D, class F>
void join_across(const TileComponents<D>& components, int below, int tile, int axis, F&& joins,
                 DisjointSets& sets) {
    const int lift = (kTileSide<D> - 1) * tile_stride<D>(axis);
    const bool whole = components.is_whole(tile) && components.is_whole(below);
    bool done = false;
    for_plane<D>(axis, 0, [&](int o) {
        if (done || !joins(o)) return;
        const int i = components.of(below, o + lift), j = components.of(tile, o);
        if (i < 0 || j < 0) return;
        sets.join(i, j);
        done = whole;
    });
}

}  // namespace spume

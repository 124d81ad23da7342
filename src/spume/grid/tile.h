// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "spume/core/box.h"
#include "spume/core/parallel.h"
#include "spume/core/vec.h"

namespace spume {

// The lattice is cut into cubes of side 8 (squares of side 16): tiles. Only some are stored.
//
//   one tile, 2D, side 4 for the drawing        what a cell owns: its centre, its lower faces,
//                                               its lower corner
//     offset = x * side + y                          +-------+
//     (last axis fastest, as in a VDB leaf)          |       |
//        y ^  3  7 11 15                        face | cell  |
//          |  2  6 10 14                         x > o   o   |
//          |  1  5  9 13                             |   c   |
//          |  0  4  8 12                             +---o---+
//          +--------------> x                   corner   ^ face y
//
//   a field is one flat array over the stored tiles, tile after tile:
//
//     [ active 0 | active 1 | … | active n−1 | border n | … | border m−1 | zero ]
//
//   active   sorted along the Morton curve; loops run over these.
//   border   inactive tiles on the plus side of an active one. They hold the faces and corners on
//            the plus border of the active region, so that every face exists exactly once. Their
//            cells are never visited.
//   zero     one shared tile of zeros: the neighbour of last resort, read but never written.

template <int D>
inline constexpr int kTileSide = D == 2 ? 16 : 8;
template <int D>
inline constexpr int kTileShift = D == 2 ? 4 : 3;
template <int D>
inline constexpr int kTileCells = D == 2 ? 256 : 512;
template <int D>
inline constexpr int kTileNeighbours = D == 2 ? 9 : 27;

/// Distance in memory between two cells of a tile that are neighbours along `axis`.
template <int D>
constexpr int tile_stride(int axis) {
    int s = 1;
    for (int a = D - 1; a > axis; --a) s *= kTileSide<D>;
    return s;
}
/// Place in its tile of the cell at `local`, each coordinate in [0, side).
template <int D>
constexpr int tile_offset(const Index<D>& local) {
    int o = 0;
    for (int a = 0; a < D; ++a) o = o * kTileSide<D> + local[a];
    return o;
}
template <int D>
constexpr Index<D> tile_local(int offset) {
    Index<D> r{};
    for (int a = D - 1; a >= 0; --a) {
        r[a] = offset & (kTileSide<D> - 1);
        offset >>= kTileShift<D>;
    }
    return r;
}
/// The tile that holds a cell (floor division).
template <int D>
constexpr Index<D> tile_of(const Index<D>& cell) {
    Index<D> r{};
    for (int a = 0; a < D; ++a) r[a] = cell[a] >> kTileShift<D>;
    return r;
}
template <int D>
constexpr Index<D> local_of(const Index<D>& cell) {
    Index<D> r{};
    for (int a = 0; a < D; ++a) r[a] = cell[a] & (kTileSide<D> - 1);
    return r;
}
/// Place of the neighbour at `step` (each −1, 0 or 1) in the neighbour table.
template <int D>
constexpr int neighbour_code(const Index<D>& step) {
    int c = 0;
    for (int a = 0; a < D; ++a) c = c * 3 + step[a] + 1;
    return c;
}

/// Where the lattice lies in space: cell i spans origin + [i, i + 1) · voxel.
template <int D>
struct Transform {
    double voxel = 1;
    Point<D> origin{};

    Point<D> to_lattice(const Point<D>& x) const { return (x - origin) / voxel; }
    Point<D> to_world(const Point<D>& u) const { return origin + u * voxel; }
    friend bool operator==(const Transform&, const Transform&) = default;
};

/// Which tiles are stored. Immutable and shared: fields, multigrid hierarchies and transfer plans
/// hold it by pointer, and the pointer's identity says whether the layout changed.
template <int D>
class Tiles {
  public:
    using Ptr = std::shared_ptr<const Tiles>;

    /// `active` in any order; repeated ones count once.
    static Ptr build(std::vector<Index<D>> active, const Transform<D>& transform);
    /// Every tile that meets the box of cells.
    static Ptr dense(const Box<int, D>& cells, const Transform<D>& transform);

    int active() const { return active_; }
    int stored() const { return static_cast<int>(keys_.size()) + 1; }
    int zero() const { return static_cast<int>(keys_.size()); }
    std::size_t values() const { return static_cast<std::size_t>(stored()) * kTileCells<D>; }

    const Transform<D>& transform() const { return transform_; }
    double voxel() const { return transform_.voxel; }

    /// Tile coordinate, and the first cell, of a stored tile other than zero.
    Index<D> key(int tile) const { return keys_[static_cast<std::size_t>(tile)]; }
    Index<D> origin(int tile) const { return key(tile) * kTileSide<D>; }
    std::span<const Index<D>> active_keys() const {
        return {keys_.data(), static_cast<std::size_t>(active_)};
    }

    /// Stored tile at a tile coordinate, zero() where there is none.
    int find(const Index<D>& key) const;
    bool is_active(int tile) const { return tile < active_; }

    /// The 3^D tiles around an active tile, itself in the middle; see neighbour_code.
    const int* neighbours(int tile) const {
        return neighbours_.data() + static_cast<std::size_t>(tile) * kTileNeighbours<D>;
    }
    int neighbour(int tile, const Index<D>& step) const {
        return neighbours(tile)[neighbour_code<D>(step)];
    }

    /// Border tiles whose lower plane across `axis` holds faces of the active region.
    std::span<const int> plus_borders(int axis) const { return plus_borders_[axis]; }

  private:
    Tiles() = default;
    void index_keys();

    Transform<D> transform_;
    int active_ = 0;
    std::vector<Index<D>> keys_;
    std::vector<int> neighbours_;
    std::vector<int> plus_borders_[D];
    std::vector<std::uint64_t> slot_key_;  // open addressing, power of two
    std::vector<int> slot_tile_;
};

/// f(tile) for each active tile.
template <int D, class F>
void for_tiles(Arena& arena, const Tiles<D>& tiles, F&& f) {
    for_range(arena, static_cast<std::size_t>(tiles.active()), 4,
              [&](std::size_t b, std::size_t e) {
                  for (std::size_t t = b; t < e; ++t) f(static_cast<int>(t));
              });
}

/// Sum, maximum, … over active tiles: join(map(tile)) over a fixed tree.
template <int D, class T, class Map, class Join>
T reduce_tiles(Arena& arena, const Tiles<D>& tiles, T identity, Map&& map, Join&& join) {
    return reduce(
        arena, static_cast<std::size_t>(tiles.active()), 4, identity,
        [&](std::size_t b, std::size_t e) {
            T r = identity;
            for (std::size_t t = b; t < e; ++t) r = join(r, map(static_cast<int>(t)));
            return r;
        },
        join);
}

/// f(begin, end) over the flat storage of a field, zero tile left out: for arithmetic value by
/// value, where it does no harm that border tiles hold places which are no faces.
template <int D, class F>
void for_values(Arena& arena, const Tiles<D>& tiles, F&& f) {
    for_range(arena, std::size_t(tiles.zero()) * kTileCells<D>, std::size_t(16) * kTileCells<D>,
              std::forward<F>(f));
}

/// f(tile, offset) for each face across `axis`: the lower faces of all active cells, then those on
/// the plus border. Each face once.
template <int D, class F>
void for_faces(Arena& arena, const Tiles<D>& tiles, int axis, F&& f) {
    for_tiles(arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) f(t, o);
    });
    const auto borders = tiles.plus_borders(axis);
    for_range(arena, borders.size(), 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i)
            for (int o = 0; o < kTileCells<D>; ++o)
                if (tile_local<D>(o)[axis] == 0) f(borders[i], o);
    });
}

/// f(face, below) for each face across `axis`: its place in a field's flat storage, which is also
/// that of the cell above it, and the place of the cell below it (in the zero tile where there is
/// none).
template <int D, class F>
void for_face_pairs(Arena& arena, const Tiles<D>& tiles, int axis, F&& f) {
    constexpr int kLast = kTileSide<D> - 1;
    const int stride = tile_stride<D>(axis);
    const auto at = [](int tile, int offset) {
        return std::size_t(tile) * kTileCells<D> + std::size_t(offset);
    };
    for_tiles(arena, tiles, [&](int t) {
        const int before = tiles.neighbour(t, Index<D>::unit(axis, -1));
        for (int o = 0; o < kTileCells<D>; ++o)
            f(at(t, o),
              tile_local<D>(o)[axis] == 0 ? at(before, o + kLast * stride) : at(t, o - stride));
    });
    const auto borders = tiles.plus_borders(axis);
    for_range(arena, borders.size(), 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const int before = tiles.find(tiles.key(borders[i]) - Index<D>::unit(axis));
            for (int o = 0; o < kTileCells<D>; ++o)
                if (tile_local<D>(o)[axis] == 0)
                    f(at(borders[i], o), at(before, o + kLast * stride));
        }
    });
}

extern template class Tiles<2>;
extern template class Tiles<3>;

}  // namespace spume

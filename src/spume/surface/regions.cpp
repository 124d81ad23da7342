// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/regions.h"

#include <algorithm>
#include <numeric>

#include "spume/surface/level_set.h"

namespace spume {
namespace {

class DisjointSets {
  public:
    explicit DisjointSets(std::size_t n) : parent_(n) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    int find(int i) {
        while (parent_[std::size_t(i)] != i) {
            parent_[std::size_t(i)] = parent_[std::size_t(parent_[std::size_t(i)])];
            i = parent_[std::size_t(i)];
        }
        return i;
    }
    /// The smaller number becomes the root: numbering follows the order of nodes.
    void join(int a, int b) {
        a = find(a), b = find(b);
        if (a != b) parent_[std::size_t(std::max(a, b))] = std::min(a, b);
    }

  private:
    std::vector<int> parent_;
};

/// The nodes of the search: sets of one phase inside a stored tile, joined there already, then the
/// tiles of air that are not stored.
template <int D>
class Search {
  public:
    Search(const CellField<std::uint8_t, D>& phase, const FaceField<float, D>& area,
           const OpenBox<D>& box, Context& context)
        : phase_(phase),
          area_(area),
          tiles_(*phase.tiles()),
          box_(box),
          cells_(box.cells),
          context_(context) {}

    AirRegions<D> run(const TileIsAir<D>& tile_is_air) {
        label_tiles();
        list_far_tiles(tile_is_air);
        same_ = DisjointSets(std::size_t(nodes_));
        any_ = DisjointSets(std::size_t(nodes_));
        outside_.assign(std::size_t(nodes_), 0);
        for (int t = 0; t < tiles_.active(); ++t) join_tile(t);
        join_far_tiles();
        return numbered();
    }

  private:
    static constexpr int kCells = kTileCells<D>;

    /// Sets inside each tile; local_ holds their number from 0, −1 in solids.
    void label_tiles() {
        local_ = CellField<std::int16_t, D>::unwritten(phase_.tiles());
        std::int16_t* local = local_.write();
        std::vector<int> count(std::size_t(tiles_.active()));
        mixed_.assign(count.size(), 0);
        for_tiles(context_.arena, tiles_, [&](int t) {
            mixed_[std::size_t(t)] = !uniform(t);
            count[std::size_t(t)] = label_tile(t, local + std::size_t(t) * kCells);
        });
        first_.assign(1, 0);
        for (int c : count) first_.push_back(first_.back() + c);
        nodes_ = first_.back();
        is_air_.assign(std::size_t(nodes_), 0);
        for_tiles(context_.arena, tiles_, [&](int t) {
            for (int o = 0; o < kCells; o += mixed_[std::size_t(t)] ? 1 : kCells)
                if (const int n = node(t, o); n >= 0)
                    is_air_[std::size_t(n)] = phase_.at(t, o) == kAirPhase;
        });
    }

    bool uniform(int t) const {
        const std::uint8_t* p = phase_.tile(t);
        for (int o = 1; o < kCells; ++o)
            if (p[o] != p[0]) return false;
        for (int a = 0; a < D; ++a) {
            const float* open = area_.tile(a, t);
            for (int o = 0; o < kCells; ++o)
                if (open[o] == 0 && tile_local<D>(o)[a] > 0) return false;
        }
        return true;
    }

    int label_tile(int t, std::int16_t* local) const {
        const std::uint8_t* p = phase_.tile(t);
        if (!mixed_[std::size_t(t)]) {
            std::fill_n(local, kCells, std::int16_t(p[0] == kSolidPhase ? -1 : 0));
            return p[0] == kSolidPhase ? 0 : 1;
        }
        std::int16_t parent[kCells];
        const auto find = [&](int i) {
            while (parent[i] != i) i = parent[i] = parent[parent[i]];
            return i;
        };
        for (int o = 0; o < kCells; ++o) {
            parent[o] = std::int16_t(o);
            for (int a = 0; a < D; ++a) {
                const int below = o - tile_stride<D>(a);
                if (tile_local<D>(o)[a] == 0 || p[o] != p[below] || area_.at(a, t, o) == 0)
                    continue;
                const int i = find(o), j = find(below);
                if (i != j) parent[std::max(i, j)] = std::int16_t(std::min(i, j));
            }
        }
        int count = 0;
        for (int o = 0; o < kCells; ++o) {
            const int root = p[o] == kSolidPhase ? -1 : find(o);
            local[o] = std::int16_t(root < 0 ? -1 : root == o ? count++ : local[root]);
        }
        return count;
    }

    int node(int t, int o) const {
        const int n = local_.at(t, o);
        return n < 0 ? -1 : first_[std::size_t(t)] + n;
    }

    void list_far_tiles(const TileIsAir<D>& tile_is_air) {
        lo_ = tile_of<D>(cells_.lo);
        const Index<D> hi = tile_of<D>(cells_.hi - Index<D>::filled(1));
        int total = 1;
        for (int a = 0; a < D; ++a) total *= span_[a] = hi[a] - lo_[a] + 1;
        far_.assign(std::size_t(total), -1);
        for (int i = 0; i < total; ++i) {
            const Index<D> key = far_key(i);
            if (tiles_.is_active(tiles_.find(key)) || !tile_is_air(key)) continue;
            far_[std::size_t(i)] = nodes_++;
            is_air_.push_back(1);
        }
    }
    Index<D> far_key(int i) const {
        Index<D> key = lo_;
        for (int a = D - 1; a >= 0; --a) {
            key[a] += i % span_[a];
            i /= span_[a];
        }
        return key;
    }
    int far_node(const Index<D>& key) const {
        int i = 0;
        for (int a = 0; a < D; ++a) {
            const int k = key[a] - lo_[a];
            if (k < 0 || k >= span_[a]) return -1;
            i = i * span_[a] + k;
        }
        return far_[std::size_t(i)];
    }

    void join(int a, int b) {
        any_.join(a, b);
        if (is_air_[std::size_t(a)] == is_air_[std::size_t(b)]) same_.join(a, b);
    }

    /// Joins a tile's sets with each other across phases, with those of its plus neighbours, with
    /// missing neighbours on both sides, and with the outside.
    void join_tile(int t) {
        const Index<D> origin = tiles_.origin(t);
        for (int face = 0; face < 2 * D; ++face) {
            const int a = face / 2;
            const bool upper = face % 2 == 1;
            const int edge = upper ? kTileSide<D> - 1 : 0;
            const int beyond = tiles_.neighbour(t, Index<D>::unit(a, upper ? 1 : -1));
            const bool stored = tiles_.is_active(beyond);
            const int far =
                stored ? -1 : far_node(tiles_.key(t) + Index<D>::unit(a, upper ? 1 : -1));
            for (int o = 0; o < kCells; ++o) {
                const Index<D> local = tile_local<D>(o);
                const bool border = local[a] == edge;
                if (!border && (!upper || !mixed_[std::size_t(t)])) continue;
                const int n = node(t, o);
                if (n < 0) continue;
                if (area_.read(a)[face_place<D>(tiles_, t, o, face)] == 0) continue;
                Index<D> next = origin + local;
                next[a] += upper ? 1 : -1;
                if (!cells_.contains(next)) {
                    outside_[std::size_t(n)] = 1;
                } else if (!border || stored) {
                    const Neighbour<D> there = neighbour_of<D>(tiles_, t, o, face);
                    const int m = node(there.tile, there.offset);
                    if (m >= 0 && upper) join(n, m);
                } else if (far >= 0) {
                    join(n, far);
                }
            }
        }
    }

    void join_far_tiles() {
        for (int i = 0; i < int(far_.size()); ++i) {
            const int n = far_[std::size_t(i)];
            if (n < 0) continue;
            const Index<D> key = far_key(i);
            for (int a = 0; a < D; ++a) {
                const int m = far_node(key + Index<D>::unit(a));
                if (m >= 0) join(n, m);
            }
        }
    }

    AirRegions<D> numbered() {
        AirRegions<D> r;
        std::vector<int> region(std::size_t(nodes_), -1), compartment(std::size_t(nodes_), -1);
        for (int n = 0; n < nodes_; ++n) {
            int& c = compartment[std::size_t(any_.find(n))];
            if (c < 0) c = r.compartments++;
            if (!is_air_[std::size_t(n)]) continue;
            int& k = region[std::size_t(same_.find(n))];
            if (k < 0) {
                k = int(r.regions.size());
                r.regions.push_back({c, false, 0});
            }
            region[std::size_t(n)] = k;
            r.regions[std::size_t(k)].outside |= outside_[std::size_t(n)] != 0;
        }
        for (int i = 0; i < int(far_.size()); ++i)
            if (const int n = far_[std::size_t(i)]; n >= 0) add_far(r, region[std::size_t(n)], i);
        r.label = CellField<std::int32_t, D>(phase_.tiles(), -1);
        std::int32_t* label = r.label.write();
        for_tiles(context_.arena, tiles_, [&](int t) {
            for (int o = 0; o < kCells; ++o) {
                const int n = node(t, o);
                label[std::size_t(t) * kCells + std::size_t(o)] =
                    n >= 0 && is_air_[std::size_t(n)] ? region[std::size_t(n)] : -1;
            }
        });
        return r;
    }

    void add_far(AirRegions<D>& r, int k, int i) const {
        const Index<D> first = far_key(i) * kTileSide<D>;
        const Box<int, D> box =
            Box<int, D>{first, first + Index<D>::filled(kTileSide<D>)}.intersected(cells_);
        auto& region = r.regions[std::size_t(k)];
        region.far_cells += double(product(box.size()));
        for (int a = 0; a < D; ++a) {
            // A tile of air at a side of the box that is not walled off reaches the outside.
            region.outside |= box_.open[a][0] && box.lo[a] == cells_.lo[a];
            region.outside |= box_.open[a][1] && box.hi[a] == cells_.hi[a];
        }
    }

    const CellField<std::uint8_t, D>& phase_;
    const FaceField<float, D>& area_;
    const Tiles<D>& tiles_;
    const OpenBox<D>& box_;
    const Box<int, D>& cells_;
    Context& context_;
    CellField<std::int16_t, D> local_;
    std::vector<int> first_;
    std::vector<std::uint8_t> mixed_;  ///< tiles with more than one set
    std::vector<std::uint8_t> is_air_, outside_;
    std::vector<int> far_;
    Index<D> lo_{}, span_{};
    int nodes_ = 0;
    DisjointSets same_{0}, any_{0};
};

}  // namespace

template <int D>
AirRegions<D> find_air_regions(const CellField<std::uint8_t, D>& phase,
                               const FaceField<float, D>& area, const OpenBox<D>& box,
                               const TileIsAir<D>& tile_is_air, Context& context) {
    Stage stage(context, "regions");
    return Search<D>(phase, area, box, context).run(tile_is_air);
}

template AirRegions<2> find_air_regions<2>(const CellField<std::uint8_t, 2>&,
                                           const FaceField<float, 2>&, const OpenBox<2>&,
                                           const TileIsAir<2>&, Context&);
template AirRegions<3> find_air_regions<3>(const CellField<std::uint8_t, 3>&,
                                           const FaceField<float, 3>&, const OpenBox<3>&,
                                           const TileIsAir<3>&, Context&);

}  // namespace spume

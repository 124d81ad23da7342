// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/regions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "spume/surface/level_set.h"
#include "spume/surface/tile_sets.h"

namespace spume {
namespace {

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
        join_tiles();
        join_far_tiles();
        mark_vents();
        return numbered();
    }

  private:
    static constexpr int kCells = kTileCells<D>;

    /// The sets inside each tile.
    void label_tiles() {
        components_ = TileComponents<D>(tiles_.active());
        std::vector<TilePhases> found(std::size_t(tiles_.active()));
        uniform_.assign(found.size(), kMixed);
        for_tiles(context_.arena, tiles_, [&](int t) {
            TilePhases& mine = found[std::size_t(t)];
            const int phase = uniform(t);
            uniform_[std::size_t(t)] = std::int8_t(phase);
            if (phase == kMixed) {
                const TileBits<D> bits(phase_.tile(t), area_, t);
                const TileJoins<D> joins = bits.joins();
                components_.label(t, joins);
                mine = phases_of(bits, joins, components_, t, phase_.tile(t));
            } else if (phase != kSolidPhase) {
                components_.label_whole(t);
                mine.is_air.push_back(phase == kAirPhase);
            }
        });
        components_.number();
        for (int t = 0; t < tiles_.active(); ++t) {
            const TilePhases& tile = found[std::size_t(t)];
            const int first = components_.first(t);
            for (const auto& [i, j] : tile.beside) beside_.push_back({first + i, first + j});
            is_air_.insert(is_air_.end(), tile.is_air.begin(), tile.is_air.end());
        }
        nodes_ = components_.count();
    }

    /// The phase of a tile that is all one set, or kMixed.
    static constexpr int kMixed = -1;
    int uniform(int t) const {
        const std::uint8_t* p = phase_.tile(t);
        unsigned differ = 0;
        for (int o = 0; o < kCells; ++o) differ |= unsigned(p[o] ^ p[0]);
        if (differ != 0) return kMixed;
        if (p[0] == kSolidPhase) return p[0];
        for (int a = 0; a < D; ++a) {
            const float* open = area_.tile(a, t);
            int shut = 0;
            for (int o = 0; o < kCells; ++o) shut += open[o] == 0;
            if (shut == 0) continue;
            for (int o = 0; o < kCells; ++o)
                if (open[o] == 0 && tile_local<D>(o)[a] > 0) return kMixed;
        }
        return p[0];
    }

    int node(int t, int o) const { return components_.of(t, o); }

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

    /// Joins sets across the faces of tiles, and with what is not stored.
    void join_tiles() {
        for (const auto& [i, j] : beside_) any_.join(i, j);
        std::vector<std::vector<std::pair<int, int>>> pairs(std::size_t(tiles_.active()));
        for_tiles(context_.arena, tiles_, [&](int t) {
            if (uniform_[std::size_t(t)] != kSolidPhase) list_pairs(t, pairs[std::size_t(t)]);
        });
        for (const auto& list : pairs)
            for (const auto& [i, j] : list)
                if (j == kOutside)
                    outside_[std::size_t(i)] = 1;
                else
                    join(i, j);
    }

    static constexpr int kOutside = -2;
    /// Pairs of sets that meet at the borders of a tile: with plus neighbours, with missing ones on
    /// both sides, with the outside.
    void list_pairs(int t, std::vector<std::pair<int, int>>& out) const {
        const Index<D> origin = tiles_.origin(t);
        const Box<int, D> own{origin, origin + Index<D>::filled(kTileSide<D>)};
        const auto add = [&](int i, int j) {
            if (out.empty() || out.back() != std::pair(i, j)) out.push_back({i, j});
        };
        for (int face = 0; face < 2 * D; ++face) {
            const int a = face / 2;
            const bool upper = face % 2 == 1;
            const Index<D> step = Index<D>::unit(a, upper ? 1 : -1);
            const int beyond = tiles_.neighbour(t, step);
            const bool stored = tiles_.is_active(beyond);
            const bool at_side = upper ? own.hi[a] >= cells_.hi[a] : own.lo[a] <= cells_.lo[a];
            if (stored && !upper && !at_side) continue;
            if (at_side) list_outside(t, face, add);
            const int far = stored ? -1 : far_node(tiles_.key(t) + step);
            if (!stored && far < 0) continue;
            const int edge = upper ? kTileSide<D> - 1 : 0;
            const int shift = (upper ? -1 : 1) * (kTileSide<D> - 1) * tile_stride<D>(a);
            const float* area = area_.tile(a, upper ? beyond : t);
            for_plane<D>(a, edge, [&](int o) {
                const int n = node(t, o);
                if (n < 0 || area[upper ? o + shift : o] == 0) return;
                if (!stored) return add(n, far);
                const int m = upper ? node(beyond, o + shift) : -1;
                if (m >= 0) add(n, m);
            });
        }
    }

    /// Cells with an open face that leads out of the box.
    template <class Add>
    void list_outside(int t, int face, const Add& add) const {
        const int a = face / 2;
        const bool upper = face % 2 == 1;
        const Index<D> origin = tiles_.origin(t);
        const auto look = [&](int o) {
            Index<D> next = origin + tile_local<D>(o);
            next[a] += upper ? 1 : -1;
            if (cells_.contains(next)) return;
            const int n = node(t, o);
            if (n >= 0 && area_.read(a)[face_place<D>(tiles_, t, o, face)] != 0) add(n, kOutside);
        };
        const Index<D> last = origin + Index<D>::filled(kTileSide<D> - 1);
        if (cells_.contains(origin) && cells_.contains(last))
            return for_plane<D>(a, upper ? kTileSide<D> - 1 : 0, look);
        for (int o = 0; o < kCells; ++o) look(o);
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

    void mark_vents() {
        for (const Box<int, D>& box : box_.vents) {
            if (box.empty()) continue;
            Index<D> cell = box.lo;
            for (bool more = true; more;) {
                if (cells_.contains(cell) && box_.is_vent(cell)) mark_outside(cell);
                more = false;
                for (int a = D - 1; a >= 0 && !more; --a) {
                    more = ++cell[a] < box.hi[a];
                    if (!more) cell[a] = box.lo[a];
                }
            }
        }
    }
    void mark_outside(const Index<D>& cell) {
        const Index<D> key = tile_of<D>(cell);
        const int t = tiles_.find(key);
        const int n =
            tiles_.is_active(t) ? node(t, tile_offset<D>(cell - tiles_.origin(t))) : far_node(key);
        if (n >= 0 && is_air_[std::size_t(n)]) outside_[std::size_t(n)] = 1;
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
            const auto label_of = [&](int n) {
                return n >= 0 && is_air_[std::size_t(n)] ? region[std::size_t(n)] : -1;
            };
            std::int32_t* to = label + std::size_t(t) * kCells;
            if (uniform_[std::size_t(t)] != kMixed)
                std::fill_n(to, kCells, label_of(node(t, 0)));
            else
                for (int o = 0; o < kCells; ++o) to[o] = label_of(node(t, o));
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
    TileComponents<D> components_;
    std::vector<std::int8_t> uniform_;  ///< the phase of a tile that is one set, or kMixed
    std::vector<std::uint8_t> is_air_, outside_;
    std::vector<std::pair<int, int>> beside_;  ///< sets of unlike phase that share an open face
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

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/regions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "spume/surface/far_tiles.h"
#include "spume/surface/level_set.h"
#include "spume/surface/tile_sets.h"

namespace spume {
namespace {

/// The nodes of the search: sets of one phase inside a stored tile, joined there already, then the
/// boxes of tiles of air that are not stored.
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

    AirRegions<D> run(const BoxIsAir<D>& is_air) {
        label_tiles();
        list_far_tiles(is_air);
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
                mine.is_air.push_back(phase == kAirPhase ? 1 : 0);
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
            for (int o = 0; o < kCells; ++o) shut += open[o] == 0 ? 1 : 0;
            if (shut == 0) continue;
            for (int o = 0; o < kCells; ++o)
                if (open[o] == 0 && tile_local<D>(o)[a] > 0) return kMixed;
        }
        return p[0];
    }

    int node(int t, int o) const { return components_.of(t, o); }

    void list_far_tiles(const BoxIsAir<D>& is_air) {
        const Index<D> one = Index<D>::filled(1);
        far_ =
            FarTiles<D>(tiles_, {tile_of<D>(cells_.lo), tile_of<D>(cells_.hi - one) + one}, is_air);
        far_nodes_.assign(far_.parts().size(), -1);
        for (std::size_t i = 0; i < far_nodes_.size(); ++i) {
            if (far_.parts()[i].tile != FarTiles<D>::kAir) continue;
            far_nodes_[i] = nodes_++;
            is_air_.push_back(1);
        }
    }
    int far_node(const Index<D>& key) const {
        const int part = far_.find(key);
        return part < 0 ? -1 : far_nodes_[std::size_t(part)];
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
        far_.visit_pairs(
            [&](int i, int j) { join(far_nodes_[std::size_t(i)], far_nodes_[std::size_t(j)]); });
    }

    void mark_vents() {
        for (const Box<int, D>& vent : box_.vents) {
            const Box<int, D> cells = vent.intersected(cells_);
            if (cells.empty()) continue;
            const Index<D> one = Index<D>::filled(1);
            far_.visit({tile_of<D>(cells.lo), tile_of<D>(cells.hi - one) + one}, [&](int i) {
                const auto& part = far_.parts()[std::size_t(i)];
                mark_vents(part.tile, far_nodes_[std::size_t(i)],
                           cells_of(part.keys).intersected(cells));
            });
        }
    }
    /// The same in cells of a stored tile, or of tiles that are not and have one node.
    void mark_vents(int tile, int far, const Box<int, D>& cells) {
        if (tile < 0 && far < 0) return;
        Index<D> cell = cells.lo;
        for (bool more = !cells.empty(); more;) {
            const int n = tile < 0 ? far : node(tile, tile_offset<D>(cell - tiles_.origin(tile)));
            if (n >= 0 && is_air_[std::size_t(n)] && !outside_[std::size_t(n)])
                outside_[std::size_t(n)] = box_.is_vent(cell);
            if (tile < 0 && outside_[std::size_t(far)]) return;
            more = false;
            for (int a = D - 1; a >= 0 && !more; --a) {
                more = ++cell[a] < cells.hi[a];
                if (!more) cell[a] = cells.lo[a];
            }
        }
    }
    static Box<int, D> cells_of(const Box<int, D>& keys) {
        return {keys.lo * kTileSide<D>, keys.hi * kTileSide<D>};
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
        for (std::size_t i = 0; i < far_nodes_.size(); ++i)
            if (const int n = far_nodes_[i]; n >= 0)
                add_far(r.regions[std::size_t(region[std::size_t(n)])], far_.parts()[i].keys);
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

    void add_far(typename AirRegions<D>::Region& region, const Box<int, D>& keys) const {
        const Box<int, D> box = cells_of(keys).intersected(cells_);
        region.far_cells += product(box.size().template as<double>());
        for (int a = 0; a < D; ++a) {
            // Air at a side of the box that is not walled off reaches the outside.
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
    FarTiles<D> far_;
    std::vector<int> far_nodes_;  ///< the node of a part of far_, −1: no air, or stored
    int nodes_ = 0;
    DisjointSets same_{0}, any_{0};
};

}  // namespace

template <int D>
AirRegions<D> find_air_regions(const CellField<std::uint8_t, D>& phase,
                               const FaceField<float, D>& area, const OpenBox<D>& box,
                               const BoxIsAir<D>& is_air, Context& context) {
    Stage stage(context, "regions");
    return Search<D>(phase, area, box, context).run(is_air);
}

template AirRegions<2> find_air_regions<2>(const CellField<std::uint8_t, 2>&,
                                           const FaceField<float, 2>&, const OpenBox<2>&,
                                           const BoxIsAir<2>&, Context&);
template AirRegions<3> find_air_regions<3>(const CellField<std::uint8_t, 3>&,
                                           const FaceField<float, 3>&, const OpenBox<3>&,
                                           const BoxIsAir<3>&, Context&);

}  // namespace spume

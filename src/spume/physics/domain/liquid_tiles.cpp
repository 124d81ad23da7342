// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/liquid_tiles.h"

#include <cmath>

#include "spume/grid/topology.h"
#include "spume/physics/domain/cells_in.h"

namespace spume {
namespace {

/// f(key) for each tile of the box of cells.
template <int D, class F>
void for_keys(const Box<int, D>& cells, F&& f) {
    const Index<D> lo = tile_of<D>(cells.lo), hi = tile_of<D>(cells.hi - Index<D>::filled(1));
    Index<D> key = lo;
    for (bool more = !cells.empty(); more;) {
        f(key);
        more = false;
        for (int a = D - 1; a >= 0 && !more; --a) {
            more = ++key[a] <= hi[a];
            if (!more) key[a] = lo[a];
        }
    }
}

/// Tiles of a box of keys that a body's surface may cross: boxes too far from it are left out as
/// wholes.
template <int D>
void list_crossed(const PlacedBody<D>& body, const Box<int, D>& keys, const Transform<D>& transform,
                  std::vector<Index<D>>& out) {
    if (keys.empty()) return;
    const Vec<double, D> size = keys.size().template as<double>() * kTileSide<D>;
    const Point<D> middle = keys.lo.template as<double>() * kTileSide<D> + size * 0.5;
    const double reach = (0.5 * length(size) + 1) * transform.voxel;
    if (!(std::abs(body.distance_within(transform.to_world(middle), reach)) < reach)) return;
    int axis = 0;
    for (int a = 1; a < D; ++a)
        if (keys.size()[a] > keys.size()[axis]) axis = a;
    if (keys.size()[axis] == 1) return out.push_back(keys.lo);
    Box<int, D> lower = keys, upper = keys;
    lower.hi[axis] = upper.lo[axis] = keys.lo[axis] + keys.size()[axis] / 2;
    list_crossed(body, lower, transform, out);
    list_crossed(body, upper, transform, out);
}

}  // namespace

template <int D>
Box<int, D> storable(const GridDomain<D>& domain, int beyond) {
    Box<int, D> box = domain.cells;
    for (int a = 0; a < D; ++a) {
        if (!domain.wall[a][0]) box.lo[a] -= beyond;
        if (!domain.wall[a][1]) box.hi[a] += beyond;
    }
    return box;
}

template <int D>
std::optional<bool> outside_solids(const PlacedSolids<D>& solids, const Box<int, D>& keys,
                                   const Transform<D>& transform) {
    if (solids.empty()) return true;
    const Vec<double, D> size = keys.size().template as<double>() * kTileSide<D>;
    const Point<D> middle = keys.lo.template as<double>() * kTileSide<D> + size * 0.5;
    const double reach = 0.5 * length(size - Vec<double, D>::filled(kTileSide<D>));
    const double d =
        solids.distance_within(transform.to_world(middle), (reach + 1) * transform.voxel);
    if (reach > 0 && !(std::abs(d) > reach * transform.voxel)) return std::nullopt;
    return d > 0;
}

template <int D>
std::vector<Index<D>> wanted_tiles(std::span<const Point<D>> particles, int margin,
                                   const LiquidFlow<D>& flow, const PlacedSolids<D>* walls,
                                   const GridDomain<D>& domain, Context& context) {
    auto wanted =
        tiles_around<D>(particles, domain.transform, margin, 0, storable(domain, 1), context);
    for (const auto& source : flow.sources)
        for_keys<D>(cells_of<D>(source.body.bounds().grown(source.margin), domain),
                    [&](const Index<D>& key) { wanted.push_back(key); });
    if (!walls || walls->empty()) return wanted;
    const Index<D> one = Index<D>::filled(1);
    const Box<int, D> all{tile_of<D>(domain.cells.lo), tile_of<D>(domain.cells.hi - one) + one};
    for (const PlacedBody<D>& body : walls->placed)
        list_crossed(body, all, domain.transform, wanted);
    return wanted;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template std::optional<bool> outside_solids<D>(const PlacedSolids<D>&, const Box<int, D>&,   \
                                                   const Transform<D>&);                         \
    template Box<int, D> storable<D>(const GridDomain<D>&, int);                                 \
    template std::vector<Index<D>> wanted_tiles<D>(std::span<const Point<D>>, int,               \
                                                   const LiquidFlow<D>&, const PlacedSolids<D>*, \
                                                   const GridDomain<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

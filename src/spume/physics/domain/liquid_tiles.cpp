// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/liquid_tiles.h"

#include <cmath>

#include "spume/grid/topology.h"
#include "spume/physics/domain/cells_in.h"

namespace spume {
namespace {

template <int D>
double tile_radius(double voxel) {
    return 0.5 * kTileSide<D> * voxel * std::sqrt(double(D));
}

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
std::vector<Index<D>> wanted_tiles(std::span<const Point<D>> particles, int margin,
                                   const LiquidFlow<D>& flow, const PlacedSolids<D>* walls,
                                   const GridDomain<D>& domain, Context& context) {
    auto wanted =
        tiles_around<D>(particles, domain.transform, margin, 0, storable(domain, 1), context);
    for (const auto& source : flow.sources)
        for_keys<D>(cells_of<D>(source.body.bounds().grown(source.margin), domain),
                    [&](const Index<D>& key) { wanted.push_back(key); });
    if (!walls || walls->empty()) return wanted;
    const double reach = tile_radius<D>(domain.voxel()) + domain.voxel();
    for_keys<D>(domain.cells, [&](const Index<D>& key) {
        const Point<D> centre = tile_centre<D>(key, domain.transform);
        for (const PlacedBody<D>& body : walls->placed)
            if (std::abs(body.distance_within(centre, reach)) < reach) {
                wanted.push_back(key);
                return;
            }
    });
    return wanted;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template Box<int, D> storable<D>(const GridDomain<D>&, int);                                 \
    template std::vector<Index<D>> wanted_tiles<D>(std::span<const Point<D>>, int,               \
                                                   const LiquidFlow<D>&, const PlacedSolids<D>*, \
                                                   const GridDomain<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

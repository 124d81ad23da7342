// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/surfacing.h"

#include <algorithm>

#include "spume/grid/halo.h"
#include "spume/grid/sample.h"
#include "spume/particles/permute.h"
#include "spume/physics/foam/foam_pruning.h"

namespace spume {
namespace {

/// By active tile: the greatest Φ of its cells and of the layer around them. What is not stored is
/// farther than a cell from all bubbles.
template <int D>
std::vector<double> highest_around(const CellField<double, D>& phi, Context& ctx) {
    const Tiles<D>& tiles = *phi.tiles();
    std::vector<double> r(std::size_t(tiles.active()));
    for_tiles(ctx.arena, tiles, [&](int t) {
        HaloBlock<double, D, 1> block;
        load_halo_continued(phi.read(), tiles, t, block);
        r[std::size_t(t)] = *std::max_element(block.v, block.v + block.kSize);
    });
    return r;
}

/// Removes those of `chosen` that are not in `stay`, which has the others in their order.
template <int D>
void remove_others(Bubbles<D>& bubbles, const std::vector<std::uint32_t>& chosen,
                   const Bubbles<D>& stay, Context& ctx) {
    if (stay.size() == chosen.size()) return;
    std::vector<std::uint8_t> gone(bubbles.size());
    std::size_t next = 0;
    for (const std::uint32_t q : chosen) {
        const bool stays = next < stay.size() && stay.id[next] == bubbles.id[q];
        next += stays;
        gone[q] = !stays;
    }
    remove_if(bubbles, ctx, [&](std::size_t q) { return gone[q] != 0; });
}

}  // namespace

template <int D>
std::vector<std::uint32_t> near_surface(const Bubbles<D>& bubbles, const CellField<double, D>& phi,
                                        Context& ctx) {
    const Tiles<D>& tiles = *phi.tiles();
    const std::vector<double> highest = highest_around(phi, ctx);
    std::vector<std::uint8_t> is_near(bubbles.size());
    for_range(ctx.arena, bubbles.size(), 4096, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(tiles), look(tiles);
        for (std::size_t q = b; q < e; ++q) {
            const Point<D>& x = bubbles.position[q];
            const double reach = -2 * double(bubbles.radius[q]) - tiles.voxel();
            look(floor_index<D>(tiles.transform().to_lattice(x)));
            const int t = look.tile();
            const bool deep = tiles.is_active(t) && highest[std::size_t(t)] < reach;
            is_near[q] = !deep && sample(phi, cursor, x) > reach;
        }
    });
    std::vector<std::uint32_t> r;
    for (std::size_t q = 0; q < bubbles.size(); ++q)
        if (is_near[q]) r.push_back(std::uint32_t(q));
    return r;
}

template <int D>
SurfacedFoam<D> surfaced_foam(
    Bubbles<D>& bubbles, const std::vector<std::uint32_t>& chosen, const Foam<D>& foam,
    const FoamSetting<D>& setting, double time,
    const std::function<SurfaceFields<D>(const typename Tiles<D>::Ptr&)>& on, Context& context) {
    SurfacedFoam<D> r;
    if (chosen.empty()) return r;
    Bubbles<D> close = bubbles;
    permute(close, chosen, context);
    const auto fields = on(tiles_of_surface<D>(close.position.read(), setting, 1.0, context));
    auto came =
        take_surfaced(close, GridSurface<D>(fields, fields), time, setting.transitions(), context);
    remove_others(bubbles, chosen, close, context);
    r.left = came.left;
    r.foam = std::move(came.foam);
    r.pruned = prune(r.foam, foam, setting.law, setting.seed, context);
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template std::vector<std::uint32_t> near_surface<D>(const Bubbles<D>&,                      \
                                                        const CellField<double, D>&, Context&); \
    template SurfacedFoam<D> surfaced_foam<D>(                                                  \
        Bubbles<D>&, const std::vector<std::uint32_t>&, const Foam<D>&, const FoamSetting<D>&,  \
        double, const std::function<SurfaceFields<D>(const typename Tiles<D>::Ptr&)>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/air/air_markers.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"
#include "spume/particles/nearest.h"

namespace spume {
namespace {

constexpr double kReach = 1.5;   // voxels, to the end of the nearest cells
constexpr double kEmpty = 0.25;  // no particle nearer than this to the middle of an empty cell
constexpr double kBand = 2.5;    // voxels from the surface where markers are kept
constexpr double kSunk = -0.75;  // voxels: deeper markers are in the liquid

}  // namespace

template <int D>
void correct_surface(LevelSet<D>& phi, const Tracers<D>& markers, const CellRanges<D>& marker_cells,
                     const Liquid<D>& liquid, const CellRanges<D>& liquid_cells,
                     const CellField<std::uint8_t, D>& open, Context& context) {
    if (markers.size() == 0) return;
    Stage stage(context, "surface");
    const Tiles<D>& tiles = *phi.tiles();
    const double h = tiles.voxel();
    double* out = phi.write();
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            double& value = out[std::size_t(t) * kTileCells<D> + std::size_t(o)];
            if (std::abs(value) > kReach * h || !open.at(t, o)) continue;
            const Index<D> local = tile_local<D>(o);
            const Point<D> x = phi.position(t, o);
            const double air = nearest_particle<D>(kReach, markers.position.read(), marker_cells,
                                                   tiles, t, local, x);
            if (air >= kReach) continue;
            const double water = nearest_particle<D>(kReach, liquid.position.read(), liquid_cells,
                                                     tiles, t, local, x);
            if (water > kEmpty && air < water) value = std::max(value, h * (water - air) / 2);
        }
    });
}

template <int D>
void renew_markers(Tracers<D>& markers, const LevelSet<D>& phi, const BubbleTracker<D>& air,
                   const GridDomain<D>& domain, Context& context) {
    Stage stage(context, "tracers");
    const typename Tiles<D>::Ptr tiles = phi.tiles();
    const double h = tiles->voxel(), least = 2 * domain.cell_volume();
    std::vector<std::uint8_t> kept(air.bubbles.size(), 0);
    for (std::size_t k = 0; k < kept.size(); ++k)
        kept[k] = !air.bubbles[k].outside && air.bubbles[k].rest >= least;
    const auto trapped = [&](std::size_t at) {
        const std::int32_t k = air.label.read()[at];
        return k >= 0 && kept[std::size_t(k)] != 0;
    };
    {
        TileCursor<D> cursor(*tiles);
        std::vector<std::uint8_t> gone(markers.size(), 0);
        for (std::size_t i = 0; i < markers.size(); ++i) {
            const Point<D>& x = markers.position[i];
            const std::size_t at = cursor(domain.clamp().cell(tiles->transform().to_lattice(x)));
            const bool stored = tiles->is_active(cursor.tile());
            const bool free_air = !stored || (air.label.read()[at] >= 0 && !trapped(at));
            const double d = stored ? sample<double, D>(phi, cursor, x) : kBand * h;
            gone[i] = free_air || d >= kBand * h || d < kSunk * h;
        }
        remove_if(markers, context, [&](std::size_t i) { return gone[i] != 0; });
    }
    CellRanges<D> cells;
    sort_by_cell(markers, tiles, domain.clamp(), cells, context);
    std::vector<std::vector<Point<D>>> fresh(std::size_t(tiles->active()));
    for_tiles(context.arena, *tiles, [&](int t) {
        TileCursor<D> cursor(*tiles);
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            if (cells.count(at) > 0 || !trapped(at) || phi.at(t, o) > kBand * h) continue;
            for_parts<D>(tiles->transform(), tiles->origin(t) + tile_local<D>(o),
                         [&](const Point<D>& x, int) {
                             if (sample<double, D>(phi, cursor, x) > 0.25 * h)
                                 fresh[std::size_t(t)].push_back(x);
                         });
        }
    });
    Tracers<D> more;
    std::size_t n = 0;
    for (const auto& list : fresh) n += list.size();
    resize(more, n);
    auto x = more.position.write();
    std::size_t at = 0;
    for (const auto& list : fresh)
        for (const Point<D>& p : list) x[at++] = p;
    append(markers, more);
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template void correct_surface<D>(LevelSet<D>&, const Tracers<D>&, const CellRanges<D>&,  \
                                     const Liquid<D>&, const CellRanges<D>&,                 \
                                     const CellField<std::uint8_t, D>&, Context&);           \
    template void renew_markers<D>(Tracers<D>&, const LevelSet<D>&, const BubbleTracker<D>&, \
                                   const GridDomain<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

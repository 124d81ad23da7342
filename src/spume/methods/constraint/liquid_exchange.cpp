// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/liquid_exchange.h"

#include <algorithm>
#include <cmath>

#include "spume/methods/constraint/substep_geometry.h"
#include "spume/physics/domain/sources_on_grid.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/surface/fraction.h"
#include "spume/surface/phase.h"

namespace spume::constraint {
namespace {

/// Is a point outside the surface, with no liquid in the cells around it?
template <int D>
bool is_detached(const LevelSet<D>& phi, const Index<D>& cell) {
    const Tiles<D>& tiles = *phi.tiles();
    for (int c = 0; c < kTileNeighbours<D>; ++c) {
        Index<D> i = cell;
        for (int a = 0, rest = c; a < D; ++a, rest /= 3) i[a] += rest % 3 - 1;
        const int t = tiles.find(tile_of<D>(i));
        if (tiles.is_active(t) &&
            is_liquid_centre(phi.at(t, tile_offset<D>(i - tiles.origin(t))), tiles.voxel()))
            return false;
    }
    return true;
}

/// Volume of the drops that have left the box or ended in a sink, each particle as at the start. No
/// flux of the grid counts them; whether a particle was one is told where it came from.
template <int D>
double detached_outflow(const State<D>& s, const World<D>& w, const PlacedSolids<D>& solids,
                        Interval time, Context& context) {
    const LiquidFlow<D> flow = w.liquids.flow_at(time.end, w.domain.voxel(), solids);
    if (w.domain.closed() && flow.sinks.empty()) return 0;
    const Clamp<D> inside = Clamp<D>::closed(w.domain.cells);
    const auto was_drop = [&](std::size_t i) {
        const Point<D> before = s.liquid.position[i] - s.liquid.velocity[i] * time.length();
        return is_detached(s.phi, inside.cell(w.domain.transform.to_lattice(before)));
    };
    const double drops = reduce(
        context.arena, s.liquid.size(), 4096, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double count = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Point<D>& x = s.liquid.position[i];
                count += (has_escaped(x, w.domain) || flow.in_sink(x)) && was_drop(i);
            }
            return count;
        },
        [](double a, double b) { return a + b; });
    return drops * w.domain.cell_volume() / (1 << D);
}

/// Volume of the liquid where sinks open: it is gone at once.
template <int D>
double drained_by_sinks(const State<D>& s, const World<D>& w, const PlacedSolids<D>& solids,
                        Interval time, Context& context) {
    const double h = w.domain.voxel();
    const LiquidFlow<D> now = w.liquids.flow_at(time.end, h, solids);
    if (now.sinks.size() <= w.liquids.flow_at(time.begin, h).sinks.size()) return 0;
    const auto open_fraction =
        open_fractions(cut_cells(solids, w.domain, s.grid.tiles, context), context);
    LevelSet<D> cut = s.phi;
    cut_sinks(cut, now, context);
    return volume_of(liquid_fractions<D>(s.phi, context), open_fraction, context) -
           volume_of(liquid_fractions<D>(cut, context), open_fraction, context);
}

}  // namespace

template <int D>
LiquidExchange exchange_liquid(State<D>& s, const World<D>& w, const PlacedSolids<D>& solids,
                               Interval time, Context& context) {
    LiquidExchange r;
    r.outflow = s.outflow * time.length() + detached_outflow(s, w, solids, time, context) +
                drained_by_sinks(s, w, solids, time, context);
    remove_escaped(s.liquid, w.domain, context);
    r.asked = w.liquids.asked(w.domain, solids, time);
    const auto is_liquid = [&](const Point<D>& x) {
        const Tiles<D>& tiles = *s.phi.tiles();
        const Index<D> cell = floor_index<D>(tiles.transform().to_lattice(x));
        const int t = tiles.find(tile_of<D>(cell));
        return tiles.is_active(t) &&
               is_liquid_centre(s.phi.at(t, tile_offset<D>(cell - tiles.origin(t))), tiles.voxel());
    };
    r.filled = w.liquids.flow(s.liquid, w.domain, solids, time, is_liquid, context);
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template LiquidExchange exchange_liquid<D>(State<D>&, const World<D>&, const PlacedSolids<D>&, \
                                               Interval, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/substep_geometry.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/halo.h"
#include "spume/methods/constraint/air.h"
#include "spume/methods/constraint/density_correction.h"
#include "spume/methods/constraint/density_error.h"
#include "spume/methods/constraint/fit_surface.h"
#include "spume/methods/constraint/surface_blend.h"
#include "spume/physics/domain/cell_centres.h"
#include "spume/physics/domain/cells_in.h"
#include "spume/physics/domain/liquid_at_start.h"
#include "spume/physics/domain/liquid_tiles.h"
#include "spume/surface/fraction.h"
#include "spume/surface/particle_surface.h"
#include "spume/surface/phase.h"

namespace spume::constraint {
namespace {

/// Cells around the liquid that are stored: the surface, its band, and what a substep may cross.
template <int D>
int margin_of(const Params& p) {
    return std::min(kTileSide<D>, static_cast<int>(std::ceil(p.cfl)) + 4);
}

template <int D>
std::vector<Index<D>> tiles_of(const State<D>& s, const Params& p, const World<D>& w,
                               const PlacedSolids<D>& solids, double time, Context& context) {
    if (w.scene.domain.dense)
        return {s.grid.tiles->active_keys().begin(), s.grid.tiles->active_keys().end()};
    return wanted_tiles<D>(s.liquid.position.read(), margin_of<D>(p),
                           w.liquids.flow_at(time, w.domain.voxel(), solids),
                           p.bubbles != BubbleMode::kOff ? &solids : nullptr, w.domain, context);
}

/// Stores what is near the liquid, and the pressure there.
template <int D>
void follow_liquid(State<D>& s, const Params& p, const World<D>& w, const PlacedSolids<D>& solids,
                   double time, Context& context) {
    if (!s.grid.rebuild(tiles_of(s, p, w, solids, time, context), p.patience, w.domain.transform))
        return;
    Stage stage(context, "topology");
    s.velocity = {};  // the particles bring the next one
    s.pressure = carried<double, D>(s.pressure, s.grid.tiles, 0.0, context);
}

/// Is any of the 3^D cells around one inside the liquid?
template <int D>
bool liquid_beside(const HaloBlock<double, D, 1>& phi, const Index<D>& cell, double voxel) {
    for (int c = 0; c < kTileNeighbours<D>; ++c) {
        Index<D> i = cell;
        for (int a = 0, rest = c; a < D; ++a, rest /= 3) i[a] += rest % 3 - 1;
        if (is_liquid_centre(phi.v[phi.at(i)], voxel)) return true;
    }
    return false;
}

/// The liquid that flies as single particles, which the smooth surface passes over: each stands
/// for its share of a voxel, as at the start. Those next to liquid cells are enclosed already.
template <int D>
CellField<float, D> detached_drops(const LevelSet<D>& phi, const CellField<std::uint8_t, D>& open,
                                   const CellRanges<D>& cells, Context& context) {
    const Tiles<D>& tiles = *phi.tiles();
    const double h = tiles.voxel();
    CellField<float, D> r(phi.tiles());
    float* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        const std::size_t first = std::size_t(t) * kTileCells<D>;
        HaloBlock<double, D, 1> block;
        bool loaded = false;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const int count = cells.count(first + std::size_t(o));
            if (count == 0 || is_liquid_centre(phi.at(t, o), h) || !open.at(t, o)) continue;
            if (!loaded) load_halo_continued<double, D, 1>(phi.read(), tiles, t, block);
            loaded = true;
            if (liquid_beside<D>(block, tile_local<D>(o), h)) continue;
            out[first + std::size_t(o)] = std::min(1.0f, float(count) / (1 << D));
        }
    });
    return r;
}

template <int D>
CellField<float, D> larger_of(const CellField<float, D>& a, const CellField<float, D>& b,
                              Context& context) {
    CellField<float, D> r = a;
    float* out = r.write();
    const float* other = b.read();
    for_values(context.arena, *r.tiles(), [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) out[i] = std::max(out[i], other[i]);
    });
    return r;
}

/// Surface tension flattens bumps of a voxel faster than gravity does: then the particles may show,
/// and what moves the surface is its curvature, which is best taken from them alone.
template <int D>
bool tension_rules(const World<D>& w) {
    const Physics& physics = w.scene.physics;
    const double h = w.domain.voxel();
    return physics.surface_tension > physics.water_density * length(w.gravity()) * h * h;
}

/// Closing makes a surface follow its outermost particles, which swing less than the liquid does.
/// Where tension rules it closes gaps by itself, and less will do.
constexpr double kClosingUnderTension = 0.7;

template <int D>
ParticleSurface surface_by(const Params& p, const World<D>& w) {
    return {.closing = p.closing * (tension_rules(w) ? kClosingUnderTension : 1.0),
            .smoothing = p.smoothing};
}

/// The surface of the particles, as far as they have moved since the last one; at the
/// start, that of the scene's shapes.
template <int D>
void reconstruct_surface(State<D>& s, const Params& p, const World<D>& w,
                         const RebuiltGeometry<D>& g, const Carrier<D>& carrier, double dt,
                         Context& context) {
    const LevelSet<D> before = s.phi;
    const CutCells<D>& open = g.geometry.open;
    s.phi = liquid_surface<D>(s.liquid.position.read(), g.particles.cells, g.centres, open.area,
                              surface_by(p, w), context, &open.parting);
    const bool blends = p.surface_memory > 0 && !(before.tiles() && tension_rules(w));
    if (blends && before.tiles())
        // The displacement that corrects volumes is one of particles: the surface has its own.
        blend_with_advected_surface<D>(s.phi, before, carrier.flow, g.centres, w.domain.clamp(), dt,
                                       p.surface_memory, context, &open.parting);
    else if (blends)
        blend_with_exact_surface<D>(s.phi, g.centres, LiquidAtStart<D>(w.liquids, w.domain),
                                    context);
    cover_full_cells(s.phi, g.particles.cells, g.centres, full_count(s, w), context, &open.parting);
    const Films<D> films{g.particles.cells, open.kind};
    extrapolate_into_solids(s.phi, g.centres, open.area, context, &films);
}

}  // namespace

template <int D>
double volume_of(const CellField<float, D>& fraction, const CellField<float, D>& open_fraction,
                 Context& context) {
    const Tiles<D>& tiles = *fraction.tiles();
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= tiles.voxel();
    return cell * reduce_tiles<D>(
                      context.arena, tiles, 0.0,
                      [&](int t) {
                          double sum = 0;
                          for (int o = 0; o < kTileCells<D>; ++o)
                              sum += double(fraction.at(t, o)) * double(open_fraction.at(t, o));
                          return sum;
                      },
                      [](double a, double b) { return a + b; });
}

template <int D>
RebuiltGeometry<D> rebuild_geometry(State<D>& s, const Params& p, const World<D>& w,
                                    const PlacedSolids<D>& solids,
                                    std::type_identity_t<Carrier<D>> carrier, double time,
                                    Context& context) {
    follow_liquid(s, p, w, solids, time, context);
    RebuiltGeometry<D> r;
    SubstepGeometry<D>& g = r.geometry;
    VolumeFractions<D>& f = r.volumes;
    r.particles.ranges =
        sort_by_cell(s.liquid, s.grid.tiles, w.domain.clamp(), r.particles.cells, context);
    g.open = cut_cells(solids, w.domain, s.grid.tiles, context);
    r.centres = centres_outside(g.open, solids, context);
    f.open = f.open_with_sources = open_fractions(g.open, context);
    reconstruct_surface(s, p, w, r, carrier, time - s.time, context);
    correct_with_markers(s, r.particles.cells, r.centres, w, context);
    g.flow = w.liquids.flow_at(time, w.domain.voxel(), solids);
    g.source_faces = open_sources(g.open, g.flow, solids, w.domain);
    cut_sinks(s.phi, g.flow, context);
    if (!g.source_faces.empty()) f.open = open_fractions(g.open, context);
    r.liquid.detached = detached_drops(s.phi, r.centres, r.particles.cells, context);
    update_fractions(r, s, context);
    f.reconstructed = f.filled;
    return r;
}

template <int D>
void update_fractions(RebuiltGeometry<D>& r, State<D>& s, Context& context) {
    r.geometry.phase = phases_of(s.phi, r.geometry.open, context);
    r.liquid.enclosed = liquid_fractions<D>(s.phi, context, &r.geometry.open.parting);
    r.volumes.filled = larger_of(r.liquid.enclosed, r.liquid.detached, context);
    s.volume = volume_of(r.volumes.filled, r.volumes.open_with_sources, context);
}

template <int D>
void fit_to_scene(State<D>& s, const Params& p, const World<D>& w, const PlacedSolids<D>& solids,
                  Context& context) {
    follow_liquid(s, p, w, solids, 0, context);
    fit_surface<D>(s.liquid, s.grid.tiles, LiquidAtStart<D>(w.liquids, w.domain), solids, w.domain,
                   surface_by(p, w), context);
}

template <int D>
AirRegions<D> regions_of(const SubstepGeometry<D>& g, const World<D>& w,
                         const PlacedSolids<D>& solids, Context& context) {
    OpenBox<D> box;
    box.cells = w.domain.cells;
    for (int a = 0; a < D; ++a)
        for (int k = 0; k < 2; ++k) box.open[a][k] = !w.domain.wall[a][k];
    for (const auto& sink : g.flow.sinks)
        box.vents.push_back(cells_of<D>(sink.body.bounds().grown(sink.margin), w.domain));
    box.is_vent = [&](const Index<D>& cell) {
        const Point<D> x =
            w.domain.transform.to_world(cell.template as<double>() + Point<D>::filled(0.5));
        return g.flow.sink_distance(x, w.domain.voxel()) < 0;
    };
    const BoxIsAir<D> is_air = [&](const Box<int, D>& keys) {
        return outside_solids(solids, keys, w.domain.transform);
    };
    return find_air_regions<D>(g.phase, g.open.area, box, is_air, context);
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template RebuiltGeometry<D> rebuild_geometry<D>(State<D>&, const Params&, const World<D>&,  \
                                                    const PlacedSolids<D>&, Carrier<D>, double, \
                                                    Context&);                                  \
    template void fit_to_scene<D>(State<D>&, const Params&, const World<D>&,                    \
                                  const PlacedSolids<D>&, Context&);                            \
    template void update_fractions<D>(RebuiltGeometry<D>&, State<D>&, Context&);                \
    template AirRegions<D> regions_of<D>(const SubstepGeometry<D>&, const World<D>&,            \
                                         const PlacedSolids<D>&, Context&);                     \
    template double volume_of<D>(const CellField<float, D>&, const CellField<float, D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

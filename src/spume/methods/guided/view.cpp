// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/core/member_count.h"
#include "spume/frame/foam_points.h"
#include "spume/frame/points.h"
#include "spume/frame/volumes.h"
#include "spume/grid/describe.h"
#include "spume/grid/stencil.h"
#include "spume/methods/guided/bubble_exchange.h"
#include "spume/methods/guided/foam_layer.h"
#include "spume/methods/guided/guided.h"
#include "spume/physics/foam/foam_coverage.h"
#include "spume/physics/foam/foam_transitions.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/two_fluid/account.h"

namespace spume::guided {
namespace {

/// The bubbles on the grid, at the places where the last substep left them.
template <int D>
MixtureFaces<D> mixture_of(const State<D>& s, const Params& p, const World<D>& w,
                           Context& context) {
    Bubbles<D> bubbles = s.bubbles;
    const auto ranges = sort_by_tile(bubbles, s.grid.tiles, context, w.domain.clamp());
    Coupling<D> c;
    c.scheme = p.scheme;
    c.max_fraction = p.max_fraction;
    return rasterized(bubbles, ranges, w.domain, c, context);
}

/// Where and how the simulated water meets the bulk: see `write_border`.
template <int D>
Volume border_volume(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    const Tiles<D>& tiles = *s.grid.tiles;
    const auto cells =
        guided_cells(cut_cells(w.solids.at(s.time), w.domain, s.grid.tiles, context),
                     w.bulk->on(s.grid.tiles, s.time, context), p.border, w.down(), context);
    Volume v = volume_over<D>(tiles, "border", "", VolumeKind::kScalar);
    float* out = v.values[0].write().data();
    const auto value = [&](int t, int o) {
        bool open = false, guided = false;
        for (int face = 0; face < 2 * D; ++face) {
            const std::size_t at = face_place<D>(tiles, t, o, face);
            open = open || cells.open.area.read(face / 2)[at] > 0;
            guided = guided || cells.border.read(face / 2)[at] != 0;
        }
        if (cells.open.kind.at(t, o) == kFluidCell) return guided ? 2.0f : 1.0f;
        return open ? 3.0f : 1.0f;
    };
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o)
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = value(t, o);
    });
    return v;
}

template <int D>
void add_foam(Frame& frame, const State<D>& s, const World<D>& w, Context& context) {
    const SurfaceFields<D> fields = surface_under_foam(s, w, context);
    const auto normals = surface_normals(s.foam, GridSurface<D>(fields, fields), s.time, context);
    frame.points.push_back(foam_points(s.foam, normals.read(), w.scene.output.source, context));
    if (w.scene.foam.coverage)
        frame.volumes.push_back(volume_of(foam_coverage(s.foam, fields, context), "coverage", "1",
                                          VolumeKind::kScalar, context));
}

}  // namespace

template <int D>
Frame view(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    Stage stage(context, "view");
    const Output& wants = w.scene.output;
    Frame f;
    f.time = s.time;
    f.dimensions = D;
    if (wants.velocity) f.volumes.push_back(volume_of(s.water, "vel", "m/s", context));
    if (wants.density)
        f.volumes.push_back(
            volume_of(fraction_in_cells(mixture_of(s, p, w, context).bubble, context), "density",
                      "1", VolumeKind::kFog, context));
    if (wants.pressure)
        f.volumes.push_back(volume_of(s.pressure, "pressure", "Pa", VolumeKind::kScalar, context));
    if (p.write_border && p.mode == Mode::kGuided)
        f.volumes.push_back(border_volume(s, p, w, context));
    f.points.push_back(points_of(s.bubbles, "bubbles",
                                 {{"pscale", "m", s.bubbles.radius},
                                  {"age", "s", s.bubbles.age},
                                  {"life", "s", Array<float>(s.bubbles.size(), 0.0f)},
                                  {"type", "", Array<std::int32_t>(s.bubbles.size(), 0)},
                                  {"density", "kg/m^3", s.bubbles.density}},
                                 context));
    add_sources(f.points.back(), s.bubbles, wants.source);
    if (w.scene.foam.on) add_foam(f, s, w, context);
    return f;
}

template <int D>
StateSummary summary(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    const double water = w.scene.physics.water_density, cell = w.domain.cell_volume();
    StateSummary r;
    r.tiles = s.grid.tiles->active();
    r.voxels = static_cast<std::int64_t>(s.water_cells);
    r.bubbles = static_cast<std::int64_t>(s.bubbles.size());
    r.air.emitted = s.emitted;
    r.air.left = s.left;
    r.air.burst = s.burst;
    r.air.pruned = s.pruned;
    r.air.foam = total_volume(s.foam, context);
    r.foam = static_cast<std::int64_t>(s.foam.size());
    r.air.seeded = s.seeded;
    r.air.bubbles = total_volume(s.bubbles, context, water);
    const auto mixture = mixture_of(s, p, w, context);
    r.air.grid = air_volume(mixture, cell, context);
    if (s.water_cells > 0) r.liquid_volume = s.water_cells * cell - r.air.bubbles;
    r.momentum = lifted(total_momentum(s.bubbles, context) +
                        water_momentum(s.water, mixture, cell, context) * water);
    return r;
}

template <int D>
void describe(State<D>& s, const World<D>& w, StateVisitor& visitor) {
    static_assert(member_count<State<D>>() == 15, "a new member of State must be named below");
    visitor("time", s.time);
    describe_set(s.bubbles, "bubbles", visitor);
    describe_set(s.foam, "foam", visitor);
    describe_tiles(s.grid, w.domain.transform, visitor);
    describe_field(s.water, "water", s.grid.tiles, visitor);
    describe_field(s.pressure, "pressure", s.grid.tiles, visitor);
    visitor("owed", s.owed);
    visitor("emitted", s.emitted);
    visitor("left", s.left);
    visitor("burst", s.burst);
    visitor("pruned", s.pruned);
    visitor("seeded", s.seeded);
    visitor("taken", s.taken);
    visitor("water_cells", s.water_cells);
    visitor("net_flux", s.net_flux);
}

double expected_bytes(const Scene& scene, const Params& params, double voxels, double bubbles) {
    const int dimensions = scene.domain.dimensions;
    // Face fields alive at once in a projection: as the mixture of two fluids has them, 13, and the
    // bulk's three, its acceleration and force; openings 13 bytes a face; the solver about 150
    // bytes a cell.
    const bool two_way = params.mode == Mode::kGuided;
    const double faces = two_way ? 18 * 8 + 13 : 6 * 8;
    const double cells = two_way ? 150 + 8 * 9 : 8 * 3;
    const double a_bubble = 2 * (dimensions * 16 + 20) + dimensions * 8 * 4 + 16;
    const double a_foam = scene.foam.on ? dimensions * 8 * 5 + 40 : 0;
    return voxels * (faces * dimensions + cells) + bubbles * (a_bubble + a_foam);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template Frame view<D>(const State<D>&, const Params&, const World<D>&, Context&);           \
    template StateSummary summary<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template void describe<D>(State<D>&, const World<D>&, StateVisitor&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::guided

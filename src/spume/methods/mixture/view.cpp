// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/core/member_count.h"
#include "spume/frame/points.h"
#include "spume/frame/volumes.h"
#include "spume/grid/describe.h"
#include "spume/methods/mixture/marker_size.h"
#include "spume/methods/mixture/mixture.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/two_fluid/account.h"
#include "spume/surface/connected.h"
#include "spume/surface/mesh_of.h"
#include "spume/surface/surface_of.h"

namespace spume::mixture {
namespace {

/// p = p′ + ρ_w g·(x − x_top): zero at the top of the domain in still water.
template <int D>
Volume pressure_volume(const State<D>& s, const World<D>& w, Context& context) {
    const Tiles<D>& tiles = *s.grid.tiles;
    Volume v = volume_over<D>(tiles, "pressure", "Pa", VolumeKind::kScalar);
    float* out = v.values[0].write().data();
    const Vec<double, D> rest = w.gravity() * w.scene.physics.water_density;
    const Point<D> top = w.domain.bounds().hi;
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double hydrostatic = dot(rest, s.pressure.position(t, o) - top);
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                static_cast<float>(s.pressure.at(t, o) + hydrostatic);
        }
    });
    return v;
}

/// Bubbles as they are to be drawn beside a surface. A marker is as large as it takes to fill a
/// voxel; on its own it would be drawn with 22 times the air that it stands for.
template <int D>
Bubbles<D> drawn(const State<D>& s, const Array<std::int32_t>& type, double voxel) {
    Bubbles<D> r = s.bubbles;
    if (!(s.seeded > 0 && s.seeded < s.emitted)) return r;
    const double share = s.seeded / s.emitted;
    const double smaller = D == 2 ? std::sqrt(share) : math::cbrt(share);
    const double marker = surfacing_radius<D>(voxel);
    auto radius = r.radius.write();
    for (std::size_t q = 0; q < r.size(); ++q)
        if (type[q] == 0 && std::abs(double(radius[q]) - marker) < 1e-3 * marker)
            radius[q] = float(marker * smaller);
    return r;
}

/// The surface of connected air, [WSB25] §6; in 2D only the level set.
template <int D>
void add_surface(Frame& frame, const BubbleSurface<D>& surface, Context& context) {
    const CellField<float, D>& phi = surface.level_set;
    Volume v = volume_of(phi, "surface", "m", VolumeKind::kLevelSet, context);
    v.background = static_cast<float>(surface.band);
    frame.volumes.push_back(std::move(v));
    if constexpr (D == 3) frame.meshes.push_back({"bubbles", mesh_of(phi, context)});
}

template <int D>
PointSet bubble_points(const Bubbles<D>& bubbles, const Array<std::int32_t>& type, bool sources,
                       Context& context) {
    PointSet r = points_of(bubbles, "bubbles",
                           {{"pscale", "m", bubbles.radius},
                            {"age", "s", bubbles.age},
                            {"life", "s", Array<float>(bubbles.size(), 0.0f)},
                            {"type", "", type},
                            {"density", "kg/m^3", bubbles.density}},
                           context);
    add_sources(r, bubbles, sources);
    return r;
}

/// Bubbles, and in scenes that have such emitters what is denser than water as a set of its own.
template <int D>
void add_points(Frame& f, const Bubbles<D>& all, const Array<std::int32_t>& type, const World<D>& w,
                Context& context) {
    const double water = w.scene.physics.water_density;
    const auto heavy = [&](const Emitter& e) { return e.density > water; };
    const auto& emitters = w.scene.emitters;
    const bool sources = w.scene.output.source;
    if (std::none_of(emitters.begin(), emitters.end(), heavy)) {
        f.points.push_back(bubble_points(all, type, sources, context));
        return;
    }
    for (const bool grains : {false, true}) {
        Bubbles<D> part = all;
        std::vector<std::int32_t> kept;
        for (std::size_t q = 0; q < part.size(); ++q)
            if ((double(part.density[q]) > water) == grains) kept.push_back(type[q]);
        remove_if(part, context,
                  [&](std::size_t q) { return (double(all.density[q]) > water) != grains; });
        Array<std::int32_t> own;
        own.resize_discard(kept.size());
        std::copy(kept.begin(), kept.end(), own.write().begin());
        f.points.push_back(bubble_points(part, own, sources, context));
        if (grains) f.points.back().name = "grains";
    }
}

/// The bubbles on the grid, at the places where the last substep left them. Bubbles in the state
/// are sorted for its tiles.
template <int D>
MixtureFaces<D> mixture_of(const State<D>& s, const Params& p, const World<D>& w,
                           Context& context) {
    Bubbles<D> bubbles = s.bubbles;
    auto ranges = sort_by_tile(bubbles, s.grid.tiles, context, w.domain.clamp());
    if (p.basis == Basis::kPower) use_power_kernel(bubbles, ranges, w.domain, s.power, context);
    Coupling<D> c;
    c.scheme = p.scheme;
    c.max_fraction = most_air(s, p, w);
    c.binary = p.binary_fraction;
    const auto open = cut_cells(w.solids.at(s.time), w.domain, s.grid.tiles, context);
    MarkerSizes<D> sizes(bubbles, p.resolved_air && s.emitted > 0, w.domain.voxel(), context);
    return air_on_grid(bubbles, sizes, ranges, open, w.domain, c, context).mixture;
}

/// `mixture` is asked for only where its fraction is written.
template <int D, class Mixture>
Frame frame_of(const State<D>& s, const World<D>& w, Mixture&& mixture, Context& context) {
    Stage stage(context, "view");
    const Output& wants = w.scene.output;
    Frame f;
    f.time = s.time;
    f.dimensions = D;
    if (wants.velocity) f.volumes.push_back(volume_of(s.water, "vel", "m/s", context));
    if (wants.density)
        f.volumes.push_back(volume_of(fraction_in_cells(mixture().bubble, context), "density", "1",
                                      VolumeKind::kFog, context));
    if (wants.pressure) f.volumes.push_back(pressure_volume(s, w, context));
    Array<std::int32_t> type(s.bubbles.size(), 0);
    if (wants.surface) {
        Surfacing how;
        how.scale = wants.surface_scale;
        how.heaviest = w.scene.physics.water_density;
        const auto surface = surface_of(s.bubbles, w.domain.transform, how, context);
        type = surface.type;
        add_surface(f, surface, context);
    }
    add_points(f, wants.surface ? drawn(s, type, w.domain.voxel()) : s.bubbles, type, w, context);
    return f;
}

template <int D>
StateSummary summary_of(const State<D>& s, const World<D>& w, const MixtureFaces<D>& mixture,
                        Context& context) {
    StateSummary r;
    r.tiles = s.grid.tiles->active();
    r.voxels = static_cast<std::int64_t>(s.water_cells);
    r.bubbles = static_cast<std::int64_t>(s.bubbles.size());
    r.air.emitted = s.emitted;
    r.air.left = s.left;
    r.air.seeded = s.seeded;
    for (const double owed : s.owed.read()) r.air.owed += owed;
    r.air.bubbles = total_volume(s.bubbles, context, w.scene.physics.water_density);
    const double matter = total_volume(s.bubbles, context), grains = matter - r.air.bubbles;

    // Water is what the bubbles leave of the cells; the clamp of the fraction makes the grid see
    // more of it than there is, and that is the drift.
    const double cell = w.domain.cell_volume();
    const double seen = air_volume(mixture, cell, context);
    r.air.grid = seen - grains;
    const double space = s.water_cells * cell;
    r.liquid_volume = space - matter;
    r.liquid_drift = space > 0 ? (matter - seen) / space : 0;
    r.momentum =
        lifted(total_momentum(s.bubbles, context) +
               water_momentum(s.water, mixture, cell, context) * w.scene.physics.water_density);
    return r;
}

}  // namespace

template <int D>
Frame view(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    return frame_of(
        s, w, [&] { return mixture_of(s, p, w, context); }, context);
}

template <int D>
StateSummary summary(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    return summary_of(s, w, mixture_of(s, p, w, context), context);
}

template <int D>
std::pair<StateSummary, Frame> observe(const State<D>& s, const Params& p, const World<D>& w,
                                       Context& context) {
    const MixtureFaces<D> mixture = mixture_of(s, p, w, context);
    StateSummary told = summary_of(s, w, mixture, context);
    return {std::move(told),
            frame_of(
                s, w, [&]() -> const MixtureFaces<D>& { return mixture; }, context)};
}

template <int D>
void describe(State<D>& s, const World<D>& w, StateVisitor& visitor) {
    static_assert(member_count<State<D>>() == 12, "a new member of State must be named below");
    visitor("time", s.time);
    describe_set(s.bubbles, "bubbles", visitor);
    describe_tiles(s.grid, w.domain.transform, visitor);
    describe_field(s.water, "water", s.grid.tiles, visitor);
    describe_field(s.pressure, "pressure", s.grid.tiles, visitor);
    visitor("owed", s.owed);
    visitor("emitted", s.emitted);
    visitor("left", s.left);
    visitor("seeded", s.seeded);
    visitor("held_back", s.held_back);
    visitor("water_cells", s.water_cells);
    visitor("power.id", s.power.id);
    visitor("power.scale", s.power.scale);
}

double expected_bytes(const Scene& scene, const Params&, double voxels, double bubbles) {
    const int dimensions = scene.domain.dimensions;
    // Face fields alive at once in a projection: start, water, gradient, prediction (2), forces
    // (3), mixture (4), flux, coefficient; openings 12 bytes a face; the solver about 150 bytes a
    // cell.
    const double faces = 13 * 8 + 12;
    const double cells = 150 + 8 * 6;
    const double a_bubble = 2 * (dimensions * 16 + 20) + dimensions * 8 * 4 + 16;
    return voxels * (faces * dimensions + cells) + bubbles * a_bubble;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template Frame view<D>(const State<D>&, const Params&, const World<D>&, Context&);           \
    template StateSummary summary<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template std::pair<StateSummary, Frame> observe<D>(const State<D>&, const Params&,           \
                                                       const World<D>&, Context&);               \
    template void describe<D>(State<D>&, const World<D>&, StateVisitor&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture

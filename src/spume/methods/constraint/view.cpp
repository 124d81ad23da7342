// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/core/member_count.h"
#include "spume/frame/body_poses.h"
#include "spume/frame/foam_points.h"
#include "spume/frame/points.h"
#include "spume/frame/volumes.h"
#include "spume/grid/describe.h"
#include "spume/methods/constraint/foam.h"
#include "spume/physics/domain/closing_sheets.h"
#include "spume/physics/foam/foam_coverage.h"
#include "spume/physics/free_surface/liquid_transfer.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/physics/motion/tracers.h"
#include "spume/surface/phase.h"

namespace spume::constraint {
namespace {

/// Mass by volume of the liquid, kg/m³; 0 in air.
template <int D>
Volume density_volume(const State<D>& s, const World<D>& w, Context& context) {
    Liquid<D> sorted = s.liquid;
    const auto ranges = sort_by_tile(sorted, s.grid.tiles, context, w.domain.clamp());
    const auto inverse_density_ratio =
        inverse_density_ratio_of(sorted, ranges, w.domain.clamp(), context);
    const Tiles<D>& tiles = *s.grid.tiles;
    Volume v = volume_over<D>(tiles, "liquid_density", "kg/m^3", VolumeKind::kFog);
    float* out = v.values[0].write().data();
    for_tiles(context.arena, tiles, [&](int t) {
        double upper[kTileCells<D>], sum[kTileCells<D>] = {};
        for (int a = 0; a < D; ++a) {
            load_upper_faces<double, D>(inverse_density_ratio.read(a), tiles, t, a, upper);
            for (int o = 0; o < kTileCells<D>; ++o)
                sum[o] += inverse_density_ratio.at(a, t, o) + upper[o];
        }
        for (int o = 0; o < kTileCells<D>; ++o)
            if (is_liquid_centre(s.phi.at(t, o), tiles.voxel()))
                out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    static_cast<float>(w.scene.physics.water_density * 2 * D / sum[o]);
    });
    return v;
}

/// The particles; with their densities where a scene has several.
template <int D>
PointSet liquid_points(const Liquid<D>& liquid, const World<D>& w, Context& context) {
    const auto radius = static_cast<float>(w.domain.voxel() / 4);
    PointSet r = points_of(liquid, "liquid", {{"pscale", "m", Array<float>(liquid.size(), radius)}},
                           context);
    if (!w.liquids.several_densities()) return r;
    Array<float> density(liquid.size());
    auto out = density.write();
    for (std::size_t i = 0; i < liquid.size(); ++i)
        out[i] = static_cast<float>(w.scene.physics.water_density * liquid.relative_density(i));
    r.columns.push_back({"density", "kg/m^3", density});
    return r;
}

}  // namespace

template <int D>
Frame view(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    Stage stage(context, "view");
    const Output& wants = w.scene.output;
    Frame f;
    f.time = s.time;
    f.dimensions = D;
    f.free_surface = true;
    f.bodies = poses_of(w.rigid, s.rigid);
    const PlacedSolids<D> solids = solids_at<D>(w, s.rigid, s.time);
    const ClosingSheets<D> sheets = closing_sheets(s.phi, w.domain, solids);
    const LevelSet<D> surface = closed_surface<D>(s.phi, sheets.box, sheets.solids, context);
    Volume volume = volume_of(surface, "surface", "m", VolumeKind::kLevelSet, context);
    volume.background = static_cast<float>(3 * w.domain.voxel());
    f.volumes.push_back(std::move(volume));
    if (wants.velocity) f.volumes.push_back(volume_of(s.velocity, "vel", "m/s", context));
    if (wants.pressure)
        f.volumes.push_back(volume_of(s.pressure, "pressure", "Pa", VolumeKind::kScalar, context));
    if (wants.aeration)
        f.volumes.push_back(volume_of(aeration<D>(s.history, w.scene, context), "aeration", "",
                                      VolumeKind::kFog, context));
    if (wants.density && w.liquids.several_densities())
        f.volumes.push_back(density_volume(s, w, context));
    if (p.smoke)
        f.volumes.push_back(volume_of(density_of<D>(s.smoke, s.grid.tiles, context), "smoke", "",
                                      VolumeKind::kFog, context));
    if (p.write_particles) f.points.push_back(liquid_points(s.liquid, w, context));
    if (has_whitewater(p, w)) {
        f.points.push_back(points_of(s.small, "bubbles",
                                     {{"pscale", "m", s.small.radius},
                                      {"age", "s", s.small.age},
                                      {"density", "kg/m^3", s.small.density}},
                                     context));
        add_sources(f.points.back(), s.small, wants.source);
    }
    if (has_foam(p, w)) {
        const SurfaceFields<D> fields = surface_under_foam(s, p, w, context);
        const auto normals =
            surface_normals(s.foam, GridSurface<D>(fields, fields), s.time, context);
        f.points.push_back(foam_points(s.foam, normals.read(), wants.source, context));
        if (w.scene.foam.coverage)
            f.volumes.push_back(volume_of(foam_coverage(s.foam, fields, context), "coverage", "1",
                                          VolumeKind::kScalar, context));
    }
    if constexpr (D == 3)
        if (p.write_mesh) f.meshes.push_back({"surface", closed_mesh(surface, sheets, context)});
    return f;
}

template <int D>
StateSummary summary(const State<D>& s, const Params&, const World<D>& w, Context& context) {
    StateSummary r;
    r.tiles = s.grid.tiles->active();
    r.voxels = std::int64_t(s.grid.tiles->active()) * kTileCells<D>;
    r.markers = static_cast<std::int64_t>(s.liquid.size());
    r.air.bubbles = total_volume(s.small, context);
    r.liquid_volume = s.volume - r.air.bubbles;
    r.liquid_drift = s.target_volume > 0 ? r.liquid_volume / s.target_volume - 1 : 0;
    for (const AirBubble& b : s.air.bubbles) {
        if (b.outside) continue;
        r.air.trapped += b.volume;
        r.regions.push_back({b.id, b.volume, b.rest, b.pressure});
    }
    r.bubbles = static_cast<std::int64_t>(s.small.size());
    r.air.emitted = s.air.born + s.emitted;
    r.air.seeded = s.air.born + s.seeded;
    r.air.left = s.left;
    for (const double air : s.owed) r.air.owed += air;
    r.air.burst = s.air.burst;
    r.foam = static_cast<std::int64_t>(s.foam.size());
    r.air.foam = total_volume(s.foam, context);
    r.air.pruned = s.pruned;
    if (is_sealed(w)) r.air.trapped -= r.air.foam;
    r.air.lost = s.air.lost;
    r.smoke_lost = s.smoke_lost;
    const double mass = w.scene.physics.water_density * r.liquid_volume;
    if (s.liquid.size() > 0)
        r.momentum = lifted(total_velocity(s.liquid, context) * (mass / double(s.liquid.size())));
    r.momentum += lifted(total_momentum(s.small, context));
    r.momentum += w.rigid.momentum(s.rigid);
    return r;
}

template <int D>
void describe(State<D>& s, const World<D>& w, StateVisitor& visitor) {
    static_assert(member_count<State<D>>() == 26, "a new member of State must be named below");
    static_assert(member_count<BubbleTracker<D>>() == 6, "and of BubbleTracker");
    visitor("time", s.time);
    visitor("steps", s.steps);
    describe_set(s.liquid, "liquid", visitor);
    describe_tiles(s.grid, w.domain.transform, visitor);
    describe_field(s.velocity, "velocity", s.grid.tiles, visitor);
    describe_field(s.pressure, "pressure", s.grid.tiles, visitor);
    describe_field(s.phi, "phi", s.grid.tiles, visitor);
    visitor("air.bubbles", s.air.bubbles);
    describe_field(s.air.label, "air.label", s.grid.tiles, visitor);
    visitor("air.next_id", s.air.next_id);
    visitor("air.born", s.air.born);
    visitor("air.burst", s.air.burst);
    visitor("air.lost", s.air.lost);
    describe_set(s.small, "small", visitor);
    describe_optional(s.pressure_gradient, "pressure_gradient", s.grid.tiles, visitor);
    describe_set(s.foam, "foam", visitor);
    visitor("pruned", s.pruned);
    visitor("owed", s.owed);
    visitor("emitted", s.emitted);
    visitor("seeded", s.seeded);
    visitor("left", s.left);
    visitor("volume", s.volume);
    visitor("target_volume", s.target_volume);
    visitor("outflow", s.outflow);
    visitor("rigid", s.rigid);
    describe_set(s.markers, "markers", visitor);
    describe_set(s.smoke, "smoke", visitor);
    visitor("smoke_lost", s.smoke_lost);
    describe_history(s.history, w.domain.transform, visitor);
    describe_optional(s.displacement, "displacement", s.grid.tiles, visitor);
    describe_optional(s.air_velocity, "air_velocity", s.grid.tiles, visitor);
}

double expected_bytes(const Scene& scene, const Params&, double voxels, double bubbles) {
    const int dimensions = scene.domain.dimensions;
    // Face fields alive at once: velocity, carrier, before, weights, coefficient, openings (12
    // bytes), displacement (4), marks; cell fields; the solver about 150 bytes a cell; particles,
    // half of them twice.
    const double faces = 5 * 8 + 12 + 4 + 1, cells = 150 + 8 * 8;
    const double particle = dimensions * 16.0 + dimensions * dimensions * 4.0 + 8;
    const double per_cell = dimensions == 2 ? 4 : 8;
    // Of bubbles: fractions, densities, both phases' prediction, forces, gradients.
    const double coupled = scene.whitewater.on ? 16 * 8 : 0;
    return voxels * ((faces + coupled) * dimensions + cells + per_cell * particle * 1.5) +
           bubbles * dimensions * 80.0;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template Frame view<D>(const State<D>&, const Params&, const World<D>&, Context&);           \
    template StateSummary summary<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template void describe<D>(State<D>&, const World<D>&, StateVisitor&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/air.h"
#include "spume/methods/constraint/constraint.h"
#include "spume/methods/constraint/foam.h"
#include "spume/methods/constraint/substep_geometry.h"
#include "spume/methods/constraint/whitewater.h"
#include "spume/physics/air/air_markers.h"
#include "spume/physics/domain/capillary_limit.h"
#include "spume/physics/domain/liquid_tiles.h"
#include "spume/physics/domain/wave_limit.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/surface/extrapolate.h"

namespace spume::constraint {
namespace {

/// Opens what is open from the start. Returns how much more liquid the scene asks for than the
/// surface around it will be seen to enclose: around a small source that is off by a tenth.
template <int D>
double open_at_start(State<D>& s, const Params& p, const World<D>& w, const PlacedSolids<D>& solids,
                     Context& ctx) {
    if (!w.liquids.has_flow(0)) return 0;
    rebuild_geometry(s, p, w, solids, s.velocity, 0, ctx);
    const double without = s.volume;
    s.phi = {};
    const double filled = w.liquids.flow(
        s.liquid, w.domain, solids, {0, 0},
        [&](const Point<D>& x) { return w.liquids.distance(x) < 0; }, ctx);
    rebuild_geometry(s, p, w, solids, s.velocity, 0, ctx);
    const double seen = s.volume;
    s.phi = {};
    return without + filled - seen;
}

}  // namespace

template <int D>
World<D> world_of(const Scene& scene, const Params&, const Inputs& inputs) {
    World<D> w{scene,
               grid_domain_of<D>(scene),
               SolidSet<D>(scene.solids, inputs.meshes, true),
               LiquidSet<D>(scene.liquids, scene.physics.water_density, scene.seed, inputs.meshes,
                            scene.solids),
               ForceSet<D>(scene.forces, inputs.meshes),
               RigidSet<D>(scene.solids, inputs.meshes),
               EmitterSet<D>(scene.emitters, scene.physics.air_density, scene.seed, inputs.meshes,
                             scene.physics.water_density, scene.whitewater.max_fraction,
                             scene.output.source, scene.solids),
               {},
               {},
               {},
               {}};
    if (scene.emission.on) w.entrainment = entrain_law<D>(scene, inputs.meshes);
    for (const Solid& solid : scene.solids) w.no_slip.push_back(solid.no_slip);
    for (const FoamPatch& patch : scene.foam.patches)
        w.patches.push_back(placed<D>(patch.shape, inputs.meshes));
    return w;
}

template <int D>
State<D> init(const World<D>& w, const Params& p, Context& ctx) {
    State<D> s;
    s.rigid = w.rigid.start();
    const PlacedSolids<D> solids = solids_at<D>(w, s.rigid, 0);
    s.liquid = w.liquids.seed(w.domain, solids, ctx);
    s.grid.tiles = w.scene.domain.dense ? Tiles<D>::dense(storable(w.domain, 1), w.domain.transform)
                                        : Tiles<D>::build({}, w.domain.transform);
    s.grid.idle = Array<std::int32_t>(std::size_t(s.grid.tiles->active()), 0);
    s.velocity = FaceField<double, D>(s.grid.tiles);
    s.pressure = CellField<double, D>(s.grid.tiles);
    if (p.air_particles) s.markers = in_hollows(w, solids);
    fit_to_scene(s, p, w, solids, ctx);
    const double filled = open_at_start(s, p, w, solids, ctx);
    const RebuiltGeometry<D> rebuilt = rebuild_geometry(s, p, w, solids, s.velocity, 0, ctx);
    s.target_volume = s.volume + filled;
    FaceField<std::uint8_t, D> valid;
    particles_to_faces(s.liquid, rebuilt.particles.ranges, w.domain.clamp(), p.transfer, s.velocity,
                       valid, ctx);
    extrapolate(s.velocity, valid, layers_beyond(p), ctx, Continuation::kEven,
                &rebuilt.geometry.open.parting);
    if (p.bubbles != BubbleMode::kOff) {
        std::vector<BubbleEvent> ignored;
        const auto regions = regions_of(rebuilt.geometry, w, solids, ctx);
        track(s.air, regions, rebuilt.volumes.sizes_of(regions, s.phi, ctx), s.velocity,
              w.domain.clamp(), {0, 0}, ignored, ctx);
        if (p.air_particles) renew_markers(s.markers, s.phi, s.air, w.domain, ctx);
    }
    first_foam(s, p, w, solids, ctx);
    if (p.smoke) s.smoke = in_hollows(w, solids);
    if (keeps_history(p, w)) remember<D>(s.history, {s.time, s.phi, s.velocity}, w.scene);
    return s;
}

template <int D>
StepLimit max_dt(const State<D>& s, const Params& p, const World<D>& w, Context& ctx) {
    const Reach reach{"constraint", p.cfl, w.domain.voxel()};
    const PlacedSolids<D> solids = solids_at<D>(w, s.rigid, s.time);
    const double tension = w.scene.physics.surface_tension;
    const double capillary =
        capillary_limit(w.scene.physics.water_density * w.liquids.lowest_density_ratio(),
                        w.domain.voxel(), tension);
    return frame_limit("constraint", w.scene.time.fps, p.min_substeps)
        .also(tension_limit(capillary, tension, "use larger voxels"))
        .also(gravity_limit(reach, length(w.gravity())))
        .also(wave_limit<D>(length(w.gravity()), w.domain.voxel()))
        .also(speed_limit(reach, "the liquid", max_speed(s.liquid, ctx)))
        .also(speed_limit(reach, "bubbles", max_speed(s.small, ctx)))
        .also(foam_max_dt(s.foam, foam_setting(p, w), reach, ctx))
        .also(speed_limit(
            reach, "sources",
            w.liquids.max_source_speed({s.time, s.time + 1 / w.scene.time.fps}, solids)))
        .also(speed_limit(reach, "solids", solids.max_speed()));
}

#define SPUME_INSTANTIATE(D)                                                   \
    template World<D> world_of<D>(const Scene&, const Params&, const Inputs&); \
    template State<D> init<D>(const World<D>&, const Params&, Context&);       \
    template StepLimit max_dt<D>(const State<D>&, const Params&, const World<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

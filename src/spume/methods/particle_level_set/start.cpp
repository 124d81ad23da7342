// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/methods/particle_level_set/flow_step.h"
#include "spume/methods/particle_level_set/live_bubbles.h"
#include "spume/methods/particle_level_set/surface_step.h"
#include "spume/physics/domain/capillary_limit.h"
#include "spume/physics/domain/constrain_velocity.h"
#include "spume/physics/domain/liquid_at_start.h"
#include "spume/physics/domain/wave_limit.h"
#include "spume/scene/bodies.h"

namespace spume::particle_level_set {
namespace {

SurfaceMotion motion_of(const Params& p) {
    SurfaceMotion m;
    m.markers = {.least_radius = p.least_radius,
                 .most_radius = p.most_radius,
                 .correct_from = p.correct_from,
                 .escape = p.escape,
                 .liquid_escape = p.liquid_escape,
                 .per_cell = p.markers,
                 .reach = p.reach};
    // Wide enough for the markers, and for two cells of the flow.
    m.distance = {.width = std::max(p.reach + 3, 2.0 * p.subgrid),
                  .iterations = p.redistance_iterations,
                  .anew = false,
                  .exact = true};
    m.motion = p.marker_motion;
    return m;
}

template <int D>
void set_level(State<D>& s, const World<D>& w, const PlacedSolids<D>& solids,
               const SolidLattice<D>& covered, Context& context) {
    DenseField<float, D>& phi = s.surface.phi;
    phi = DenseField<float, D>(DensePlace<D>::centres(w.cells()).shape);
    float* f = phi.write();
    // The slopes of cells beside the surface look four cells away from it.
    const LiquidAtStart<D> distance(w.liquids, w.domain, 6);
    for_rows(context.arena, phi.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
            const Point<D> x = w.lattice.to_world(i.template as<double>() + Point<D>::filled(0.5));
            f[at] = float(std::clamp(distance(x) / w.lattice.voxel, -1e6, 1e6));
        }
    });
    const bool even[D] = {};
    mirror_ghosts<float, D>(f, DensePlace<D>::centres(phi.shape.size), even);
    continue_into_solids(phi, w, solids, covered, context);
    // Distances of single shapes are right already; between several they are made so.
    Redistancing whole = w.motion.distance;
    whole.iterations = 2 * int(whole.width);
    redistance_band(phi, whole, context);
}

/// The velocities of the scene's liquids on faces in them; later entries count.
template <int D>
void set_velocity(State<D>& s, const Params& p, const World<D>& w, const PlacedSolids<D>& solids,
                  Context& context) {
    const FlowGeometry<D> g = flow_geometry(s, p, w, solids, context);
    FaceField<std::uint8_t, D> valid(s.grid.tiles);
    for (int a = 0; a < D; ++a) {
        double* u = s.velocity.write(a);
        std::uint8_t* known = valid.write(a);
        for_faces(context.arena, *s.grid.tiles, a, [&](int t, int o) {
            const Point<D> x = s.velocity.position(a, t, o);
            if (!(w.liquids.distance(x) < w.domain.voxel())) return;
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            known[at] = 1;
            for (const auto& body : w.bodies)
                if (body.body.distance(x) < w.domain.voxel())
                    u[at] = body.fill ? body.velocity[a] : 0;
        });
    }
    extrapolate_velocity<D>(s.velocity, valid, layers_beyond(p), g.phi, g.open, solids, w.no_slip,
                            w.domain, context);
}

}  // namespace

template <int D>
World<D> world_of(const Scene& scene, const Params& p, const Inputs& inputs) {
    World<D> w{scene,
               grid_domain_of<D>(scene),
               SolidSet<D>(scene.solids, inputs.meshes, true),
               LiquidSet<D>(scene.liquids, scene.physics.water_density, scene.seed, inputs.meshes),
               ForceSet<D>(scene.forces, inputs.meshes),
               RigidSet<D>(scene.solids, inputs.meshes),
               {},
               {},
               {},
               motion_of(p),
               cluster_law<D>(p.bubbles, scene.physics),
               popping_law(p.bubbles, scene.seed),
               {},
               {},
               {}};
    for (const Solid& solid : scene.solids) w.no_slip.push_back(solid.no_slip);
    for (const LiquidBody& liquid : scene.liquids)
        w.bodies.push_back({liquid.mode == LiquidMode::kFill, in_plane<D>(liquid.velocity),
                            placed<D>(liquid.shape, inputs.meshes)});
    w.lattice = {w.domain.voxel() / p.subgrid,
                 w.domain.transform.to_world(w.domain.cells.lo.template as<double>())};
    w.lattice_tiles = Tiles<D>::dense({Index<D>{}, w.cells()}, w.lattice);
    MarkerParams markers = p.bubbles.markers;
    markers.marker_min = p.least_radius;
    markers.marker_max = p.most_radius;
    markers.per_cell = p.markers;
    w.marker_law = marker_law(markers, w.lattice.voxel, D, scene.seed);
    return w;
}

template <int D>
State<D> init(const World<D>& w, const Params& p, Context& context) {
    State<D> s;
    s.rigid = w.rigid.start();
    const PlacedSolids<D> solids = solids_at<D>(w, s.rigid, 0);
    const SolidLattice<D> covered = solid_lattice(w, solids, context);
    set_level(s, w, solids, covered, context);
    seed_markers(s.surface.markers, s.surface.phi, w.lattice, w.motion.markers, w.scene.seed, 0,
                 context);
    remove_covered(s.surface.markers, solids, context);
    s.volume = s.target_volume = volume_of(s.surface.phi, covered, w, context);
    set_velocity(s, p, w, solids, context);
    return s;
}

template <int D>
StepLimit max_dt(const State<D>& s, const Params& p, const World<D>& w, Context& context) {
    const Reach reach{"particle_level_set", p.cfl, w.domain.voxel()};
    const Physics& physics = w.scene.physics;
    const double capillary =
        capillary_limit(physics.water_density, w.domain.voxel(), physics.surface_tension);
    return frame_limit("particle_level_set", w.scene.time.fps, p.min_substeps)
        .also(tension_limit(capillary, physics.surface_tension, "use larger voxels"))
        .also(gravity_limit(reach, length(w.gravity())))
        .also(wave_limit<D>(length(w.gravity()), w.domain.voxel()))
        .also(speed_limit(reach, "the liquid", max_face_speed(s.velocity, context)))
        .also(speed_limit(reach, "bubbles", bubble_speed(s.live, context)))
        .also(speed_limit(reach, "solids", solids_at<D>(w, s.rigid, s.time).max_speed()));
}

#define SPUME_INSTANTIATE(D)                                                   \
    template World<D> world_of<D>(const Scene&, const Params&, const Inputs&); \
    template State<D> init<D>(const World<D>&, const Params&, Context&);       \
    template StepLimit max_dt<D>(const State<D>&, const Params&, const World<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::particle_level_set

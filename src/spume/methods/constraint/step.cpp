// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <utility>

#include "spume/methods/constraint/air.h"
#include "spume/methods/constraint/constraint.h"
#include "spume/methods/constraint/outcome.h"
#include "spume/methods/constraint/density_correction.h"
#include "spume/methods/constraint/sources_and_sinks.h"
#include "spume/methods/constraint/rows.h"
#include "spume/methods/constraint/viscous.h"
#include "spume/methods/constraint/volume.h"
#include "spume/physics/motion/advect.h"
#include "spume/physics/air/air_markers.h"
#include "spume/physics/domain/capillary_limit.h"
#include "spume/methods/constraint/ballistic_faces.h"
#include "spume/physics/domain/guard.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/physics/domain/constrain_velocity.h"
#include "spume/surface/extrapolate.h"

// A liquid of particles with a free surface, whose trapped air keeps its volume [GB17]:
//
//   ρ ∂u/∂t = −∇p − ∇B(u)ᵀ λ,   ∇·u = 0,   B_i(u) = ∫ over the surface of air region i of u·n = 0
//   Eq. 3
//
//   ( D M⁻¹ Dᵀ   D M⁻¹ Bᵀ ) ( p )   (  D u*           )
//   ( B M⁻¹ Dᵀ   B M⁻¹ Bᵀ ) ( λ ) = (  B u* − b_solid ) Eq. 8
//
// λ is the pressure of the region; it is eliminated row by row (physics/free_surface/bubble_pressure.h). A
// substep moves the particles, lays a surface around them, and projects their velocity on the grid.

namespace spume::constraint {
namespace {

/// How many layers of faces beyond the liquid a particle may reach in a substep.
int layers_beyond(const Params& p) { return static_cast<int>(std::ceil(p.cfl)) + 2; }

template <int D>
void add_gravity(FaceField<double, D>& velocity, const Vec<double, D>& gravity, double dt,
                 Context& ctx) {
    for (int a = 0; a < D; ++a) {
        double* u = velocity.write(a);
        const double add = gravity[a] * dt;
        for_values(ctx.arena, *velocity.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) u[i] += add;
        });
    }
}

/// The forces of the solve, with the densities of the liquids only.
template <int D>
LiquidForces<D> densities(const State<D>& s, const World<D>& w, const SubstepGeometry<D>& geometry, double dt,
                          Context& ctx) {
    LiquidForces<D> r{dt, w.scene.physics.water_density};
    if (w.liquids.several_densities())
        r.inverse_density_ratio = inverse_density_ratio_of(s.liquid, geometry.ranges, w.domain.clamp(), ctx);
    return r;
}

/// Gravity, the scene's forces, and what the small bubbles give and take.
template <int D>
void push(State<D>& s, const World<D>& w, const SubstepGeometry<D>& geometry, const LiquidForces<D>& forces,
          std::span<const Impulse<D>> owed, Interval time, Context& ctx) {
    add_gravity(s.velocity, w.gravity(), time.length(), ctx);
    add_forces(s.velocity, w.forces, time, ctx);
    const LiquidFaces<D> faces{&geometry.phase, &geometry.open.area,
                               forces.inverse_density_ratio.tiles() ? &forces.inverse_density_ratio : nullptr};
    lift(s.velocity, s.small, w.gravity(), w.drag(), w.scene.physics.air_density, time.length(),
         ctx, faces);
    scatter_impulses<D>(s.velocity, owed, faces, w.scene.physics.water_density, ctx);
}

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

/// The velocity goes on into the air and along solids; drops in flight keep theirs.
template <int D>
void extrapolate_velocity(State<D>& s, const Params& p, const World<D>& w, const SubstepGeometry<D>& geometry,
                   const PlacedSolids<D>& solids, std::span<const BallisticFace> ballistic,
                   FaceField<std::uint8_t, D>& valid, Context& ctx) {
    fix_ballistic<D>(s.velocity, valid, ballistic);
    extrapolate(s.velocity, valid, layers_beyond(p), ctx, Continuation::kSloped,
                &geometry.open.parting);
    const WallSide<D> side{valid, s.phi};
    constrain_velocity(s.velocity, &side, geometry.open, solids, w.no_slip, w.domain, ctx);
    release_from_walls<D>(s.velocity, ballistic);
    keep_sources(s.velocity, geometry);
}

}  // namespace

template <int D>
World<D> world_of(const Scene& scene, const Params&, const Inputs& inputs) {
    World<D> w{scene,
               grid_domain_of<D>(scene),
               SolidSet<D>(scene.solids, inputs.meshes, true),
               LiquidSet<D>(scene.liquids, scene.physics.water_density, scene.seed, inputs.meshes),
               ForceSet<D>(scene.forces, inputs.meshes),
               RigidSet<D>(scene.solids, inputs.meshes),
               {},
               {},
               {}};
    for (const Solid& solid : scene.solids) w.no_slip.push_back(solid.no_slip);
    return w;
}

template <int D>
State<D> init(const World<D>& w, const Params& p, Context& ctx) {
    State<D> s;
    s.rigid = w.rigid.start();
    const PlacedSolids<D> solids = solids_at<D>(w, s.rigid, 0);
    s.liquid = w.liquids.seed(w.domain, solids, ctx);
    s.grid.tiles = w.scene.domain.dense ? Tiles<D>::dense(storable(w.domain), w.domain.transform)
                                        : Tiles<D>::build({}, w.domain.transform);
    s.grid.idle = Array<std::int32_t>(std::size_t(s.grid.tiles->active()), 0);
    s.velocity = FaceField<double, D>(s.grid.tiles);
    s.pressure = CellField<double, D>(s.grid.tiles);
    if (p.air_particles) s.markers = in_hollows(w, solids);
    fit_to_scene(s, p, w, solids, ctx);
    const double filled = open_at_start(s, p, w, solids, ctx);
    const SubstepGeometry<D> geometry = rebuild_geometry(s, p, w, solids, s.velocity, 0, ctx);
    s.target_volume = s.volume + filled;
    FaceField<std::uint8_t, D> valid;
    particles_to_faces(s.liquid, geometry.ranges, w.domain.clamp(), p.transfer, s.velocity, valid,
                       ctx);
    extrapolate(s.velocity, valid, layers_beyond(p), ctx, Continuation::kEven,
                &geometry.open.parting);
    if (p.bubbles != BubbleMode::kOff) {
        std::vector<BubbleEvent> ignored;
        const auto regions = regions_of(geometry, w, solids, ctx);
        track(s.air, regions, geometry.sizes_of(regions, s.phi, ctx), s.velocity, w.domain.clamp(),
               {0, 0}, ignored, ctx);
        if (p.air_particles) renew_markers(s.markers, s.phi, s.air, w.domain, ctx);
    }
    if (p.smoke) s.smoke = in_hollows(w, solids);
    return s;
}

template <int D>
StepLimit max_dt(const State<D>& s, const Params& p, const World<D>& w, Context& ctx) {
    const Reach reach{"constraint", p.cfl, w.domain.voxel()};
    const double tension = w.scene.physics.surface_tension;
    const double capillary = capillary_limit(w.scene.physics.water_density * w.liquids.lowest_density_ratio(),
                                             w.domain.voxel(), tension);
    return frame_limit("constraint", w.scene.time.fps, p.min_substeps)
        .also(tension_limit(capillary, tension, "use larger voxels"))
        .also(gravity_limit(reach, length(w.gravity())))
        .also(speed_limit(reach, "the liquid", max_speed(s.liquid, ctx)))
        .also(speed_limit(reach, "sources",
                          w.liquids.max_source_speed({s.time, s.time + 1 / w.scene.time.fps})))
        .also(speed_limit(reach, "solids", solids_at<D>(w, s.rigid, s.time).max_speed()));
}

template <int D>
StepReport step(State<D>& s, const Params& p, World<D>& w, Interval time, Context& ctx) {
    StepReport report;
    const double dt = time.length();
    const Clamp<D> clamp = w.domain.clamp();

    const TileRanges<D> ranges = gather_by_tile(s.liquid, s.grid.tiles, ctx, clamp);
    const auto departure =
        Departure<D>::of(solids_at<D>(w, s.rigid, time.begin), s.liquid.position, w.domain.voxel());
    PlacedSolids<D> solids = moved_solids(s, w, time);
    Carrier<D> carrier(s.velocity, std::exchange(s.displacement, {}), dt);
    advance(s.liquid, ranges, carrier, clamp, dt, ctx);
    push_out(s.liquid, solids, w.domain, ctx, &departure);
    auto debts = advance_air(s, p, w, solids, departure.bodies, carrier, dt, ctx);
    const auto came = exchange_liquid(s, w, solids, time, ctx);
    warn_of_emptiness(s, w, solids, time.end, report);

    SubstepGeometry<D> geometry = rebuild_geometry(s, p, w, solids, carrier, time.end, ctx);
    s.target_volume += came.net_volume();
    auto regions = keep_volumes(s, geometry, p, w, solids, carrier, time, ctx);
    std::vector<BubbleEvent> events;
    track_air(s, p, w, regions, geometry, carrier, time, events, debts, ctx);  // §4.2
    const auto reconstructed = geometry.reconstructed_sizes_of(regions, s.phi, ctx);
    geometry.density_error = density_error_in(geometry, s, w, ctx);
    carrier = {};  // what follows needs its memory, and that of the measures
    geometry.fractions.keep_what_moves();

    FaceField<std::uint8_t, D> valid;
    particles_to_faces(s.liquid, geometry.ranges, clamp, p.transfer, s.velocity, valid, ctx);
    extrapolate(s.velocity, valid, 2, ctx, Continuation::kEven, &geometry.open.parting);
    LiquidForces<D> forces = densities(s, w, geometry, dt, ctx);
    forget_flow(s.liquid, p.transfer);
    const auto before = p.transfer == Transfer::kFlip ? s.velocity : FaceField<double, D>();
    push<D>(s, w, geometry, forces, debts.owed, time, ctx);
    if (!all_finite(s.velocity, "velocity", "transfer", report, ctx)) return report;

    const auto ballistic =
        ballistic_faces(s.velocity, geometry.fractions.detached, geometry.phase, geometry.open.area, ctx);
    const auto faces = faces_under_tension(s, geometry, regions, w, ctx);
    const AirRows rows = rows_of<D>(s, p, geometry, regions, faces, forces.density, dt);
    add_viscous_stress<D>(s, p, w, geometry, solids, regions, faces, rows.rows, forces, report, ctx);
    geometry.fractions = {};
    if (report.stopped || report.failed) return report;
    const auto solved =  // Eqs. 5–8
        project_with_bodies(s, p, w, geometry, solids, regions, faces, rows.rows, forces, valid, time,
                            report, ctx);
    if (!judge_solve<D>(s, p, w, solids, regions, rows, solved, report, ctx)) return report;
    s.displacement = density_correction<D>(s, p, w, geometry, solids, rows, reconstructed, faces, forces,
                                             solved.matrix, report, ctx);
    w.solver = {};  // only work space: the particles need it until the next solve
    s.outflow = outflow_of<D>(s.velocity, geometry, faces, w);

    if (p.smoke) flow_of_air(s, p, w, geometry, regions, solids, valid, dt, report, ctx);
    if (report.stopped || report.failed) return report;
    if (p.air_particles) renew_markers(s.markers, s.phi, s.air, w.domain, ctx);
    extrapolate_velocity<D>(s, p, w, geometry, solids, ballistic, valid, ctx);
    geometry.keep_particles();
    valid = {}, regions = {};  // velocities and gradients of the particles need the memory
    faces_to_particles(s.liquid, geometry.ranges, clamp, before, s.velocity, p.transfer, p.flip, ctx);
    report.max_speed = std::max(max_speed(s.liquid, ctx), max_face_speed(s.velocity, ctx));
    repopulate(s, p, w, geometry, solids, ctx);
    report.events = std::move(events);
    s.time = time.end;
    ++s.steps;
    return report;
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template World<D> world_of<D>(const Scene&, const Params&, const Inputs&);               \
    template State<D> init<D>(const World<D>&, const Params&, Context&);                     \
    template StepLimit max_dt<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template StepReport step<D>(State<D>&, const Params&, World<D>&, Interval, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

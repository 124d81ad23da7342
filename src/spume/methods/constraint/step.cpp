// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <utility>

#include "spume/methods/constraint/air.h"
#include "spume/methods/constraint/ballistic_faces.h"
#include "spume/methods/constraint/constraint.h"
#include "spume/methods/constraint/density_correction.h"
#include "spume/methods/constraint/foam.h"
#include "spume/methods/constraint/liquid_exchange.h"
#include "spume/methods/constraint/outcome.h"
#include "spume/methods/constraint/parting_faces.h"
#include "spume/methods/constraint/rows.h"
#include "spume/methods/constraint/viscous.h"
#include "spume/methods/constraint/volume.h"
#include "spume/methods/constraint/whitewater.h"
#include "spume/physics/air/air_markers.h"
#include "spume/physics/domain/constrain_velocity.h"
#include "spume/physics/domain/guard.h"
#include "spume/physics/free_surface/outflow.h"
#include "spume/physics/motion/advect.h"
#include "spume/physics/motion/move_liquid.h"
#include "spume/surface/extrapolate.h"

// A liquid of particles with a free surface, whose trapped air keeps its volume [GB17]:
//
//   ρ ∂u/∂t = −∇p − ∇B(u)ᵀ λ,   ∇·u = 0,   B_i(u) = ∫ over the surface of air region i of u·n = 0
//   Eq. 3
//
//   ( D M⁻¹ Dᵀ   D M⁻¹ Bᵀ ) ( p )   (  D u*           )
//   ( B M⁻¹ Dᵀ   B M⁻¹ Bᵀ ) ( λ ) = (  B u* − b_solid ) Eq. 8
//
// λ is the pressure of the region; it is eliminated row by row
// (physics/free_surface/bubble_pressure.h). A substep moves the particles, reconstructs their
// surface, and projects their velocity on the grid.

namespace spume::constraint {
namespace {

/// The liquid on the grid, until its velocity is found.
template <int D>
struct GridLiquid {
    SubstepGeometry<D> geometry;
    LiquidFractions<D> fractions;
    AirBoundary<D> air;
};

/// A substep once everything has moved.
template <int D>
struct MovedLiquid {
    PlacedSolids<D> solids;
    ParticleCells<D> particles;
    BubblesOnGrid<D> bubbles;
    CellField<float, D> density_error;
    std::vector<Impulse<D>> owed;  ///< momentum that small bubbles leave to the liquid
    std::vector<BubbleEvent> events;
    GridLiquid<D> grid;
};

bool has_ended(const StepReport& report) { return report.stopped || report.failed; }

/// Bodies, particles and air move with the velocity of the last substep; then the surface is
/// reconstructed anew and the regions of air are matched with those before, [GB17] §4.2.
template <int D>
MovedLiquid<D> move_and_rebuild(State<D>& s, const Params& p, const World<D>& w, Interval time,
                                StepReport& report, Context& ctx) {
    const Clamp<D> clamp = w.domain.clamp();
    const double dt = time.length();
    const TileRanges<D> ranges = gather_by_tile(s.liquid, s.grid.tiles, ctx, clamp);
    const PlacedSolids<D> solids_before = solids_at<D>(w, s.rigid, time.begin);
    const LevelSet<D> surface_before = s.phi;
    const auto departure = Departure<D>::of(solids_before, s.liquid.position, w.domain.voxel());
    const PlacedSolids<D> solids =
        move_bodies<D>(s.rigid, w.rigid, w.solids, w.domain, w.gravity(), w.forces, time);
    const Carrier<D> carrier(s.velocity, std::exchange(s.displacement, {}), dt);
    advance(s.liquid, ranges, carrier, clamp, dt, ctx);
    push_out(s.liquid, solids, w.domain, ctx, &departure);
    auto debts = advance_air(s, p, w, solids, departure.bodies, carrier, dt, ctx);
    for (std::string& words : emit_bubbles(s, p, w, carrier.flow, solids, time, ctx))
        report.warnings.push_back(std::move(words));
    const auto came = exchange_liquid(s, w, solids, time, ctx);
    warn_of_emptiness(s, w, solids, time.end, report);

    RebuiltGeometry<D> rebuilt = rebuild_geometry(s, p, w, solids, carrier, time.end, ctx);
    s.target_volume += came.net_volume();
    auto regions = keep_volumes(s, rebuilt, p, w, solids, carrier, time, ctx);
    move_foam(s, p, w, surface_before, carrier.flow, solids_before, solids, time, debts, report,
              ctx);  // [WFS22] §6
    std::vector<BubbleEvent> events;
    track_air(s, p, w, regions, rebuilt, carrier, solids, time, events, debts, ctx);  // §4.2
    auto sizes = rebuilt.volumes.reconstructed_sizes_of(regions, s.phi, ctx);
    BubblesOnGrid<D> bubbles = bubbles_on_grid(s, w, ctx);
    auto density_error = density_error_in(rebuilt, s, w, bubbles, ctx);
    return {solids,
            std::move(rebuilt.particles),
            std::move(bubbles),
            std::move(density_error),
            std::move(debts.owed),
            std::move(events),
            {std::move(rebuilt.geometry),
             std::move(rebuilt.liquid),
             {std::move(regions), std::move(sizes), {}, {}, {}}}};
}

/// The forces of the solve, with the densities of the liquids only.
template <int D>
LiquidForces<D> densities(const State<D>& s, const World<D>& w, const TileRanges<D>& ranges,
                          double dt, Context& ctx) {
    LiquidForces<D> r{dt, w.scene.physics.water_density};
    if (w.liquids.several_densities())
        r.inverse_density_ratio = inverse_density_ratio_of(s.liquid, ranges, w.domain.clamp(), ctx);
    return r;
}

/// Gravity, the scene's forces, and what air that changes hands gives and takes.
template <int D>
void apply_forces(State<D>& s, const World<D>& w, const SubstepGeometry<D>& geometry,
                  const LiquidForces<D>& forces, std::span<const Impulse<D>> owed, Interval time,
                  Context& ctx) {
    add_gravity(s.velocity, w.gravity(), time.length(), ctx);
    w.forces.add(s.velocity, time, ctx);
    const LiquidFaces<D> faces{
        &geometry.phase, &geometry.open.area,
        forces.inverse_density_ratio.tiles() ? &forces.inverse_density_ratio : nullptr};
    scatter_impulses<D>(s.velocity, owed, faces, w.scene.physics.water_density, ctx);
}

/// u* of Eq. 8, with what else the projection and the transfer back need of it.
template <int D>
struct PredictedVelocity {
    LiquidForces<D> forces;
    FaceField<double, D> transferred;  ///< as it came from the particles, for FLIP
    std::vector<BallisticFace> ballistic;
    CoupledVelocities<D> coupled;  ///< empty without small bubbles
};

/// The particles' velocity on the faces, with all forces but pressure; makes the air's faces and
/// rows.
template <int D>
PredictedVelocity<D> predict_velocity(State<D>& s, const Params& p, World<D>& w,
                                      const MovedLiquid<D>& moved, SubstepGeometry<D>& geometry,
                                      LiquidFractions<D> fractions, AirBoundary<D>& air,
                                      Interval time, StepReport& report, Context& ctx) {
    PredictedVelocity<D> r;
    FaceField<std::uint8_t, D> valid;
    move_velocity_to_faces(s.liquid, moved.particles.ranges, w.domain.clamp(), p.transfer,
                           s.velocity, valid, ctx);
    extrapolate(s.velocity, valid, 2, ctx, Continuation::kEven, &geometry.open.parting);
    r.forces = densities(s, w, moved.particles.ranges, time.length(), ctx);
    if (p.transfer == Transfer::kFlip) r.transferred = s.velocity;
    const FaceField<double, D> before = s.velocity;
    apply_forces<D>(s, w, geometry, r.forces, moved.owed, time, ctx);
    if (!all_finite(s.velocity, "velocity", "transfer", report, ctx)) return r;
    r.ballistic =
        ballistic_faces(s.velocity, fractions.detached, geometry.phase, geometry.open.area, ctx);
    stop_at_walls<D>(r.ballistic, s.velocity, fractions.detached, s.liquid.position.read(),
                     moved.particles.cells, moved.solids, w.domain, ctx);
    air.faces = faces_under_tension(s, geometry, air.regions, w, ctx);
    add_rows(air, s, p, geometry, r.forces.density, r.forces.dt);
    add_viscous_stress(s, p, w, geometry, fractions.enclosed, moved.solids, air, r.forces, report,
                       ctx);
    open_parting_faces(air, geometry, s, w, moved.solids, r.forces.dt, ctx);
    if (moved.bubbles.any())
        r.coupled = couple_bubbles(s, w, moved.bubbles, before, geometry, r.forces, ctx);
    return r;
}

/// Makes the velocity divergence free and keeps the volume of each region; then finds the
/// displacement that corrects volumes. Returns the faces that got a velocity.
template <int D>
FaceField<std::uint8_t, D> project_velocity(State<D>& s, const Params& p, World<D>& w,
                                            MovedLiquid<D>& moved, GridLiquid<D>& grid,
                                            const LiquidForces<D>& forces, StepReport& report,
                                            Context& ctx) {
    PressureSolver<D> solver(w.topology);
    BodySolve<D> solved = project_with_bodies(s, p, w, grid.geometry, moved.solids, grid.air,
                                              forces, solver, report, ctx);
    if (judge_solve(s, p, w, moved.solids, grid.air, solved, report, ctx))
        s.displacement = density_correction(s, p, grid.geometry, grid.air, moved.density_error,
                                            forces, solved, solver, report, ctx);  // [KLTB21]
    return std::move(solved.valid);
}

/// The velocity beyond the liquid's surface and along solids; drops in flight and sources keep
/// theirs.
template <int D>
void continue_velocity(State<D>& s, const Params& p, const World<D>& w, const MovedLiquid<D>& moved,
                       const SubstepGeometry<D>& geometry, std::span<const BallisticFace> ballistic,
                       FaceField<std::uint8_t, D> valid, double dt, Context& ctx) {
    fix_ballistic<D>(s.velocity, valid, ballistic);
    extrapolate_velocity<D>(s.velocity, valid, layers_beyond(p), s.phi, geometry.open, moved.solids,
                            w.no_slip, w.domain, ctx, dt);
    release_from_walls<D>(s.velocity, ballistic);
    keep_sources<D>(s.velocity, geometry.source_faces);
}

/// The velocity of the liquid on the grid at the end of the substep, and of its air. Returns the
/// velocity as it came from the particles, for FLIP.
template <int D>
FaceField<double, D> update_velocity(State<D>& s, const Params& p, World<D>& w,
                                     MovedLiquid<D>& moved, GridLiquid<D> grid, Interval time,
                                     StepReport& report, Context& ctx) {
    PredictedVelocity<D> predicted =  // u* of Eq. 8
        predict_velocity<D>(s, p, w, moved, grid.geometry, std::move(grid.fractions), grid.air,
                            time, report, ctx);
    if (has_ended(report)) return {};
    FaceField<std::uint8_t, D> valid =  // Eqs. 5–8
        project_velocity(s, p, w, moved, grid, predicted.forces, report, ctx);
    if (has_ended(report)) return {};
    if (moved.bubbles.any())
        part_phases(s, w, predicted.coupled, predicted.forces, valid, ctx);
    else
        s.pressure_gradient = {};
    s.outflow = outflow_of<D>(s.velocity, grid.geometry.open.area, grid.air.faces,
                              grid.geometry.flow, w.domain);
    if (p.smoke)  // §6
        update_air_velocity(s, p, w, grid.geometry, grid.air.regions, moved.solids, valid,
                            time.length(), report, ctx);
    if (has_ended(report)) return {};
    if (p.air_particles) renew_markers(s.markers, s.phi, s.air, w.domain, ctx);
    continue_velocity<D>(s, p, w, moved, grid.geometry, predicted.ballistic, std::move(valid),
                         time.length(), ctx);
    if (moved.bubbles.any())
        answer_bubbles(s, w, moved.bubbles, predicted.coupled, time.length(), ctx);
    return std::move(predicted.transferred);
}

}  // namespace

template <int D>
StepReport step(State<D>& s, const Params& p, World<D>& w, Interval time, Context& ctx) {
    StepReport report;
    MovedLiquid<D> moved = move_and_rebuild(s, p, w, time, report, ctx);  // §4.2: regions of air
    const FaceField<double, D> transferred =                              // §4.1, Eq. 8; §6
        update_velocity(s, p, w, moved, std::move(moved.grid), time, report, ctx);
    if (has_ended(report)) return report;
    faces_to_particles(s.liquid, moved.particles.ranges, w.domain.clamp(), transferred, s.velocity,
                       p.transfer, p.flip, ctx);
    report.max_speed = std::max(max_speed(s.liquid, ctx), max_face_speed(s.velocity, ctx));
    repopulate(s, p, w, moved.particles, moved.bubbles, moved.density_error, moved.solids, ctx);
    report.events = std::move(moved.events);
    s.time = time.end;
    ++s.steps;
    if (keeps_history(p, w)) remember<D>(s.history, {s.time, s.phi, s.velocity}, w.scene);
    entrain_bubbles(s, p, w, moved.bubbles, moved.solids, time, ctx);
    return report;
}

template StepReport step<2>(State<2>&, const Params&, World<2>&, Interval, Context&);
template StepReport step<3>(State<3>&, const Params&, World<3>&, Interval, Context&);

}  // namespace spume::constraint

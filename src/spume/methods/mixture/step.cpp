// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "spume/methods/mixture/body_volume.h"
#include "spume/methods/mixture/interface_velocity.h"
#include "spume/methods/mixture/mixture.h"
#include "spume/methods/mixture/resolved_air.h"
#include "spume/methods/mixture/subgrid_damping.h"
#include "spume/methods/mixture/tension.h"
#include "spume/methods/mixture/viscosity.h"
#include "spume/methods/mixture/water_in_air.h"
#include "spume/particles/split_merge.h"
#include "spume/physics/domain/capillary_limit.h"
#include "spume/physics/domain/guard.h"
#include "spume/physics/domain/liquid_tiles.h"
#include "spume/physics/motion/contact.h"
#include "spume/physics/motion/emitter_room.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/two_fluid/project.h"

// Bubbles and water as two fluids that share space, [WSB25] Algorithm 1:
//
//   φ_b ρ_b D_b u_b / Dt = φ_b ρ_b g + d − φ_b ∇p + φ_b f^σ            Eq. 7   (particles)
//   φ_w ρ_w D_w u_w / Dt = φ_w ρ_w g − d − φ_w ∇p + φ_w f^σ            Eq. 8   (faces)
//   ∇·(φ_b u_b + φ_w u_w) = 0                                          Eq. 9
//
//   drag per bubble volume  d_q = φ_w (π μ r / V)(6 + ρ_w r |Δu| / 2μ) Δu       Eqs. 36, 37
//   surface tension         f^σ = −σ ∇·(∇φ_b / |∇φ_b|) ∇φ_b                      Eq. 5
//
// A substep moves both phases, then finds velocities at the new places by Newton iterations that
// alternate between bubbles (exact, one by one) and water (a variable-density projection).

namespace spume::mixture {
namespace {

template <int D>
void rebuild_tiles(State<D>& s, const Params& p, const World<D>& w, Context& ctx) {
    const auto wanted =
        w.scene.domain.dense
            ? std::vector<Index<D>>(s.grid.tiles->active_keys().begin(),
                                    s.grid.tiles->active_keys().end())
            : tiles_around<D>(s.bubbles.position.read(), w.domain.transform, reach_of(p.basis),
                              p.padding, storable(w.domain, reach_of(p.basis)), ctx);
    if (!s.grid.rebuild(wanted, p.patience, w.domain.transform)) return;
    Stage stage(ctx, "topology");
    s.water = carried<double, D>(s.water, s.grid.tiles, 0.0, ctx);
    s.pressure = carried<double, D>(s.pressure, s.grid.tiles, 0.0, ctx);
}

TensionLaw tension_of(const Params& p, const Scene& scene) {
    return {p.surface_tension ? scene.physics.surface_tension : 0,
            p.fraction_filter,
            p.drift_compensation,
            p.tension_on_faces,
            p.curvature_smoothing,
            p.tension_clamp};
}

template <int D>
SplitMergeRule sizes_of(const Params& p, const World<D>& w) {
    SplitMergeRule rule;
    rule.reach = 2 * w.domain.voxel();
    rule.merged_radius = p.merge_radius * w.domain.voxel();
    rule.split_radius = p.split_radius;
    rule.heaviest = w.scene.physics.water_density;
    rule.seed = w.scene.seed;
    return rule;
}

template <int D>
Coupling<D> coupling_of(const Params& p, const World<D>& w, double dt) {
    Coupling<D> c;
    c.scheme = p.scheme;
    c.drag = {w.scene.physics.water_density, w.scene.physics.viscosity, p.drag};
    c.dt = dt;
    c.compliance = p.compliance;
    c.max_fraction = p.max_fraction;
    c.binary = p.binary_fraction;
    c.gravity = w.gravity();
    return c;
}

/// The fractions, and what is made of them: where air fills voxels the projection sees ∇p, and what
/// else pushes the mixture, as it is on faces (`tension_on_faces` switches that off where Eq. 51 is
/// about something), drag fades, and faces at surfaces move as one.
template <int D>
AirOnGrid<D> find_air(Coupling<D>& c, const Params& p, const World<D>& w, const Bubbles<D>& bubbles,
                      MarkerSizes<D>& sizes, const TileRanges<D>& ranges, const CutCells<D>& open,
                      Context& ctx) {
    auto air = air_on_grid(bubbles, sizes, ranges, open, w.domain, c, ctx);
    const bool pushed = p.mixture_viscosity || tension_of(p, w.scene).coefficient > 0;
    c.resolved_air = p.resolved_air && has_resolved_air(air.mixture, ctx);
    c.on_faces = pushed ? p.tension_on_faces : c.resolved_air;
    if (!c.resolved_air) return air;
    air.mixture.fullness = fullness_around(bubbles, air.mixture, ranges, open, w.domain, ctx);
    if (sizes.known() && !c.binary)
        air.mixture.lock = lock_of(air.mixture, c.drag.water_density, open, w.domain, ctx);
    return air;
}

constexpr double kToldError = 0.02;  // of the air of a body: a user should know
constexpr double kSettled = 4;       // √(h/g): until then markers find their places

/// Nobody knows what air stands behind bubbles that no emitter made; grains pack as they like.
template <int D>
bool knows_held_air(const State<D>& s, const Coupling<D>& coupling, const World<D>& w) {
    const auto grains = [&](const Emitter& e) { return e.density > coupling.drag.water_density; };
    return coupling.max_fraction >= 1 && s.emitted > 0 &&
           std::none_of(w.scene.emitters.begin(), w.scene.emitters.end(), grains);
}

/// Bodies of air become as large on the grid as their particles say, with the rate 8 √(g/h).
template <int D>
void keep_volume(State<D>& s, World<D>& w, const AirOnGrid<D>& air, const TileRanges<D>& ranges,
                 const CutCells<D>& open, const Coupling<D>& coupling, StepReport& report,
                 Context& ctx) {
    if (!knows_held_air(s, coupling, w)) return;
    const double voxels_a_second = std::sqrt(length(w.gravity()) / w.domain.voxel());
    const double share = std::min(0.5, 8 * coupling.dt * voxels_a_second);
    const double error =
        correct_body_volume(s.bubbles, air, ranges, open, w.domain, share, w.solver, ctx);
    if (error > kToldError && s.time * voxels_a_second > kSettled)
        report.warnings.push_back(
            fmt::format("a body of air on the grid differs by {:.1f} % from the air that its "
                        "particles hold; smaller voxels would hold it better",
                        100 * error));
}

/// Both phases of a body of air, if there is any, after the last projection.
template <int D>
void settle_resolved_air(State<D>& s, const Params& p, World<D>& w,
                         const FaceField<double, D>& mixed, const AirOnGrid<D>& air,
                         const TileRanges<D>& ranges, const CutCells<D>& open,
                         const Coupling<D>& coupling, StepReport& report, Context& ctx) {
    if (!coupling.resolved_air) return;
    const MixtureFaces<D>& mixture = air.mixture;
    extrapolate_water(s.water, mixed, mixture, open, coupling, ctx);
    join_resolved_air(s.bubbles, mixed, mixture, ranges, w.domain, coupling.drag.water_density,
                      ctx);
    damp_subgrid_velocity(s.bubbles, mixture, ranges, w.domain, p.subgrid_velocity_damping, ctx);
    correct_interface_velocity(p.interface_velocity_correction, s.bubbles, mixed, mixture, open,
                               w.domain, coupling.drag.water_density, coupling.dt, ctx);
    keep_volume(s, w, air, ranges, open, coupling, report, ctx);
}

/// By their own velocity; with contacts, by what their neighbours leave of it.
template <int D>
void move_freely(State<D>& s, const Params& p, const World<D>& w, Interval time, Context& ctx) {
    if (!p.contacts) return advance(s.bubbles, time.length(), ctx);
    ContactLaw law;
    law.friction = law.solid_friction = p.friction;
    law.restitution = p.restitution;
    law.grain_density = w.scene.physics.water_density;
    advance_touching(s.bubbles, w.solids.at(time.begin), w.domain, law, time.length(), ctx);
}

/// The same, and out of the solids where they are at the end.
template <int D>
void move_bubbles(State<D>& s, const Params& p, const World<D>& w, const PlacedSolids<D>& solids,
                  Interval time, Context& ctx) {
    const auto departure =
        Departure<D>::of(w.solids.at(time.begin), s.bubbles.position, w.domain.voxel());
    move_freely(s, p, w, time, ctx);
    keep_out(s.bubbles, solids, w.domain, ctx, &departure);
}

template <int D>
ViscosityLaw<D> viscosity_of(const Params& p, const World<D>& w, const PlacedSolids<D>& solids) {
    ViscosityLaw<D> law{w.scene.physics.viscosity, p.air_viscosity, {}, {}};
    for (int a = 0; a < D; ++a) law.sticky_wall[a] = a == 1 ? p.no_slip_ends : p.no_slip_sides;
    if (std::any_of(w.scene.solids.begin(), w.scene.solids.end(),
                    [](const Solid& s) { return s.no_slip; }))
        law.sticky = [&](const Point<D>& x) {
            const auto nearest = &solids.nearest(x) - solids.placed.data();
            return w.scene.solids[std::size_t(nearest)].no_slip;
        };
    return law;
}

/// Surface tension and viscous stress on faces; no tiles: neither.
template <int D>
FaceField<double, D> stress_of(FaceField<double, D> tension, const FaceField<double, D>& viscous,
                               Context& ctx) {
    if (!tension.tiles()) return viscous;
    for (int a = 0; a < D; ++a) {
        double* f = tension.write(a);
        const double* more = viscous.read(a);
        for_values(ctx.arena, *tension.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) f[i] += more[i];
        });
    }
    return tension;
}

/// Has an emitter of bubbles been over-full? Not with the power kernel, which finds room for them,
/// nor in scenes with bodies of air.
template <int D>
bool is_over_full(const State<D>& s, const Params& p, const World<D>& w) {
    const auto body = [](const Emitter& e) {
        return e.law == RadiusLaw::kCellShare || e.law == RadiusLaw::kMarker;
    };
    return s.held_back > 0 && p.basis == Basis::kTrilinear &&
           std::none_of(w.scene.emitters.begin(), w.scene.emitters.end(), body);
}

/// Crowded air parts in the time that gravity takes across a voxel, √(h/g).
template <int D>
double spreading_rate(const State<D>& s, const Params& p, const World<D>& w) {
    return is_over_full(s, p, w) ? std::sqrt(length(w.gravity()) / w.domain.voxel()) : 0;
}

StepReport failed_step(StepReport report, const char* what, const SolveReport& solve) {
    report.failed = true;
    report.why = fmt::format("{} did not converge: {}", what, to_text(solve.end));
    return report;
}

/// Returns what the emitters have to say.
template <int D>
std::vector<std::string> emit(State<D>& s, const World<D>& w, Interval time,
                              const PlacedSolids<D>& solids, Context& ctx) {
    auto born = w.emitters.emit(s.bubbles, s.owed, time, w.domain, solids, ctx);
    s.emitted += born.volume;
    s.seeded += born.seeded;
    s.held_back = std::max(s.held_back, born.held_back);
    return std::move(born.warnings);
}

template <int D>
CellField<double, D> first_pressure(const State<D>& s, const Params& p) {
    return p.start_pressure == StartPressure::kLast ? s.pressure
                                                    : CellField<double, D>(s.grid.tiles);
}

SolverOptions solver_options(const Params& p) {
    return {.tolerance = p.pressure_tolerance, .max_iterations = p.pressure_iterations};
}

/// What a projection has left.
template <int D>
bool is_finite(State<D>& s, StepReport& report, Context& ctx) {
    return all_finite(s.pressure, "pressure", "pressure", report, ctx) &&
           all_finite(s.water, "water", "pressure", report, ctx);
}

}  // namespace

template <int D>
World<D> world_of(const Scene& scene, const Params& params, const Inputs& inputs) {
    World<D> w{scene,
               grid_domain_of<D>(scene),
               SolidSet<D>(scene.solids, inputs.meshes),
               EmitterSet<D>(scene.emitters, scene.physics.air_density, scene.seed, inputs.meshes,
                             scene.physics.water_density, params.max_fraction, scene.output.source,
                             scene.solids),
               ForceSet<D>(scene.forces, inputs.meshes),
               {}};
    w.domain.still = params.border == OpenBorder::kStill;
    return w;
}

template <int D>
State<D> init(const World<D>& w, const Params& p, Context&) {
    State<D> s;
    s.grid.tiles = w.scene.domain.dense
                       ? Tiles<D>::dense(storable(w.domain, reach_of(p.basis)), w.domain.transform)
                       : Tiles<D>::build({}, w.domain.transform);
    s.grid.idle = Array<std::int32_t>(std::size_t(s.grid.tiles->active()), 0);
    s.water = FaceField<double, D>(s.grid.tiles);
    s.pressure = CellField<double, D>(s.grid.tiles);
    return s;
}

template <int D>
double most_air(const State<D>& s, const Params& p, const World<D>& w) {
    return is_over_full(s, p, w) ? std::min(p.max_fraction, kRandomPacking) : p.max_fraction;
}

template <int D>
StepLimit max_dt(const State<D>& s, const Params& p, const World<D>& w, Context& ctx) {
    const Reach reach{"mixture", p.cfl, w.domain.voxel()};
    const Physics& matter = w.scene.physics;
    const double capillary =
        p.capillary_cfl * capillary_limit(matter.water_density + matter.air_density,
                                          w.domain.voxel(), tension_of(p, w.scene).coefficient);
    return frame_limit("mixture", w.scene.time.fps, p.min_substeps)
        .also(tension_limit(capillary, matter.surface_tension,
                            "raise mixture.capillary_cfl, or use larger voxels"))
        .also(gravity_limit(reach, length(w.gravity())))
        .also(speed_limit(reach, "bubbles", max_speed(s.bubbles, ctx)))
        .also(speed_limit(reach, "the water", max_face_speed(s.water, ctx)))
        .also(speed_limit(reach, "solids", w.solids.at(s.time).max_speed()));
}

template <int D>
StepReport step(State<D>& s, const Params& p, World<D>& w, Interval time, Context& ctx) {
    StepReport report;
    Coupling<D> coupling = coupling_of(p, w, time.length());
    const PlacedSolids<D> solids = w.solids.at(time.end);

    s.water = advected(s.water, w.domain, coupling.dt, p.advection, ctx);  // 1: §5.6
    move_bubbles(s, p, w, solids, time, ctx);
    s.left += remove_escaped(s.bubbles, w.domain, ctx, w.scene.physics.water_density);
    report.warnings = emit(s, w, time, solids, ctx);
    coupling.max_fraction = most_air(s, p, w);
    coupling.spreading = spreading_rate(s, p, w);
    if (p.split_merge) split_and_merge(s.bubbles, sizes_of(p, w), ctx);
    if (!all_finite(s.bubbles, w.domain.transform, "move", report, ctx)) return report;

    rebuild_tiles(s, p, w, ctx);
    auto ranges = sort_by_tile(s.bubbles, s.grid.tiles, ctx, w.domain.clamp());
    if (p.basis == Basis::kPower)
        settle(s.bubbles, ranges, w.domain, s.power, report.warnings, ctx);
    const auto open = cut_cells(solids, w.domain, s.grid.tiles, ctx);
    s.water_cells = open.water_cells;
    w.forces.add(s.water, s.bubbles, time, ctx);
    if (!all_finite(s.water, "water", "advect", report, ctx)) return report;

    MarkerSizes<D> sizes(s.bubbles, p.resolved_air && s.emitted > 0, w.domain.voxel(), ctx);
    const auto air = find_air(coupling, p, w, s.bubbles, sizes, ranges, open, ctx);  // 2: 30–32
    const auto& mixture = air.mixture;
    auto felt = first_pressure(s, p);  // 3: Eq. 49
    const auto law = tension_of(p, w.scene);
    auto stress = surface_tension(mixture, law, open, w.domain, ctx);  // 4: Eqs. 41–45
    if (p.mixture_viscosity) {
        const auto viscous = viscous_force(
            s.water, s.bubbles, mixture, ranges, open, w.domain, viscosity_of(p, w, solids),
            coupling, {pressure_gradient(s.pressure, open, coupling, ctx), stress},
            p.pressure_tolerance, ctx);
        if (!viscous.solve.good()) return failed_step(report, "viscosity", viscous.solve);
        stress = stress_of(std::move(stress), viscous.force, ctx);
    }
    const auto force = shared_force(stress, law, s.bubbles, mixture, ranges, w.domain, ctx);
    const auto start_water = s.water;
    const auto start_bubbles = s.bubbles.velocity;
    FaceField<double, D> mixed;
    ProjectionSystem<D> system;
    for (int n = 0; n < p.newton_iterations; ++n) {  // 5
        const auto gradient = pressure_gradient(std::exchange(felt, {}), open, coupling, ctx);
        const auto pushed =
            push_bubbles(s.bubbles, start_bubbles, s.water,               // a–c: Eqs. 21,
                         felt_by_bubbles(gradient, force, ctx), mixture,  //   35–38, 46
                         ranges, w.domain, coupling, ctx);
        if (!all_finite(s.bubbles, w.domain.transform, "bubbles", report, ctx)) return report;
        const auto forces = rasterized(pushed, s.bubbles, mixture, ranges,   // d, e: Eqs. 22, 33,
                                       w.domain, ctx);                       //   39, 40
        const auto free = predicted(start_water, s.water, forces, gradient,  // f, g: Eqs. 23, 51
                                    force, mixture, coupling, ctx);
        auto projected = project(s.water, s.pressure, free, mixture,  // h: Eqs. 47, 48
                                 open, coupling, system, w.solver, solver_options(p), ctx);
        mixed = std::move(projected.mixed);
        report.add(projected.solve);
        report.max_divergence = projected.divergence;
        report.newton_iterations = n + 1;
        report.newton_residual = pushed.largest_change;
        if (report.stopped || report.failed || !is_finite(s, report, ctx)) return report;
        felt = s.pressure;
        if (n > 0 && pushed.largest_change < p.newton_tolerance) break;
    }
    if (p.scheme == Scheme::kImplicitDrag)  // the bubbles' answer to the last projection
        push_bubbles(
            s.bubbles, start_bubbles, s.water,
            felt_by_bubbles(pressure_gradient(s.pressure, open, coupling, ctx), force, ctx),
            mixture, ranges, w.domain, coupling, ctx);
    settle_resolved_air(s, p, w, mixed, air, ranges, open, coupling, report, ctx);
    s.time = time.end;
    report.max_speed = std::max(max_speed(s.bubbles, ctx), max_face_speed(s.water, ctx));
    return report;
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template World<D> world_of<D>(const Scene&, const Params&, const Inputs&);               \
    template State<D> init<D>(const World<D>&, const Params&, Context&);                     \
    template double most_air<D>(const State<D>&, const Params&, const World<D>&);            \
    template StepLimit max_dt<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template StepReport step<D>(State<D>&, const Params&, World<D>&, Interval, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture

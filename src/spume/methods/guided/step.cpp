// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "spume/frame/bulk_with_bubbles.h"
#include "spume/methods/guided/bubble_exchange.h"
#include "spume/methods/guided/cells.h"
#include "spume/methods/guided/foam_layer.h"
#include "spume/methods/guided/guided.h"
#include "spume/methods/guided/replay.h"
#include "spume/physics/domain/guard.h"
#include "spume/physics/domain/liquid_tiles.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/two_fluid/project.h"
#include "spume/scene/bodies.h"

// Bubbles added to a bulk liquid that was simulated before and stays as it is, [WFS22] §§3–4. Water
// is simulated anew on tiles around them:
//
//   φ_b ρ_b Dv/Dt = φ_b ρ_b g + f − φ_b ∇P                    Eq. 1   (particles)
//   φ_w ρ_w Du/Dt = φ_w ρ_w g − f − φ_w ∇P                    Eq. 2   (faces)
//   ∇·(φ_w u + φ_b v) = 0                                     Eq. 3
//
// The bulk's pressure is not stored with it but follows from its motion. The unknown is what
// differs from it, and so is what advection carries:
//
//   P = p_bulk + q,   ∇p_bulk = ρ_w (g − Du_bulk/Dt),   q = 0 in pressure voxels
//   u = u_bulk + d,   ∂d/∂t + (u·∇) d + (d·∇) u_bulk = −(φ_w ∇q + f) / φ_w ρ_w
//
// Below, hydrostatic pressure stands in `Coupling` and the rest of ∇p_bulk, −ρ_w Du_bulk/Dt, is a
// force on both phases that enters as pressure does.

namespace spume::guided {
namespace {

constexpr int kReach = 1;  // cells that a bubble's weights reach beyond its own

template <int D>
void rebuild_tiles(State<D>& s, const Params& p, const World<D>& w, Context& ctx) {
    const bool alone = p.mode == Mode::kOneWay;
    const auto wanted =
        w.scene.domain.dense
            ? std::vector<Index<D>>(s.grid.tiles->active_keys().begin(),
                                    s.grid.tiles->active_keys().end())
            : tiles_around<D>(s.bubbles.position.read(), w.domain.transform, kReach,
                              alone ? 0 : p.padding, storable(w.domain, kReach), ctx);
    s.grid.rebuild(wanted, alone ? 0 : p.patience, w.domain.transform);
}

template <int D>
Coupling<D> coupling_of(const Params& p, const World<D>& w, double dt) {
    Coupling<D> c;
    c.scheme = p.scheme;
    c.drag = {w.scene.physics.water_density, w.scene.physics.viscosity, p.drag};
    c.dt = dt;
    c.compliance = p.compliance;
    c.max_fraction = p.max_fraction;
    c.gravity = w.gravity();
    return c;
}

/// By their own velocity, and out of the solids where they are at the end.
template <int D>
void move_bubbles(State<D>& s, const World<D>& w, const PlacedSolids<D>& solids, Interval time,
                  Context& ctx) {
    const auto departure =
        Departure<D>::of(w.solids.at(time.begin), s.bubbles.position, w.domain.voxel());
    advance(s.bubbles, time.length(), ctx);
    keep_out(s.bubbles, solids, w.domain, ctx, &departure);
    s.left += remove_escaped(s.bubbles, w.domain, ctx, w.scene.physics.water_density);
}

/// Returns what the emitters have to say.
template <int D>
std::vector<std::string> emit(State<D>& s, const World<D>& w, Interval time,
                              const PlacedSolids<D>& solids, Context& ctx) {
    auto born = w.emitters.emit(s.bubbles, s.owed, time, w.domain, solids, ctx);
    s.emitted += born.volume;
    s.seeded += born.seeded;
    return std::move(born.warnings);
}

/// φ_b in cells before the bubbles move; nothing where the bulk makes none.
template <int D>
CellField<double, D> air_fraction(State<D>& s, const World<D>& w, const Coupling<D>& coupling,
                                  Context& ctx) {
    if (!w.entrainment) return {};
    const auto ranges = sort_by_tile(s.bubbles, s.grid.tiles, ctx, w.domain.clamp());
    return fraction_in_cells(rasterized(s.bubbles, ranges, w.domain, coupling, ctx).unclamped, ctx);
}

/// Bubbles that the bulk entrains, [WFS22] §5, which move with it. Returns what is to be said.
template <int D>
std::vector<std::string> entrain_air(State<D>& s, const World<D>& w,
                                     const CellField<double, D>& fraction, Interval time,
                                     const PlacedSolids<D>& solids, Context& ctx) {
    if (!w.entrainment) return {};
    auto born = entrain(s.bubbles, fraction, *w.bulk, solids, *w.entrainment, time, ctx);
    s.emitted += born.volume;
    s.seeded += born.volume;
    s.left += remove_in_kill_zones(s.bubbles, *w.entrainment, ctx);
    return std::move(born.warnings);
}

/// Bubbles move, and new ones come. Returns what is to be said.
template <int D>
std::vector<std::string> move_and_make_bubbles(State<D>& s, const World<D>& w,
                                               const CellField<double, D>& fraction,
                                               const PlacedSolids<D>& solids, Interval time,
                                               Context& ctx) {
    move_bubbles(s, w, solids, time, ctx);
    auto words = entrain_air(s, w, fraction, time, solids, ctx);  // §5
    for (std::string& more : emit(s, w, time, solids, ctx)) words.push_back(std::move(more));
    return words;
}

/// to + factor · from.
template <int D>
FaceField<double, D> sum_of(FaceField<double, D> to, double factor,
                            const FaceField<double, D>& from, Context& ctx) {
    for (int a = 0; a < D; ++a) {
        double* out = to.write(a);
        const double* in = from.read(a);
        for_values(ctx.arena, *to.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) out[i] += factor * in[i];
        });
    }
    return to;
}

/// −∇(p_bulk − hydrostatic) = ρ_w Du_bulk/Dt as the parts of an iteration meet it: on faces, as
/// pressure.
template <int D>
MixtureForce<D> dynamic_pressure(const FaceField<double, D>& acceleration, double density,
                                 Context& ctx) {
    const auto force =
        sum_of(FaceField<double, D>(acceleration.tiles()), density, acceleration, ctx);
    return {force, force, force};
}

template <int D>
void tell_net_flux(State<D>& s, const GuidedCells<D>& cells, StepReport& report) {
    s.net_flux = cells.largest_net_flux;
    if (s.net_flux > 1e-3)
        report.warnings.push_back(fmt::format(
            "the bulk flows into a part of the simulated water that is closed above and below at "
            "{:.2g} % of its volume a second; the flux was spread over its border",
            100 * s.net_flux));
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

/// Newton iterations of [WFS22] Fig. 4 at fixed places; false when the report says why not.
template <int D>
bool couple(State<D>& s, const Params& p, World<D>& w, const TileRanges<D>& ranges,
            const GuidedCells<D>& cells, const FaceField<double, D>& acceleration,
            const Coupling<D>& coupling, StepReport& report, Context& ctx) {
    const CutCells<D>& open = cells.open;
    const auto mixture = rasterized(s.bubbles, ranges, w.domain, coupling, ctx);  // 3: Eq. 9
    const auto force = dynamic_pressure(acceleration, coupling.drag.water_density, ctx);
    const auto start_water = sum_of(s.water, -coupling.dt, acceleration, ctx);
    const auto start_bubbles = s.bubbles.velocity;
    CellField<double, D> felt(s.grid.tiles);
    ProjectionSystem<D> system;
    for (int n = 0; n < p.newton_iterations; ++n) {
        const auto gradient = pressure_gradient(std::exchange(felt, {}), open, coupling, ctx);
        const auto pushed =
            push_bubbles(s.bubbles, start_bubbles, s.water,               // A–C: Eqs. 12, 13,
                         felt_by_bubbles(gradient, force, ctx), mixture,  //   §3.3.2
                         ranges, w.domain, coupling, ctx);
        if (!all_finite(s.bubbles, w.domain.transform, "bubbles", report, ctx)) return false;
        const auto forces = rasterized(pushed, s.bubbles, mixture, ranges,  // D, E: Eqs. 10, 11
                                       w.domain, ctx);
        auto free = predicted(start_water, s.water, forces, gradient,  // F: Eqs. 14, 22
                              force, mixture, coupling, ctx);
        free.divergence = cells.divergence;
        const auto projected = project(s.water, s.pressure, free, mixture, open,  // G: Eqs. 23–26
                                       coupling, system, w.solver, solver_options(p), ctx);
        report.add(projected.solve);
        report.max_divergence = projected.divergence;
        report.newton_iterations = n + 1;
        report.newton_residual = pushed.largest_change;
        if (report.stopped || report.failed || !is_finite(s, report, ctx)) return false;
        felt = s.pressure;
        if (n > 0 && pushed.largest_change < p.newton_tolerance) break;
    }
    if (p.scheme == Scheme::kImplicitDrag)  // the bubbles' answer to the last projection
        push_bubbles(
            s.bubbles, start_bubbles, s.water,
            felt_by_bubbles(pressure_gradient(s.pressure, open, coupling, ctx), force, ctx),
            mixture, ranges, w.domain, coupling, ctx);
    return true;
}

/// Bubbles in the bulk as it is: they feel its drag and its pressure, it does not feel them.
template <int D>
void drift(State<D>& s, World<D>& w, const TileRanges<D>& ranges,
           const FaceField<double, D>& acceleration, const Coupling<D>& coupling, Context& ctx) {
    const double density = coupling.drag.water_density;
    auto gradient = FaceField<double, D>(s.grid.tiles);
    for (int a = 0; a < D; ++a)
        gradient.component(a) =
            tile_values<double, D>(*s.grid.tiles, coupling.hydrostatic_gradient()[a]);
    push_one_way(s.bubbles, s.water, sum_of(std::move(gradient), -density, acceleration, ctx),
                 ranges, w.domain, coupling, ctx);
}

}  // namespace

template <int D>
int World<D>::down() const {
    const Vec<double, D> g = gravity();
    int axis = 1;
    for (int a = 0; a < D; ++a)
        if (std::abs(g[a]) > std::abs(g[axis])) axis = a;
    return axis;
}

template <int D>
World<D> world_of(const Scene& scene, const Params& params, const Inputs& inputs) {
    World<D> w{scene,
               bulk_of<D>(scene, inputs),
               grid_domain_of<D>(scene),
               SolidSet<D>(scene.solids, inputs.meshes),
               EmitterSet<D>(scene.emitters, scene.physics.air_density, scene.seed, inputs.meshes,
                             scene.physics.water_density, params.max_fraction, scene.output.source,
                             scene.solids),
               {},
               ForceSet<D>(scene.forces, inputs.meshes),
               {},
               {},
               {},
               {},
               params.cfl,
               nullptr};
    if (scene.foam.on)
        for (const FoamPatch& patch : scene.foam.patches)
            w.patches.push_back(placed<D>(patch.shape, inputs.meshes));
    if (const auto bubbles = bubbles_beside(inputs.bulk.get()); bubbles && scene.foam.on)
        w.cached = std::make_shared<CachedBubbles<D>>(bubbles, scene);
    if (scene.emission.on && !w.cached) w.entrainment = entrain_law<D>(scene, inputs.meshes);
    alignment(w.domain.transform, w.bulk->transform());
    return w;
}

template <int D>
State<D> init(const World<D>& w, const Params&, Context& ctx) {
    State<D> s;
    s.grid.tiles = w.scene.domain.dense
                       ? Tiles<D>::dense(storable(w.domain, kReach), w.domain.transform)
                       : Tiles<D>::build({}, w.domain.transform);
    s.grid.idle = Array<std::int32_t>(std::size_t(s.grid.tiles->active()), 0);
    s.water = w.bulk->on(s.grid.tiles, s.time, ctx).velocity;
    s.pressure = CellField<double, D>(s.grid.tiles);
    if (w.cached) s.bubbles.next_id = kFirstOwnId;
    first_foam(s, w, ctx);
    return s;
}

template <int D>
StepLimit max_dt(const State<D>& s, const Params& p, const World<D>& w, Context& ctx) {
    const Reach reach{"guided", p.cfl, w.domain.voxel()};
    return frame_limit("guided", w.scene.time.fps, p.min_substeps)
        .also(gravity_limit(reach, length(w.gravity())))
        .also(speed_limit(reach, "bubbles", max_speed(s.bubbles, ctx)))
        .also(speed_limit(reach, "the water", max_face_speed(s.water, ctx)))
        .also(foam_max_dt(s, w, reach, ctx))
        .also(speed_limit(reach, "solids", w.solids.at(s.time).max_speed()));
}

template <int D>
StepReport step(State<D>& s, const Params& p, World<D>& w, Interval time, Context& ctx) {
    StepReport report;
    const bool replays = w.cached != nullptr;
    const bool two_way = p.mode == Mode::kGuided && !replays;
    const Coupling<D> coupling = coupling_of(p, w, time.length());
    const PlacedSolids<D> solids = w.solids.at(time.end);
    const auto fraction = air_fraction(s, w, coupling, ctx);

    FaceField<double, D> deviation;
    if (two_way)  // 1: the water
        deviation = moved_deviation(s.water, w.bulk_at(s.grid.tiles, time.begin, ctx), w.domain,
                                    coupling.dt, p.advection, ctx);
    const std::uint64_t first_new = s.bubbles.next_id;
    if (replays)
        replay_bubbles(s, w, solids, time, ctx);
    else
        report.warnings = move_and_make_bubbles(s, w, fraction, solids, time, ctx);  // 2, §5
    if (!all_finite(s.bubbles, w.domain.transform, "move", report, ctx)) return report;

    move_foam(s, w, solids, time, report, ctx);  // §6
    if (report.failed) return report;
    rebuild_tiles(s, p, w, ctx);  // §4
    const auto before = w.bulk_at(s.grid.tiles, time.begin, ctx);
    const auto now = w.bulk_at(s.grid.tiles, time.end, ctx);
    const auto names = s.bubbles.id;
    surface_bubbles(s, w, now.phi, solids, time, ctx);  // §7
    if (replays) remember_taken(s, names);
    const auto acceleration =
        material_acceleration(before, now, coupling.dt, p.acceleration_limit, ctx);
    s.pressure = carried<double, D>(s.pressure, s.grid.tiles, 0.0, ctx);
    s.water = now.velocity;
    if (two_way)
        s.water = sum_of(s.water, 1, carried<double, D>(deviation, s.grid.tiles, 0.0, ctx), ctx);
    const auto ranges = sort_by_tile(s.bubbles, s.grid.tiles, ctx, w.domain.clamp());
    const auto told = s.bubbles.velocity;
    join_liquid(s.bubbles, {first_new, s.bubbles.next_id}, s.water, ranges, w.domain, ctx);
    w.forces.add(s.water, s.bubbles, time, ctx);
    if (!all_finite(s.water, "water", "advect", report, ctx)) return report;

    if (two_way) {
        const auto cells = guided_cells(cut_cells(solids, w.domain, s.grid.tiles, ctx), now,
                                        p.border, w.down(), ctx);
        s.water_cells = cells.open.water_cells;
        tell_net_flux(s, cells, report);
        if (!couple(s, p, w, ranges, cells, acceleration, coupling, report, ctx)) return report;
    } else {
        drift(s, w, ranges, acceleration, coupling, ctx);
        if (replays) restore_velocities(s, told, ctx);
    }
    s.time = time.end;
    report.max_speed = std::max(max_speed(s.bubbles, ctx), max_face_speed(s.water, ctx));
    return report;
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template struct World<D>;                                                                \
    template World<D> world_of<D>(const Scene&, const Params&, const Inputs&);               \
    template State<D> init<D>(const World<D>&, const Params&, Context&);                     \
    template StepLimit max_dt<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template StepReport step<D>(State<D>&, const Params&, World<D>&, Interval, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::guided

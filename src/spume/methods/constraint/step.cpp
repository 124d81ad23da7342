// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/methods/constraint/air.h"
#include "spume/methods/constraint/bodies.h"
#include "spume/methods/constraint/constraint.h"
#include "spume/methods/constraint/ground.h"
#include "spume/methods/constraint/viscous.h"
#include "spume/methods/constraint/volume.h"
#include "spume/physics/advect.h"
#include "spume/physics/air_markers.h"
#include "spume/physics/capillary.h"
#include "spume/physics/flight.h"
#include "spume/physics/guard.h"
#include "spume/physics/move_bubbles.h"
#include "spume/physics/move_liquid.h"
#include "spume/physics/small_bubbles.h"
#include "spume/physics/wall_velocity.h"
#include "spume/surface/curvature.h"
#include "spume/surface/extrapolate.h"

// A liquid of particles with a free surface, whose trapped air keeps its volume [GB17]:
//
//   ρ ∂u/∂t = −∇p − ∇B(u)ᵀ λ,   ∇·u = 0,   B_i(u) = ∫ over the surface of air region i of u·n = 0
//   Eq. 3
//
//   ( D M⁻¹ Dᵀ   D M⁻¹ Bᵀ ) ( p )   (  D u*           )
//   ( B M⁻¹ Dᵀ   B M⁻¹ Bᵀ ) ( λ ) = (  B u* − b_solid ) Eq. 8
//
// λ is the pressure of the region; it is eliminated row by row (physics/bubble_pressure.h). A
// substep moves the particles, lays a surface around them, and projects their velocity on the grid.

namespace spume::constraint {
namespace {

/// How many layers of faces beyond the liquid a particle may reach in a substep.
int layers_beyond(const Params& p) { return static_cast<int>(std::ceil(p.cfl)) + 2; }

/// Nine tenths of an error in volume are gone after five substeps of this size, [KLLJR07] §4.
double correction_rate(double dt) { return 2.3 / (5 * dt); }

/// Relative error, limited so that a wrong measure cannot blow anything up.
double limited_error(double target, double now) {
    return now > 0 ? std::clamp((target - now) / now, -0.05, 0.05) : 0.0;
}

/// How much the liquid has to grow in a substep, as a share of its volume: nine tenths of an error
/// in five substeps, and what steady losses have taken before. A proportional and an integral
/// term, critically damped, [KLLJR07] §4; they take more substeps.
double leading_back(double target, double now, double& held) {
    const double lead = 0.37, error = limited_error(target, now);
    held = std::clamp(held + lead * lead / 4 * error, -0.01, 0.01);
    return lead * error + held;
}

/// Leads regions back to the volumes they should have, none by more than a tenth of a voxel
/// over its surface in a substep: the air may have to pass a narrow neck.
template <int D>
void correct_drift(std::vector<RegionRow>& rows, const std::vector<AirBubble>& air,
                   const std::vector<RegionMeasure>& laid, std::span<const SurfaceFace> faces,
                   const FaceField<float, D>& area, VolumeCorrection how, double dt) {
    if (how == VolumeCorrection::kOff) return;
    const double h = area.tiles()->voxel();
    std::vector<double> layer(rows.size(), 0.0);  // volume of a layer one voxel thick
    for (const SurfaceFace& f : faces)
        if (f.region >= 0)
            layer[std::size_t(f.region)] +=
                double(area.read(f.axis())[f.face]) * (D == 2 ? h * h : h * h * h);
    double volume = 0, rest = 0;
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (!air[k].outside) volume += laid[k].volume, rest += air[k].rest;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!rows[k].constrained) continue;
        const double lacks = how == VolumeCorrection::kGlobal
                                 ? limited_error(rest, volume) * laid[k].volume
                                 : air[k].rest - laid[k].volume;
        const double most = 0.1 * layer[k] / dt;
        rows[k].growth = std::clamp(correction_rate(dt) * lacks, -most, most);
    }
}

/// p V^γ = const, linear about the volume at the begin of the substep. Such rows are never
/// redundant: the spring makes each definite.
template <int D>
void make_compressible(std::vector<RegionRow>& rows, const AirRegions<D>& regions,
                       const std::vector<AirBubble>& air, const Params& p) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (regions.regions[k].outside || !(air[k].volume > 0)) continue;
        const double pressure =
            p.atmosphere * math::pow(air[k].rest / air[k].volume, p.gas_exponent);
        rows[k] = {true, 0, p.gas_exponent * pressure / air[k].volume, pressure - p.atmosphere};
    }
}

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

template <int D>
void follow_air(State<D>& s, const Params& p, const World<D>& w, const AirRegions<D>& regions,
                const Ground<D>& ground, const FaceField<double, D>& carrier, Interval time,
                std::vector<BubbleEvent>& events, Context& ctx) {
    const auto lost = follow(s.air, regions, ground.sizes_of(regions, s.phi, ctx), carrier,
                             w.basin.clamp(), time, events, ctx);
    if (!p.small_bubbles) return rise_at_once<D>(lost, s.air, ground.phase, w.gravity(), events);
    for (BubbleEvent& e : events)
        if (e.kind == BubbleEvent::kLoss) e.kind = BubbleEvent::kHandOver;
    s.air.lost -= hand_over<D>(s.small, lost, w.scene.physics.air_density, ctx);
    rejoin(s.small, s.air, w.basin.transform, ctx);
}

template <int D>
std::vector<SurfaceFace> faces_under_tension(const State<D>& s, const Ground<D>& ground,
                                             const AirRegions<D>& regions, double tension,
                                             Context& ctx) {
    const auto curvature = tension > 0 ? curvature_of(s.phi, ctx) : CellField<double, D>();
    return surface_faces<D>(s.phi, ground.phase, ground.open.area, regions.label, curvature,
                            tension, ctx);
}

/// Largest difference between how fast a region of fixed volume grows and how fast it should.
template <int D>
double largest_region_error(const std::vector<RegionRow>& rows, const BodySolve<D>& solved,
                            double cell) {
    double most = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!rows[k].constrained || rows[k].stiffness > 0) continue;
        const double by_solids = solved.solid_flux.empty() ? 0 : solved.solid_flux[k] * cell;
        most = std::max(most, std::abs(by_solids - solved.solve.flux[k] - rows[k].growth));
    }
    return most;
}

/// A closed compartment whose solids change its volume has no incompressible answer: the region
/// that was left out gives way, by more than the volume corrections and the rounding of open areas
/// explain: a solid inside the air takes in front what it leaves behind. `face_flux` is what the
/// fastest solid could move through a face.
template <int D>
void warn_of_squeezing(const std::vector<RegionRow>& rows, const BodySolve<D>& solved,
                       std::span<const int> dropped, double liquid_growth, double cell,
                       double face_flux, StepReport& report) {
    if (solved.solid_flux.empty()) return;
    double explained = std::abs(liquid_growth) + 0.01 * face_flux;
    for (std::size_t k = 0; k < rows.size(); ++k)
        explained += std::abs(rows[k].growth) + 0.01 * std::abs(solved.solid_flux[k]) * cell;
    for (const int k : dropped) {
        const double change =
            solved.solid_flux[std::size_t(k)] * cell - solved.solve.flux[std::size_t(k)];
        if (std::abs(change) > 2 * explained)
            report.warnings.push_back(fmt::format(
                "moving solids change the air of a closed compartment by {:.3g} m^{}/s; "
                "one of its regions gives way",
                change, D));
    }
}

/// Air with a spring has a pressure of its own; other trapped air has one over its neighbours.
template <int D>
void report_pressures(std::vector<AirBubble>& air, const AirRegions<D>& regions,
                      const std::vector<double>& pressure, const Params& p) {
    if (p.bubbles != BubbleMode::kCompressible) return set_pressures<D>(air, regions, pressure);
    for (std::size_t k = 0; k < air.size(); ++k) air[k].pressure = pressure[k];
}

/// What a scene's author will want to know at once.
template <int D>
void warn_of_emptiness(const State<D>& s, const World<D>& w, const Bodies<D>& solids, double time,
                       StepReport& report) {
    if (s.steps > 0) return;
    for (const std::string& name : w.liquids.blocked_sources(w.basin, solids))
        report.warnings.push_back(
            fmt::format("the source \"{}\" lies inside solids: nothing flows from it", name));
    if (s.liquid.size() == 0 && !w.liquids.has_flow(time))
        report.warnings.push_back("there is no liquid");
}

/// Liquid that fills a closed space cannot give way to a solid at all: no answer exists.
template <int D>
void refuse_crushing(const BubbleSolve& solved, const Bodies<D>& solids, double growth,
                     StepReport& report) {
    if (solved.solve.null_spaces == 0 || solved.solve.removed < 1e-3 || !(solids.max_speed() > 0))
        return;
    if (solved.divergence < 1e-6 + 1.01 * std::abs(growth)) return;
    report.failed = true;
    report.why = fmt::format(
        "solids press on liquid that fills a closed space: {:.2g} of a cell's volume in one "
        "substep has nowhere to go",
        solved.divergence);
}

}  // namespace

template <int D>
World<D> world_of(const Scene& scene, const Params&, const Inputs& inputs) {
    World<D> w{scene,
               basin_of<D>(scene),
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
    const Bodies<D> solids = solids_at<D>(w, s.rigid, 0);
    s.liquid = w.liquids.seed(w.basin, solids, ctx);
    s.grid.tiles = w.scene.domain.dense ? Tiles<D>::dense(storable(w.basin), w.basin.transform)
                                        : Tiles<D>::build({}, w.basin.transform);
    s.grid.idle = Array<std::int32_t>(std::size_t(s.grid.tiles->active()), 0);
    s.velocity = FaceField<double, D>(s.grid.tiles);
    s.pressure = CellField<double, D>(s.grid.tiles);
    if (p.air_particles) s.markers = in_hollows(w, solids);
    fit_to_scene(s, p, w, solids, ctx);
    const Ground<D> ground = ground_of(s, p, w, solids, 0, ctx);
    s.target_volume = s.volume;
    FaceField<std::uint8_t, D> known;
    particles_to_faces(s.liquid, ground.ranges, w.basin.clamp(), p.transfer, s.velocity, known,
                       ctx);
    extrapolate(s.velocity, known, layers_beyond(p), ctx);
    if (p.bubbles != BubbleMode::kOff) {
        std::vector<BubbleEvent> ignored;
        const auto regions = regions_of(ground, w, solids, ctx);
        follow(s.air, regions, ground.sizes_of(regions, s.phi, ctx), s.velocity, w.basin.clamp(),
               {0, 0}, ignored, ctx);
        if (p.air_particles) renew_markers(s.markers, s.phi, s.air, w.basin, ctx);
    }
    if (p.smoke) s.smoke = in_hollows(w, solids);
    return s;
}

template <int D>
double max_dt(const State<D>& s, const Params& p, const World<D>& w, Context& ctx) {
    const double reach = p.cfl * w.basin.voxel(), g = length(w.gravity());
    const double speed =
        std::max({max_speed(s.liquid, ctx), solids_at<D>(w, s.rigid, s.time).max_speed(), 1e-300});
    const double by_gravity = g > 0 ? std::sqrt(2 * reach / g) : 1e9;
    const double by_tension = capillary_limit(w.scene.physics.water_density * w.liquids.lightest(),
                                              w.basin.voxel(), w.scene.physics.surface_tension);
    return std::min(
        {reach / speed, by_gravity, by_tension, 1 / (w.scene.time.fps * p.min_substeps)});
}

template <int D>
StepReport step(State<D>& s, const Params& p, World<D>& w, Interval time, Context& ctx) {
    StepReport report;
    const double dt = time.length();
    const Clamp<D> clamp = w.basin.clamp();

    const TileRanges<D> ranges = keep_populated(s, p, w, ctx);
    Bodies<D> solids = moved_solids(s, w, time);
    advance(s.liquid, ranges, s.velocity, clamp, dt, ctx);
    push_out(s.liquid, solids, w.basin, ctx);
    advance_air(s, w, solids, dt, ctx);
    carry(s.small, s.velocity, solids, w.basin, w.gravity(), w.drag(), w.scene.physics.air_density,
          dt, ctx);
    const auto came = let_in_and_out(s, w, solids, time, ctx);
    warn_of_emptiness(s, w, solids, time.end, report);
    FaceField<double, D> carrier = s.velocity;
    const double volume_before = s.volume;
    Ground<D> ground = ground_of(s, p, w, solids, time.end, ctx);
    s.target_volume += came.net_volume(volume_before, s.volume);
    keep_volumes(s, ground, p, w, solids, carrier, time, ctx);

    FaceField<std::uint8_t, D> known;
    particles_to_faces(s.liquid, ground.ranges, clamp, p.transfer, s.velocity, known, ctx);
    extrapolate(s.velocity, known, 2, ctx);
    LiquidForces<D> forces{dt, w.scene.physics.water_density};
    if (w.liquids.several_densities())
        forces.lightness = lightness_of(s.liquid, ground.ranges, clamp, ctx);
    const auto before = p.transfer == Transfer::kFlip ? s.velocity : FaceField<double, D>();
    add_gravity(s.velocity, w.gravity(), dt, ctx);
    add_forces(s.velocity, w.forces, time, ctx);
    lift(s.velocity, s.small, w.gravity(), w.drag(), w.scene.physics.air_density, dt, ctx);
    if (!all_finite(s.velocity, "velocity", "transfer", report, ctx)) return report;

    const auto regions = regions_of(ground, w, solids, ctx);
    std::vector<BubbleEvent> events;
    if (p.bubbles != BubbleMode::kOff)  // §4.2
        follow_air(s, p, w, regions, ground, carrier, time, events, ctx);
    const auto laid = ground.laid_sizes_of(regions, s.phi, ctx);
    const auto flight =
        faces_in_flight(s.velocity, ground.filling.loose, ground.phase, ground.open.area, ctx);
    carrier = {};  // what follows needs its memory
    const auto faces =
        faces_under_tension(s, ground, regions, w.scene.physics.surface_tension, ctx);
    std::vector<int> dropped;
    auto rows =
        constrained_rows(regions, std::span<const SurfaceFace>(faces), ground.open.area, dropped);
    if (p.bubbles == BubbleMode::kOff) rows.assign(rows.size(), {});
    if (p.bubbles == BubbleMode::kConstrained)
        correct_drift<D>(rows, s.air.bubbles, laid, faces, ground.open.area, p.bubble_correction,
                         dt);
    if (p.bubbles == BubbleMode::kCompressible) make_compressible(rows, regions, s.air.bubbles, p);
    if (p.liquid_correction) {
        // Of what the surface encloses: the liquid and the small bubbles in it.
        const double target = s.target_volume + total_volume(s.small, ctx);
        forces.growth = leading_back(target, ground.laid_volume, s.held_growth) / dt;
    }
    // Liquid without any surface can neither grow nor shrink.
    if (faces.empty()) forces.growth = 0;
    add_viscous_stress<D>(s, p, w, ground, solids, regions, faces, rows, forces, report, ctx);
    ground.filling = {};
    if (report.stopped || report.failed) return report;
    const auto solved =  // Eqs. 5–8
        project_with_bodies(s, p, w, ground, solids, regions, faces, rows, forces, known, time,
                            report, ctx);
    report.max_region_error = largest_region_error<D>(rows, solved, w.basin.cell_volume());
    if (p.bubbles == BubbleMode::kConstrained)
        warn_of_squeezing<D>(rows, solved, dropped, forces.growth * s.volume, w.basin.cell_volume(),
                             solids.max_speed() * w.basin.cell_volume() / w.basin.voxel(), report);
    refuse_crushing(solved.solve, solids, forces.growth * dt, report);
    if (report.stopped || report.failed) return report;
    if (!all_finite(s.pressure, "pressure", "pressure", report, ctx) ||
        !all_finite(s.velocity, "velocity", "pressure", report, ctx))
        return report;
    report_pressures(s.air.bubbles, regions, solved.solve.pressure, p);

    if (p.smoke) flow_of_air(s, p, w, ground, regions, solids, known, dt, report, ctx);
    if (report.stopped || report.failed) return report;
    if (p.air_particles) renew_markers(s.markers, s.phi, s.air, w.basin, ctx);
    let_fly<D>(s.velocity, known, flight);
    extrapolate(s.velocity, known, layers_beyond(p), ctx);
    follow_walls(s.velocity, ground.open, solids, w.no_slip, w.basin, ctx);
    let_part<D>(s.velocity, flight);
    faces_to_particles(s.liquid, ground.ranges, clamp, before, s.velocity, p.transfer, p.flip, ctx);
    for (const BubbleEvent& e : events) report.events.push_back(to_json(e));
    s.time = time.end;
    ++s.steps;
    report.max_speed = std::max(max_speed(s.liquid, ctx), max_face_speed(s.velocity, ctx));
    return report;
}

#define SPUME_INSTANTIATE(D)                                                              \
    template World<D> world_of<D>(const Scene&, const Params&, const Inputs&);            \
    template State<D> init<D>(const World<D>&, const Params&, Context&);                  \
    template double max_dt<D>(const State<D>&, const Params&, const World<D>&, Context&); \
    template StepReport step<D>(State<D>&, const Params&, World<D>&, Interval, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

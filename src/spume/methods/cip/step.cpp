// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/grid/dense_tiles.h"
#include "spume/methods/cip/flow.h"
#include "spume/methods/cip/fragments.h"
#include "spume/physics/motion/cip_mixed.h"
#include "spume/surface/dense_level_set.h"
#include "spume/surface/level_set.h"
#include "spume/surface/redistance.h"

namespace spume::cip {

// One substep, [SSK05] §3, with φ < 0 in water:
//
//   φ ← φ(X), ∇φ ← Jᵀ∇φ(X)                               X: back-traced        Eqs. 3–6
//   |∇φ| ← 1 now and then                                                       Eqs. 18–19
//   drops and bubbles found                                                     §5.1, Eq. 14
//   u ← u(X), ∇u ← Jᵀ∇u(X)                               water and air each their own
//   ρ (u − u*) = Δt ∇·(2μD(u))                                                  §4.3
//   u ← u + Δt (g + σκ∇H/ρ)                                                     Eqs. 7–9
//   ∇·(∇p/ρ) = ∇·u/Δt, u ← u − Δt∇p/ρ                                          Eqs. 10–13
//   drops and bubbles moved and given back                                      §5, Eqs. 16–17
//   φ ← φ − ΔV/S                                                                Eqs. 20–22
//   ∇u ← ∇u + ∇(u − u after advection)

namespace {

/// Tells the onlooker, if there is one, that a part begins: the one before it is done.
template <int D>
void begin(Part part, const World<D>& w, State<D>& s) {
    if (w.onlooker) w.onlooker(part, s);
}

/// φ by the tiled solver, which goes outwards from the surface.
template <int D>
void redistance_by_sweep(DenseField<double, D>& phi, const World<D>& w, Context& context) {
    LevelSet<D> level(w.tiles, 1e6);
    const Index<D>& lower = w.domain.cells.lo;
    dense_to_tiles(phi, level.write(), *w.tiles, lower, context);
    for (double& x : level.values().write()) x *= w.voxel();
    const LevelSet<D> distances = redistanced<double, D>(level, kBand * w.voxel(), context);
    DenseField<double, D> r = phi;
    tiles_to_dense(distances.read(), r, *w.tiles, lower, context);
    double* f = phi.write();
    for_rows(context.arena, phi.shape, [&](const Index<D>&, std::size_t at, int count) {
        for (std::size_t i = at; i < at + std::size_t(count); ++i) f[i] = r.values[i] / w.voxel();
    });
}

template <int D>
void renew_distance(State<D>& s, const Params& p, const World<D>& w, Context& context) {
    if (p.redistance == Redistance::kOff || p.advection == Scheme::kMarkers) return;
    if ((s.steps + 1) % std::uint64_t(p.redistance_every) != 0) return;
    begin(Part::kRedistance, w, s);
    const DenseField<double, D> before = s.phi.f;
    if (p.redistance == Redistance::kEquation)
        redistance(s.phi.f, kBand, 2 * int(kBand), context);
    else
        redistance_by_sweep(s.phi.f, w, context);
    // Beyond the band the level set is flat: no edge between what is renewed and what is not.
    for (double& phi : s.phi.f.values.write()) phi = std::clamp(phi, -kBand, kBand);
    follow_change(s.phi, before, context);
    if (has_mixed(s.phi)) make_room_for_mixed(s.phi);
}

/// Water that the grid should hold, m³ (2D: m²), [SSK05] Eq. 20: what there is, less drops, and
/// more by bubbles, whose cells are water on the grid.
template <int D>
double water_of_grid(const State<D>& s) {
    return s.target_volume - fragment_volume(s.fragments, kDrop) +
           fragment_volume(s.fragments, kBubble) + fragment_volume(s.fragments, kFoam);
}

/// The level set at the end of the substep; returns it as the flow left it, if markers ask.
template <int D>
DenseField<double, D> move_surface(State<D>& s, const Params& p, const World<D>& w,
                                   const SolidGeometry<D>& solids, double dt, Context& context) {
    begin(Part::kMoveSurface, w, s);
    const CipField<double, D> before = s.phi;
    const Feet<double, D> feet = carry_surface(s, w, p, dt, context);
    continue_into_solids(s.phi, w, solids.bodies, context);
    if (has_ink(s)) carry_ink(s, feet, p, context);
    if (p.fragments) {
        const double lost = s.volume / w.domain.cell_volume() -
                            water_size(s.phi, solids.dense, p.smearing, context).volume;
        rescue_unreferred(s, before, feet, lost, solids.dense, w, p, dt, context);
    }
    renew_distance(s, p, w, context);
    DenseField<double, D> by_flow = s.markers.size() > 0 ? s.phi.f : DenseField<double, D>();
    if (!p.fragments) return by_flow;
    begin(Part::kFindFragments, w, s);
    find_fragments(s, solids.dense, w, p, context);
    return by_flow;
}

/// [SSK05] Eqs. 20–22.
template <int D>
void keep_volume(State<D>& s, const Params& p, const World<D>& w, const SolidGeometry<D>& solids,
                 Context& context) {
    const double cell = w.domain.cell_volume();
    if (!p.compensation) {
        s.volume = cell * water_size(s.phi, solids.dense, p.smearing, context).volume;
        return;
    }
    s.volume = cell * compensate(s.phi, solids.dense, p.smearing, water_of_grid(s) / cell, context);
}

template <int D>
bool finite(const State<D>& s, StepReport& report, Context& context) {
    const double speed = max_speed(s, context);
    report.max_speed = speed;
    if (std::isfinite(speed) && std::isfinite(s.volume)) return true;
    report.failed = true;
    report.why = "the velocity is not finite";
    return false;
}

}  // namespace

template <int D>
StepReport step(State<D>& s, const Params& p, World<D>& w, Interval time, Context& context) {
    StepReport report;
    const double dt = time.length();
    SolidGeometry<D> solids = solid_geometry(
        w, move_bodies<D>(s.rigid, w.rigid, w.solids, w.domain, w.gravity(), w.forces, time),
        context);
    const CipField<double, D> phi_before = s.phi;
    const DenseField<double, D> carried_phi = move_surface(s, p, w, solids, dt, context);
    begin(Part::kMoveVelocity, w, s);
    const Phases<D> phases = phases_of(s.phi, w, p, context);
    advect_velocity(s, phi_before, phases, w, p, dt, context);
    begin(Part::kViscosity, w, s);
    DenseField<double, D> carried[D];
    for (int a = 0; a < D; ++a) carried[a] = s.velocity[a].f;
    const SolveReport viscous = add_viscosity(s, phases, solids.dense, w, p, dt, context);
    // After viscosity, not before as in [SSK05]: what pressure will balance must not diffuse.
    begin(Part::kForces, w, s);
    add_forces(s, phases, solids.dense, w, p, time, context);
    begin(Part::kProject, w, s);
    const SolveReport pressure =
        project_with_bodies(s, phases, solids, w, p, dt, report.max_divergence, context);
    report.add(pressure);
    begin(Part::kMoveFragments, w, s);
    move_fragments(s, phases, w, p, solids, dt, context);
    restitute(s, solids.dense, w, p, context);
    begin(Part::kKeepVolume, w, s);
    keep_volume(s, p, w, solids, context);
    drop_stale_markers(s, carried_phi, w, solids.bodies, context);
    begin(Part::kEnd, w, s);
    continue_into_solids(s, w, solids, context);
    for (int a = 0; a < D; ++a) follow_change(s.velocity[a], carried[a], context);
    if (pressure.end == SolveEnd::kStopped) report.stopped = true;
    if (pressure.end == SolveEnd::kBroken) {
        report.failed = true;
        report.why = "the pressure solve broke down";
    }
    if (viscous.end == SolveEnd::kIterationLimit)
        report.warnings.push_back(
            fmt::format("viscosity left a residual of {:.1e}", viscous.residual));
    if (!finite(s, report, context)) return report;
    s.time = time.end;
    ++s.steps;
    return report;
}

template StepReport step<2>(State<2>&, const Params&, World<2>&, Interval, Context&);
template StepReport step<3>(State<3>&, const Params&, World<3>&, Interval, Context&);

}  // namespace spume::cip

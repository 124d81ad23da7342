// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/particle_level_set/flow_step.h"
#include "spume/methods/particle_level_set/live_bubbles.h"
#include "spume/methods/particle_level_set/surface_step.h"
#include "spume/physics/domain/guard.h"

namespace spume::particle_level_set {

// One substep, [G04] §3–4, with φ < 0 in the liquid:
//
//   φ_t + u·∇φ = 0, x_p' = u(x_p)           in steps of their own                   Eq. 14
//   φ ← markers on the wrong side           after moving and after redistancing     Eq. 15
//   trapped air ← liquid                    its markers escape                      §4.2
//   |∇φ| ← 1, r_p ← |φ(x_p)|                                                        Eq. 16
//   w₂ = w₁(x − u Δt)                                                               Eq. 5
//   w₃ = w₂ + Δt ν ∇²w₂                                                             Eqs. 6–7
//   w ← w + Δt g                                                                    Eq. 4
//   ∇²p = ρ ∇·w / Δt, u = w − Δt ∇p / ρ     p = σκ on the surface                   Eqs. 8–12
//   u is continued into the air                                                     §3.1.3
//   bubbles' forces in balance, x_b' = v            those of live markers             §5
//
// all of it again for what is left of the substep where liquid met liquid.

namespace {

/// Surface, then flow, as far as one flow carries the surface. Returns the time reached.
template <int D>
double advance(State<D>& s, const Params& p, World<D>& w, Interval whole, StepReport& report,
               Context& context) {
    const std::size_t first = s.escaped.size();
    const auto before =
        p.live_bubbles ? LiquidBefore<D>{s.surface.phi, s.velocity} : LiquidBefore<D>{};
    const Interval time{whole.begin, carry_surface_with_flow(s, p, w, whole, context)};
    const double dt = time.length();
    PlacedSolids<D> solids =
        move_bodies<D>(s.rigid, w.rigid, w.solids, w.domain, w.gravity(), w.forces, time);
    settle_among_solids(s, p, w, solids, time, first, report, context);
    FlowGeometry<D> geometry = flow_geometry(s, p, w, solids, context);
    s.velocity = advected(s.velocity, w.domain, dt, p.advection, context);
    add_viscosity(s, p, w, geometry, solids, dt, report, context);
    // After viscosity: what pressure will balance must not diffuse.
    add_gravity(s.velocity, w.gravity(), dt, context);
    w.forces.add(s.velocity, time, context);
    if (!all_finite(s.velocity, "velocity", "forces", report, context)) return time.end;
    project_velocity(s, p, w, geometry, solids, dt, report, context);
    if (report.failed || report.stopped) return time.end;
    step_bubbles(s, p, w, before, time, first, report, context);
    return time.end;
}

}  // namespace

template <int D>
StepReport step(State<D>& s, const Params& p, World<D>& w, Interval time, Context& context) {
    StepReport report;
    begin_frame(s, p, w, solids_at<D>(w, s.rigid, time.begin), time.begin, context);
    for (double reached = time.begin; reached < time.end;) {
        reached = advance(s, p, w, {reached, time.end}, report, context);
        if (report.failed || report.stopped) return report;
    }
    report.max_speed = std::max(report.max_speed, max_face_speed(s.velocity, context));
    s.time = time.end;
    ++s.steps;
    return report;
}

template StepReport step<2>(State<2>&, const Params&, World<2>&, Interval, Context&);
template StepReport step<3>(State<3>&, const Params&, World<3>&, Interval, Context&);

}  // namespace spume::particle_level_set

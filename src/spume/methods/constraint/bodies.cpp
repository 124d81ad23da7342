// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/bodies.h"

#include "spume/physics/free_surface/rigid_pressure.h"

namespace spume::constraint {

template <int D>
BodySolve<D> project_with_bodies(State<D>& s, const Params& p, const World<D>& w,
                                 SubstepGeometry<D>& geometry, PlacedSolids<D>& solids,
                                 const AirBoundary<D>& air, const LiquidForces<D>& forces,
                                 PressureSolver<D>& solver, StepReport& report, Context& context) {
    const SolverOptions options{.tolerance = p.pressure_tolerance,
                                .max_iterations = p.pressure_iterations};
    BodySolve<D> r;
    const auto find_solid_flux = [&] {
        r.boundary_moves = solids.max_speed() > 0 || !geometry.source_faces.empty();
        if (r.boundary_moves) r.solid_flux = solid_fluxes(air.regions, geometry.open, context);
    };
    const auto solve = [&](RigidCoupling<D>* rigid) {
        find_solid_flux();
        r.solve =
            project(s.velocity, s.pressure, r.valid, {geometry.phase, geometry.open, air.faces},
                    {air.rows, r.solid_flux}, forces, solver, options, context, rigid);
        r.matrix = rigid ? nullptr : solver.matrix();
        report.add(r.solve.solve);
        report.max_divergence = r.solve.divergence;
    };
    if (w.rigid.empty()) {
        solve(nullptr);
        return r;
    }
    const FaceField<double, D> before = s.velocity;
    const auto prescribed = [&](const Point<D>& x) {
        return geometry.flow.source_of_cell(x) != nullptr;
    };
    RigidCoupling<D> coupling(w.rigid, s.rigid, solids, w.domain, geometry.open, geometry.phase,
                              air.regions.label, air.regions.regions.size(), prescribed, context);
    solve(&coupling);
    w.rigid.place(solids, s.rigid);
    if (report.failed || report.stopped) return r;
    if (w.rigid.stop_at_contacts(s.rigid, solids, w.domain, forces.dt)) {
        w.rigid.place(solids, s.rigid);
        coupling.write_velocities();
        s.velocity = before;
        solve(nullptr);
    } else {
        find_solid_flux();
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                              \
    template BodySolve<D> project_with_bodies<D>(                                         \
        State<D>&, const Params&, const World<D>&, SubstepGeometry<D>&, PlacedSolids<D>&, \
        const AirBoundary<D>&, const LiquidForces<D>&, PressureSolver<D>&, StepReport&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

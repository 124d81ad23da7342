// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/bodies.h"

#include "spume/physics/free_surface/rigid_pressure.h"

namespace spume::constraint {

template <int D>
PlacedSolids<D> moved_solids(State<D>& s, const World<D>& w, Interval time) {
    w.rigid.drift(s.rigid, time.length());
    PlacedSolids<D> solids = solids_at<D>(w, s.rigid, time.end);
    if (w.rigid.empty()) return solids;
    w.rigid.separate(s.rigid, solids, w.domain);
    w.rigid.accelerate(s.rigid, w.gravity(), w.forces, time);
    w.rigid.place(solids, s.rigid);
    return solids;
}

template <int D>
BodySolve<D> project_with_bodies(State<D>& s, const Params& p, World<D>& w, SubstepGeometry<D>& geometry,
                                 PlacedSolids<D>& solids, const AirRegions<D>& regions,
                                 std::span<const SurfaceFace> faces,
                                 std::span<const RegionRow> rows, const LiquidForces<D>& forces,
                                 FaceField<std::uint8_t, D>& valid, Interval time,
                                 StepReport& report, Context& context) {
    const SolverOptions options{.tolerance = p.pressure_tolerance,
                                .max_iterations = p.pressure_iterations};
    BodySolve<D> r;
    const auto moved = [&] { return solids.max_speed() > 0 || !geometry.source_faces.empty(); };
    const auto solve = [&](RigidCoupling<D>* rigid) {
        if (moved()) r.solid_flux = solid_fluxes(regions, geometry.open, context);
        r.solve = project(s.velocity, s.pressure, valid, geometry.phase, geometry.open, faces, rows,
                          r.solid_flux, forces, w.solver, options, context, rigid);
        r.matrix = rigid ? nullptr : w.solver.matrix();
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
                              regions.label, regions.regions.size(), prescribed, context);
    solve(&coupling);
    w.rigid.place(solids, s.rigid);
    if (report.failed || report.stopped) return r;
    if (w.rigid.stop_at_contacts(s.rigid, solids, w.domain, time.length())) {
        w.rigid.place(solids, s.rigid);
        coupling.write_velocities();
        s.velocity = before;
        solve(nullptr);
    } else if (moved()) {
        r.solid_flux = solid_fluxes(regions, geometry.open, context);
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                               \
    template PlacedSolids<D> moved_solids<D>(State<D>&, const World<D>&, Interval);              \
    template BodySolve<D> project_with_bodies<D>(                                          \
        State<D>&, const Params&, World<D>&, SubstepGeometry<D>&, PlacedSolids<D>&, const AirRegions<D>&, \
        std::span<const SurfaceFace>, std::span<const RegionRow>, const LiquidForces<D>&,  \
        FaceField<std::uint8_t, D>&, Interval, StepReport&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

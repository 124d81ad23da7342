// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/viscous.h"

#include <fmt/format.h>

#include "spume/physics/liquid_viscosity.h"
#include "spume/surface/extrapolate.h"

namespace spume::constraint {
namespace {

/// u += after − before, where they differ.
template <int D>
void add_difference(FaceField<double, D>& u, const FaceField<double, D>& before,
                    const FaceField<double, D>& after, Context& context) {
    for (int a = 0; a < D; ++a) {
        double* v = u.write(a);
        const double *from = before.read(a), *to = after.read(a);
        for_values(context.arena, *u.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) v[i] += to[i] - from[i];
        });
    }
}

}  // namespace

/// Viscosity that moves less than a thousandth of a cell's momentum to the next in a substep is not
/// solved for: it is far below what the transfer between particles and grid spreads.
template <int D>
void add_viscous_stress(State<D>& s, const Params& p, World<D>& w, const Ground<D>& ground,
                        const Bodies<D>& solids, const AirRegions<D>& regions,
                        std::span<const SurfaceFace> faces, std::span<const RegionRow> rows,
                        const LiquidForces<D>& forces, StepReport& report, Context& context) {
    const Physics& physics = w.scene.physics;
    const double h = w.basin.voxel(), lightest = physics.water_density * w.liquids.lightest();
    if (physics.viscosity * forces.dt < 1e-3 * lightest * h * h) return;
    std::vector<double> solid_flux;
    if (solids.max_speed() > 0) solid_flux = solid_fluxes(regions, ground.open, context);
    FaceField<double, D> flow = s.velocity;
    FaceField<std::uint8_t, D> known;
    const BubbleSolve pushed = project(
        flow, s.pressure, known, ground.phase, ground.open, faces, rows, solid_flux, forces,
        w.solver,
        SolverOptions{.tolerance = p.pressure_tolerance, .max_iterations = p.pressure_iterations},
        context);
    report.add(pushed.solve);
    if (report.stopped || report.failed) return;
    extrapolate(flow, known, 2, context);
    const FaceField<double, D> before = flow;
    const SolveReport solved = add_viscosity(
        flow, ground.filling.fraction, ground.open, solids, w.no_slip, w.basin,
        {forces.dt, forces.density, physics.viscosity, p.no_slip_walls, 1e-6, forces.lightness},
        context);
    if (!solved.good())
        report.warnings.push_back(
            fmt::format("viscosity: {} after {} iterations at residual {:.2e}", to_text(solved.end),
                        solved.iterations, solved.residual));
    add_difference(s.velocity, before, flow, context);
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template void add_viscous_stress<D>(State<D>&, const Params&, World<D>&, const Ground<D>&,    \
                                        const Bodies<D>&, const AirRegions<D>&,                   \
                                        std::span<const SurfaceFace>, std::span<const RegionRow>, \
                                        const LiquidForces<D>&, StepReport&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

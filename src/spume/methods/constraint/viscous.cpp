// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/viscous.h"

#include <algorithm>

#include <fmt/format.h>

#include "spume/physics/free_surface/liquid_viscosity.h"
#include "spume/solve/minimal_residual.h"
#include "spume/surface/extrapolate.h"

namespace spume::constraint {
namespace {

using Vector = std::vector<double>;  ///< on the faces with liquid

/// What the pressure of a substep is solved with.
template <int D>
struct Pushes {
    const CellField<std::uint8_t, D>& phase;
    CutCells<D> open;
    std::vector<SurfaceFace> faces;
    std::vector<RegionRow> rows;
    std::vector<double> solid_flux;
    LiquidForces<D> forces;

    /// Nothing but the pressure pushes any more: P becomes P₀.
    void make_linear() {
        open.velocity = FaceField<double, D>(open.velocity.tiles());
        for (SurfaceFace& f : faces) f.jump = 0;
        for (RegionRow& r : rows) r.growth = r.pressure = 0;
        solid_flux.clear();
        forces.growth = {};
    }
    /// The projection, continued to the faces around the liquid that viscosity sees.
    SolveReport push(FaceField<double, D>& flow, CellField<double, D>& pressure,
                     PressureSolver<D>& solver, const SolverOptions& options,
                     Context& context) const {
        FaceField<std::uint8_t, D> valid;
        const BubbleSolve solved = project<D>(flow, pressure, valid, {phase, open, faces},
                                              {rows, solid_flux}, forces, solver, options, context);
        extrapolate(flow, valid, 2, context);
        return solved.solve;
    }
};

/// P₀, V and N of a substep on vectors, and what their solves have to report.
template <int D>
class Stokes {
  public:
    Stokes(const ViscousSystem<D>& viscous, Pushes<D> pushes, PressureSolver<D>& solver,
           const Params& p, StepReport& report, Context& context)
        : viscous_(viscous),
          pushes_(std::move(pushes)),
          solver_(solver),
          // Solves within an iteration need not be better than what the iteration is to reach.
          rough_(std::min(p.viscous_tolerance, 0.01)),
          most_(p.pressure_iterations),
          report_(report),
          context_(context) {
        pushes_.make_linear();
    }

    bool ended() const { return report_.stopped || report_.failed; }
    double norm(const Vector& u) const { return viscous_.norm(u, context_); }
    void add(Vector& to, double factor, const Vector& u) const {
        add_scaled(to, factor, u, context_);
    }

    struct Pushed {
        Vector flow;  ///< P₀ u
        CellField<double, D> pressure;
    };
    Pushed push(const Vector& u) {
        const auto& tiles = pushes_.open.velocity.tiles();
        FaceField<double, D> flow(tiles);
        viscous_.scatter(u, flow);
        Pushed r{{}, CellField<double, D>(tiles)};
        SolveReport solved = pushes_.push(flow, r.pressure, solver_,
                                          {.tolerance = rough_, .max_iterations = most_}, context_);
        solved.residual = 0;  // as large as it was meant to be: no news of the substep
        report_.add(solved);
        r.flow = viscous_.gather(flow);
        return r;
    }
    /// V, as if all solids were at rest.
    void relax(Vector& u) { check(viscous_.solve(u, rough_, true, context_)); }
    /// V, between the solids as they move.
    void relax_between_solids(Vector& u) { check(viscous_.solve(u, 1e-6, false, context_)); }
    Vector stress(const Vector& u) const { return viscous_.stress(u, context_); }

    void warn_of_disagreement(double times, int passes) {
        // The tail of the iteration is long: twice the tolerance is no news.
        if (times > 3 && !ended())
            report_.warnings.push_back(fmt::format(
                "viscosity and pressure disagree by {:.2g} times the tolerance after {} passes",
                times, passes));
    }

  private:
    void check(const SolveReport& solved) {
        if (!solved.good())
            report_.warnings.push_back(
                fmt::format("viscosity: {} after {} iterations at residual {:.2e}",
                            to_text(solved.end), solved.iterations, solved.residual));
    }

    const ViscousSystem<D>& viscous_;
    Pushes<D> pushes_;
    PressureSolver<D>& solver_;
    double rough_;
    int most_;
    StepReport& report_;
    Context& context_;
};

template <int D>
void add_values(CellField<double, D>& to, const CellField<double, D>& more, Context& context) {
    double* v = to.write();
    const double* x = more.read();
    for_values(context.arena, *to.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) v[i] += x[i];
    });
}

/// x of V P₀ (1 + N P₀) x = V P₀ `stress`, until the residual is `enough`.
template <int D>
Vector correction(const Vector& stress, double enough, Stokes<D>& stokes, int passes,
                  Context& context) {
    Vector left = stokes.push(stress).flow;
    stokes.relax(left);
    MinimalResidual best(std::move(left));
    while (!stokes.ended() && best.directions() < passes && stokes.norm(best.residual()) > enough) {
        const Vector& direction = best.residual();
        Vector image = stokes.stress(stokes.push(direction).flow);
        stokes.add(image, 1, direction);
        image = stokes.push(image).flow;
        stokes.relax(image);
        if (!best.add(direction, std::move(image), context)) break;
    }
    stokes.warn_of_disagreement(stokes.norm(best.residual()) / enough, best.directions());
    return best.solution();
}

/// Makes the change that viscosity makes to `flow` = P u* agree with the pressure, to a tolerance
/// relative to the velocity: Δ₁ in, Δ out. `pressure` gets that of P₀ Δ₁.
template <int D>
void agree(Vector& change, const Vector& flow, CellField<double, D>& pressure, Stokes<D>& stokes,
           const Params& p, Context& context) {
    // Pressure takes at most all of the change back: where that is little, it is not even asked.
    if (p.viscous_passes == 0 || !(stokes.norm(change) > p.viscous_tolerance * stokes.norm(flow)))
        return;
    const auto pushed = stokes.push(change);
    if (stokes.ended()) return;
    add_values(pressure, pushed.pressure, context);
    Vector against = change, end = flow;
    stokes.add(against, -1, pushed.flow);
    stokes.add(end, 1, pushed.flow);
    const double enough = p.viscous_tolerance * stokes.norm(end);
    // Neither V nor P₀ makes anything larger: t₁ is less than the stress it comes from.
    const Vector stress = stokes.stress(against);
    if (stokes.norm(stress) > enough)
        stokes.add(change, 1, correction(stress, enough, stokes, p.viscous_passes, context));
}

}  // namespace

/// Viscosity that moves less than a thousandth of a cell's momentum to the next in a substep is not
/// solved for: it is far below what the transfer between particles and grid spreads.
template <int D>
void add_viscous_stress(State<D>& s, const Params& p, World<D>& w,
                        const SubstepGeometry<D>& geometry, const CellField<float, D>& fraction,
                        const PlacedSolids<D>& solids, const AirBoundary<D>& air,
                        const LiquidForces<D>& forces, StepReport& report, Context& context) {
    const Physics& physics = w.scene.physics;
    const double h = w.domain.voxel(),
                 lowest_density_ratio = physics.water_density * w.liquids.lowest_density_ratio();
    if (physics.viscosity * forces.dt < 1e-3 * lowest_density_ratio * h * h) return;
    PressureSolver<D> solver(w.topology);
    Pushes<D> pushes{geometry.phase, geometry.open, air.faces, air.rows, {}, forces};
    if (solids.max_speed() > 0)
        pushes.solid_flux = solid_fluxes(air.regions, geometry.open, context);
    FaceField<double, D> velocity = s.velocity;
    report.add(pushes.push(
        velocity, s.pressure, solver,
        {.tolerance = p.pressure_tolerance, .max_iterations = p.pressure_iterations}, context));
    if (report.stopped || report.failed) return;
    const ViscousSystem<D> viscous(fraction, geometry.open, solids, w.no_slip, w.domain,
                                   {forces.dt, forces.density, physics.viscosity, p.no_slip_walls,
                                    forces.inverse_density_ratio},
                                   context);
    Stokes<D> stokes(viscous, std::move(pushes), solver, p, report, context);
    const Vector flow = viscous.gather(velocity);
    Vector change = flow;
    stokes.relax_between_solids(change);
    stokes.add(change, -1, flow);
    agree(change, flow, s.pressure, stokes, p, context);
    Vector all = viscous.gather(s.velocity);
    stokes.add(all, 1, change);
    viscous.scatter(all, s.velocity);
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template void add_viscous_stress<D>(State<D>&, const Params&, World<D>&,                   \
                                        const SubstepGeometry<D>&, const CellField<float, D>&, \
                                        const PlacedSolids<D>&, const AirBoundary<D>&,         \
                                        const LiquidForces<D>&, StepReport&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

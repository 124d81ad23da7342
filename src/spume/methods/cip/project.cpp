// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/grid/dense_tiles.h"
#include "spume/methods/cip/flow.h"
#include "spume/physics/free_surface/rigid_pressure.h"

namespace spume::cip {
namespace {

/// What flows through a face, solids included, m/s.
template <int D>
inline double flux(const double* u, const float* area, const double* push, std::size_t i) {
    return area ? double(area[i]) * u[i] + (1 - double(area[i])) * push[i] : u[i];
}

/// −∇·u by the voxel in each cell, m/s.
template <int D>
DenseField<double, D> convergence(const State<D>& s, const Openings<D>& open, Context& context) {
    DenseField<double, D> r(s.phi.f.shape);
    double* out = r.write();
    for (int a = 0; a < D; ++a) {
        const double* u = s.velocity[a].f.read();
        const float* area = open.solid ? open.area[a].read() : nullptr;
        const double* push = open.solid ? open.push[a].read() : nullptr;
        const std::size_t stride = r.shape.stride(a);
        for_rows(context.arena, r.shape, [&](const Index<D>&, std::size_t at, int count) {
            for (std::size_t i = at; i < at + std::size_t(count); ++i)
                out[i] += flux<D>(u, area, push, i) - flux<D>(u, area, push, i + stride);
        });
    }
    return r;
}

/// Coefficients of faces: A ρ_water / ρ, zero on the sides of the box.
template <int D>
void set_coefficients(PressureSystem<D>& system, const Phases<D>& phases, const Openings<D>& open,
                      const World<D>& w, Context& context) {
    for (int a = 0; a < D; ++a) {
        DenseField<double, D> c = phases.lightness[a];
        double* out = c.write();
        const float* area = open.solid ? open.area[a].read() : nullptr;
        for_rows(context.arena, c.shape, [&](Index<D> i, std::size_t at, int count) {
            for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
                if (i[a] == 0 || i[a] == w.cells()[a])
                    out[at] = 0;
                else if (area)
                    out[at] = double(float(out[at] * double(area[at])));
            }
        });
        dense_to_tiles(c, system.coefficient.write(a), *w.tiles, w.domain.cells.lo, context);
    }
}

/// Solves, with the bodies' velocities if they are unknowns, which they get then.
template <int D>
SolveReport solve(PressureSystem<D>& system, CellField<double, D>& x, RigidCoupling<D>* bodies,
                  const World<D>& w, const Params& p, Context& context) {
    const SolverOptions options{p.pressure_tolerance, p.pressure_iterations};
    if (!bodies) return w.solver->solve(system, x, options, context);
    BubbleSystem<D> with;
    with.system = std::move(system);
    bodies->add_to(with, {}, {}, w.scene.physics.water_density);
    const SolveReport report = w.solver->solve(with.system, x, options, context);
    // Its unknown is p Δt / (ρ_water h²).
    CellField<double, D> scaled = x;
    for (double& value : scaled.values().write()) value /= w.voxel();
    bodies->finish(scaled.read(), {});
    return report;
}

/// `bodies`: their velocities are unknowns; `after` is called when they have them.
template <int D, class After>
SolveReport project_by(State<D>& s, const Phases<D>& phases, const Openings<D>& open,
                       const World<D>& w, const Params& p, double dt, double& divergence,
                       RigidCoupling<D>* bodies, After&& after, Context& context) {
    Stage stage(context, "project");
    const Index<D>& lower = w.domain.cells.lo;
    PressureSystem<D> system(w.tiles);
    const DenseField<std::uint8_t, D> kind =
        open.solid ? open.kind : DenseField<std::uint8_t, D>(s.phi.f.shape, kFluidCell);
    dense_to_tiles(kind, system.kind.write(), *w.tiles, lower, context);
    set_coefficients(system, phases, open, w, context);
    dense_to_tiles(convergence(s, open, context), system.rhs.write(), *w.tiles, lower, context);
    // The unknown is p Δt / (ρ_water h); last pressure first.
    const double scale = w.scene.physics.water_density * w.voxel() / dt;
    CellField<double, D> x(w.tiles);
    dense_to_tiles(s.pressure, x.write(), *w.tiles, lower, context);
    for (double& value : x.values().write()) value /= scale;
    const SolveReport report = solve(system, x, bodies, w, p, context);
    after();
    DenseField<double, D> q(s.phi.f.shape);
    tiles_to_dense(x.read(), q, *w.tiles, lower, context);
    const bool even[D] = {};
    mirror_ghosts<double, D>(q.write(), s.phi.place, even);
    const double* value = q.read();
    for (int a = 0; a < D; ++a) {
        double* u = s.velocity[a].f.write();
        const double* lightness = phases.lightness[a].read();
        const float* area = open.solid ? open.area[a].read() : nullptr;
        const std::size_t stride = q.shape.stride(a);
        for_rows(context.arena, s.velocity[a].f.shape, [&](Index<D> i, std::size_t at, int count) {
            for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
                if (i[a] == 0 || i[a] == w.cells()[a])
                    u[at] = 0;
                else if (!area || area[at] > 0)
                    u[at] -= lightness[at] * (value[at] - value[at - stride]);
            }
        });
    }
    s.pressure = q;
    for (double& pressure : s.pressure.values.write()) pressure *= scale;
    const DenseField<double, D> left = convergence(s, open, context);
    divergence = reduce_rows(
        context.arena, left.shape, 0.0,
        [&](const Index<D>&, std::size_t at, int count) {
            double most = 0;
            for (std::size_t i = at; i < at + std::size_t(count); ++i)
                if (kind.values[i] == kFluidCell) most = std::max(most, std::abs(left.values[i]));
            return most;
        },
        [](double a, double b) { return std::max(a, b); });
    divergence *= dt / w.voxel();
    return report;
}

}  // namespace

template <int D>
SolveReport project(State<D>& s, const Phases<D>& phases, const Openings<D>& open,
                    const World<D>& w, const Params& p, double dt, double& divergence,
                    Context& context) {
    return project_by<D>(
        s, phases, open, w, p, dt, divergence, nullptr, [] {}, context);
}

template <int D>
SolveReport project_with_bodies(State<D>& s, const Phases<D>& phases, SolidGeometry<D>& solids,
                                const World<D>& w, const Params& p, double dt, double& divergence,
                                Context& context) {
    if (w.rigid.empty()) return project(s, phases, solids.dense, w, p, dt, divergence, context);
    CellField<std::uint8_t, D> phase(w.tiles);
    const std::uint8_t* kind = solids.open.kind.read();
    auto out = phase.values().write();
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = kind[i] == kFluidCell ? kLiquidPhase : kSolidPhase;
    const CellField<std::int32_t, D> region(w.tiles);
    RigidCoupling<D> bodies(w.rigid, s.rigid, solids.bodies, w.domain, solids.open, phase, region,
                            0, {}, context);
    renew_push(solids, w, context);
    DenseField<double, D> before[D];
    for (int a = 0; a < D; ++a) before[a] = s.velocity[a].f;
    const auto take_over = [&] {
        w.rigid.place(solids.bodies, s.rigid);
        bodies.write_velocities();
        renew_push(solids, w, context);
    };
    const SolveReport report =
        project_by<D>(s, phases, solids.dense, w, p, dt, divergence, &bodies, take_over, context);
    if (report.end == SolveEnd::kBroken || report.end == SolveEnd::kStopped) return report;
    if (!w.rigid.stop_at_contacts(s.rigid, solids.bodies, w.domain, dt)) return report;
    take_over();
    for (int a = 0; a < D; ++a) s.velocity[a].f = before[a];
    return project(s, phases, solids.dense, w, p, dt, divergence, context);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template SolveReport project<D>(State<D>&, const Phases<D>&, const Openings<D>&,             \
                                    const World<D>&, const Params&, double, double&, Context&);  \
    template SolveReport project_with_bodies<D>(State<D>&, const Phases<D>&, SolidGeometry<D>&,  \
                                                const World<D>&, const Params&, double, double&, \
                                                Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip

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

/// −∇·u by the voxel in each cell of a row, m/s.
template <int D>
class Convergence {
  public:
    Convergence(const State<D>& s, const DenseCutCells<D>& open) : shape_(s.phi.f.shape) {
        for (int a = 0; a < D; ++a) {
            u_[a] = s.velocity[a].f.read();
            area_[a] = open.solid ? open.area[a].read() : nullptr;
            push_[a] = open.solid ? open.push[a].read() : nullptr;
        }
    }
    /// f(place, value) for the cells of a row.
    template <class F>
    void row(std::size_t at, int count, F&& f) const {
        for (std::size_t i = at; i < at + std::size_t(count); ++i) {
            double sum = 0;
            for (int a = 0; a < D; ++a)
                sum += flux<D>(u_[a], area_[a], push_[a], i) -
                       flux<D>(u_[a], area_[a], push_[a], i + shape_.stride(a));
            f(i, sum);
        }
    }

  private:
    DenseShape<D> shape_;
    const double *u_[D], *push_[D];
    const float* area_[D];
};

template <int D>
DenseField<double, D> convergence(const State<D>& s, const DenseCutCells<D>& open,
                                  Context& context) {
    DenseField<double, D> r(s.phi.f.shape);
    double* out = r.write();
    const Convergence<D> of(s, open);
    for_rows(context.arena, r.shape, [&](const Index<D>&, std::size_t at, int count) {
        of.row(at, count, [&](std::size_t i, double value) { out[i] = value; });
    });
    return r;
}

/// The largest |∇·u| of fluid cells, m/s.
template <int D>
double largest_divergence(const State<D>& s, const DenseCutCells<D>& open, Context& context) {
    const Convergence<D> of(s, open);
    const std::uint8_t* kind = open.solid ? open.kind.read() : nullptr;
    return reduce_rows(
        context.arena, s.phi.f.shape, 0.0,
        [&](const Index<D>&, std::size_t at, int count) {
            double most = 0;
            of.row(at, count, [&](std::size_t i, double value) {
                if (!kind || kind[i] == kFluidCell) most = std::max(most, std::abs(value));
            });
            return most;
        },
        [](double a, double b) { return std::max(a, b); });
}

/// Coefficients of faces: A ρ_water / ρ, zero on the sides of the box and of cells without fluid.
template <int D>
void set_coefficients(DenseField<double, D> (&c)[D], const Phases<D>& phases,
                      const DenseCutCells<D>& open, const World<D>& w, Context& context) {
    for (int a = 0; a < D; ++a) {
        c[a] = phases.inverse_density_ratio[a];
        double* out = c[a].write();
        const float* area = open.solid ? open.area[a].read() : nullptr;
        const std::uint8_t* kind = open.solid ? open.kind.read() : nullptr;
        const std::size_t stride = c[a].shape.stride(a);
        for_rows(context.arena, c[a].shape, [&](Index<D> i, std::size_t at, int count) {
            for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
                if (i[a] == 0 || i[a] == w.cells()[a])
                    out[at] = 0;
                else if (area)
                    out[at] = kind[at] == kFluidCell && kind[at - stride] == kFluidCell
                                  ? double(float(out[at] * double(area[at])))
                                  : 0.0;
            }
        });
    }
}

/// Adds the bodies' terms, and only those, to a system over the box's tiles.
template <int D>
BubbleSystem<D> with_bodies(PressureSystem<D> system, RigidCoupling<D>& bodies, const World<D>& w) {
    BubbleSystem<D> with;
    with.system = std::move(system);
    bodies.add_to(with, {}, {}, w.scene.physics.water_density);
    return with;
}

/// The bodies' velocities from the unknown p Δt / (ρ_water h); theirs has h² there.
template <int D>
void finish(RigidCoupling<D>& bodies, CellField<double, D> x, const World<D>& w) {
    for (double& value : x.values().write()) value /= w.voxel();
    bodies.finish(x.read(), {});
}

/// In 2D all cells of the box are one array; places of the bodies' terms are those of tiles.
SolveReport solve_system(const DenseField<double, 2> (&coefficient)[2],
                         const DenseField<double, 2>& rhs, DenseField<double, 2>& q,
                         const DenseCutCells<2>&, RigidCoupling<2>* bodies, const World<2>& w,
                         const SolverOptions& options, Context& context) {
    if (!bodies) return w.box_solver->solve(coefficient, rhs, q, options, context);
    PressureSystem<2> no_faces;
    no_faces.rhs = CellField<double, 2>(w.tiles);
    std::vector<LowRankTerm> terms = with_bodies(std::move(no_faces), *bodies, w).system.low_rank;
    const Index<2>& lower = w.domain.cells.lo;
    for (LowRankTerm& term : terms)
        for (std::size_t& cell : term.cells) {
            const Index<2> i = w.tiles->origin(int(cell / kTileCells<2>)) +
                               tile_local<2>(int(cell % kTileCells<2>)) - lower;
            cell = std::size_t(i[0]) * std::size_t(w.cells()[1]) + std::size_t(i[1]);
        }
    const SolveReport report = w.box_solver->solve(coefficient, rhs, q, options, context, terms);
    CellField<double, 2> x(w.tiles);
    dense_to_tiles(q, x.write(), *w.tiles, lower, context);
    finish(*bodies, std::move(x), w);
    return report;
}

/// In 3D they are in tiles.
SolveReport solve_system(const DenseField<double, 3> (&coefficient)[3],
                         const DenseField<double, 3>& rhs, DenseField<double, 3>& q,
                         const DenseCutCells<3>& open, RigidCoupling<3>* bodies, const World<3>& w,
                         const SolverOptions& options, Context& context) {
    const Index<3>& lower = w.domain.cells.lo;
    PressureSystem<3> system(w.tiles);
    const DenseField<std::uint8_t, 3> kind =
        open.solid ? open.kind : DenseField<std::uint8_t, 3>(q.shape, kFluidCell);
    dense_to_tiles(kind, system.kind.write(), *w.tiles, lower, context);
    for (int a = 0; a < 3; ++a)
        dense_to_tiles(coefficient[a], system.coefficient.write(a), *w.tiles, lower, context);
    dense_to_tiles(rhs, system.rhs.write(), *w.tiles, lower, context);
    CellField<double, 3> x(w.tiles);
    dense_to_tiles(q, x.write(), *w.tiles, lower, context);
    if (bodies) system = with_bodies(std::move(system), *bodies, w).system;
    const SolveReport report = w.solver->solve(system, x, options, context);
    if (bodies) finish(*bodies, x, w);
    tiles_to_dense(x.read(), q, *w.tiles, lower, context);
    return report;
}

/// u −= q differences, on open faces inside the box.
template <int D>
void subtract_gradient(State<D>& s, const DenseField<double, D>& q, const Phases<D>& phases,
                       const DenseCutCells<D>& open, Context& context) {
    const double* value = q.read();
    for (int a = 0; a < D; ++a) {
        double* u = s.velocity[a].f.write();
        const double* inverse_density = phases.inverse_density_ratio[a].read();
        const float* area = open.solid ? open.area[a].read() : nullptr;
        const std::size_t stride = q.shape.stride(a);
        const int last = s.velocity[a].place.cells[a];
        for_rows(context.arena, s.velocity[a].f.shape, [&](Index<D> i, std::size_t at, int count) {
            for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
                if (i[a] == 0 || i[a] == last)
                    u[at] = 0;
                else if (!area || area[at] > 0)
                    u[at] -= inverse_density[at] * (value[at] - value[at - stride]);
            }
        });
    }
}

/// `bodies`: their velocities are unknowns; `after` is called when they have them.
template <int D, class After>
SolveReport project_by(State<D>& s, const Phases<D>& phases, const DenseCutCells<D>& open,
                       const World<D>& w, const Params& p, double dt, double& divergence,
                       RigidCoupling<D>* bodies, After&& after, Context& context) {
    Stage stage(context, "project");
    DenseField<double, D> coefficient[D];
    set_coefficients(coefficient, phases, open, w, context);
    const DenseField<double, D> rhs = convergence(s, open, context);
    // The unknown is p Δt / (ρ_water h); last pressure first.
    const double scale = w.scene.physics.water_density * w.voxel() / dt;
    const auto scaled = [&](DenseField<double, D>& field, double factor) {
        double* v = field.write();
        for_range(context.arena, field.values.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) v[i] *= factor;
        });
    };
    DenseField<double, D>& q = s.pressure;
    scaled(q, 1 / scale);
    const SolverOptions options{p.pressure_tolerance, p.pressure_iterations};
    const SolveReport report = solve_system(coefficient, rhs, q, open, bodies, w, options, context);
    after();
    const bool even[D] = {};
    mirror_ghosts<double, D>(q.write(), s.phi.place, even);
    subtract_gradient(s, q, phases, open, context);
    scaled(q, scale);
    divergence = largest_divergence(s, open, context) * dt / w.voxel();
    return report;
}

}  // namespace

template <int D>
SolveReport project(State<D>& s, const Phases<D>& phases, const DenseCutCells<D>& open,
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
    if (w.marked)
        return project_with_marked_bodies(s, phases, solids, w, p, dt, divergence, context);
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
    template SolveReport project<D>(State<D>&, const Phases<D>&, const DenseCutCells<D>&,        \
                                    const World<D>&, const Params&, double, double&, Context&);  \
    template SolveReport project_with_bodies<D>(State<D>&, const Phases<D>&, SolidGeometry<D>&,  \
                                                const World<D>&, const Params&, double, double&, \
                                                Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip

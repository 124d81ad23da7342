// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/grid/dense_tiles.h"
#include "spume/methods/cip/flow.h"

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

}  // namespace

template <int D>
SolveReport project(State<D>& s, const Phases<D>& phases, const Openings<D>& open,
                    const World<D>& w, const Params& p, double dt, double& divergence,
                    Context& context) {
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
    const SolveReport report =
        w.solver->solve(system, x, {p.pressure_tolerance, p.pressure_iterations}, context);
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

#define SPUME_INSTANTIATE(D)                                                         \
    template SolveReport project<D>(State<D>&, const Phases<D>&, const Openings<D>&, \
                                    const World<D>&, const Params&, double, double&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip

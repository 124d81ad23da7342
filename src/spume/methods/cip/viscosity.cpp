// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <array>
#include <cmath>

#include "spume/methods/cip/flow.h"
#include "spume/surface/dense_level_set.h"

namespace spume::cip {
namespace {

/// Diffusion number below which one explicit step does. It is stable up to 1, and up to here as far
/// from the exact decay as the implicit one: the fastest mode keeps 0.5 of itself, where 0.61 would
/// be right and the implicit step has 0.67.
constexpr double kSmallNumber = 0.25;

/// μ on the edge between four cells: `at` the uppermost of them.
inline double edge_viscosity(const double* mu, std::size_t at, std::size_t s, std::size_t r) {
    return 0.25 * (mu[at] + mu[at - s] + mu[at - r] + mu[at - s - r]);
}

/// Σ μ over the differences that a face across `a` takes part in.
template <int D>
inline double stiffness(const double* mu, const DenseShape<D>& shape, int a, std::size_t at) {
    const std::size_t s = shape.stride(a);
    double sum = 2 * (mu[at] + mu[at - s]);
    for (int b = 0; b < D; ++b) {
        const std::size_t r = shape.stride(b);
        if (b != a) sum += edge_viscosity(mu, at, s, r) + edge_viscosity(mu, at + r, s, r);
    }
    return sum;
}

/// ∇·(2 μ D(u)) on a face across `a`, times h².
template <int D>
inline double stress(const double* mu, const double* const (&u)[D], const DenseShape<D>& shape,
                     int a, std::size_t i) {
    const std::size_t s = shape.stride(a);
    const double* own = u[a];
    double force = 2 * mu[i] * (own[i + s] - own[i]) - 2 * mu[i - s] * (own[i] - own[i - s]);
    for (int b = 0; b < D; ++b) {
        if (b == a) continue;
        const std::size_t r = shape.stride(b);
        const double* other = u[b];
        force += edge_viscosity(mu, i + r, s, r) *
                     ((own[i + r] - own[i]) + (other[i + r] - other[i + r - s])) -
                 edge_viscosity(mu, i, s, r) * ((own[i] - own[i - r]) + (other[i] - other[i - s]));
    }
    return force;
}

/// The stretch of a row of faces across `a` that is inside the box; nothing on its sides.
template <int D>
inline bool inner_part(const DensePlace<D>& place, int a, const Index<D>& first, std::size_t& at,
                       int& count) {
    if (a < D - 1) return first[a] != 0 && first[a] != place.cells[a];
    ++at, count -= 2;
    return true;
}

/// The largest Δt μ (stiffness) / ρ h² of any face inside the box.
template <int D>
double diffusion_number(const State<D>& s, const Phases<D>& phases, double factor,
                        Context& context) {
    double most = 0;
    const double* mu = phases.viscosity.read();
    for (int a = 0; a < D; ++a) {
        const DensePlace<D>& place = s.velocity[a].place;
        const double* inverse_density = phases.inverse_density_ratio[a].read();
        most = std::max(most, reduce_rows(
                                  context.arena, place.shape, 0.0,
                                  [&](const Index<D>& first, std::size_t at, int n) {
                                      double r = 0;
                                      if (!inner_part<D>(place, a, first, at, n)) return r;
                                      for (std::size_t i = at; i < at + std::size_t(n); ++i)
                                          r = std::max(r, inverse_density[i] *
                                                              stiffness<D>(mu, place.shape, a, i));
                                      return r;
                                  },
                                  [](double x, double y) { return std::max(x, y); }));
    }
    return factor * most;
}

/// u + Δt ∇·(2 μ D(u)) / ρ: as good as the implicit step where the number above is small.
template <int D>
void explicit_step(State<D>& s, const Phases<D>& phases, const DenseCutCells<D>& open,
                   double factor, Context& context) {
    DenseField<double, D> before[D];
    const double* u[D];
    for (int a = 0; a < D; ++a) {
        mirror_ghosts<double, D>(s.velocity[a].f.write(), s.velocity[a].place, s.velocity[a].odd);
        before[a] = s.velocity[a].f;
        u[a] = before[a].read();
    }
    const double* const(&old)[D] = u;
    const double* mu = phases.viscosity.read();
    for (int a = 0; a < D; ++a) {
        const DensePlace<D>& place = s.velocity[a].place;
        double* out = s.velocity[a].f.write();
        const double* inverse_density = phases.inverse_density_ratio[a].read();
        const float* area = open.solid ? open.area[a].read() : nullptr;
        for_rows(context.arena, place.shape, [&](const Index<D>& first, std::size_t at, int n) {
            if (!inner_part<D>(place, a, first, at, n)) return;
            for (std::size_t i = at; i < at + std::size_t(n); ++i) {
                const double change =
                    factor * inverse_density[i] * stress<D>(mu, old, place.shape, a, i);
                out[i] += area && area[i] == 0 ? 0.0 : change;
            }
        });
    }
}

/// The matrix of ρ u − Δt ∇·(2 μ D(u)), in units of the water's density, over the faces that are
/// free. Walls that hold the fluid are odd mirrors of the velocity, others even ones; either way
/// the matrix is that of a sum of squares, and symmetric.
template <int D>
class ViscousMatrix {
  public:
    using Vector = std::array<DenseField<double, D>, std::size_t(D)>;

    ViscousMatrix(const State<D>& s, const Phases<D>& phases, const DenseCutCells<D>& open,
                  const World<D>& w, double dt, Context& context)
        : context_(context), factor_(dt / (w.voxel() * w.voxel() * w.scene.physics.water_density)) {
        for (int a = 0; a < D; ++a) {
            place_[a] = s.velocity[a].place;
            std::copy_n(s.velocity[a].odd, D, odd_[a]);
            mass_[a] = phases.inverse_density_ratio[a];
            diagonal_[a] = mass_[a];
            double *m = mass_[a].write(), *d = diagonal_[a].write();
            const double* mu = phases.viscosity.read();
            const float* area = open.solid ? open.area[a].read() : nullptr;
            for_rows(context.arena, place_[a].shape, [&](Index<D> i, std::size_t at, int count) {
                for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
                    const bool fixed =
                        i[a] == 0 || i[a] == w.cells()[a] || (area != nullptr && area[at] == 0);
                    m[at] = fixed ? 0 : 1 / m[at];
                    d[at] = fixed
                                ? 0
                                : 1 / (m[at] + factor_ * stiffness<D>(mu, place_[a].shape, a, at));
                }
            });
        }
        viscosity_ = phases.viscosity;
    }

    /// Solves from u on, which holds u*.
    SolveReport solve(Vector& u, double tolerance, int most) {
        SolveReport report;
        Vector r = u, p = u, q = u;
        apply(u, q);
        double norm = 0;
        start(u, q, r, norm);
        precondition(r, p);
        double rho = dot(r, p);
        report.initial_residual = std::sqrt(std::max(dot(r, r), 0.0));
        report.residual = norm > 0 ? report.initial_residual / norm : 0;
        while (norm > 0 && report.residual > tolerance) {
            if (report.iterations == most) {
                report.end = SolveEnd::kIterationLimit;
                break;
            }
            apply(p, q);
            const double pq = dot(p, q);
            if (!(pq > 0)) {
                report.end = SolveEnd::kStagnated;
                break;
            }
            const double alpha = rho / pq;
            add(u, p, alpha);
            add(r, q, -alpha);
            precondition(r, q);
            const double next = dot(r, q);
            combine(p, q, next / rho);
            rho = next;
            report.residual = std::sqrt(dot(r, r)) / norm;
            ++report.iterations;
        }
        return report;
    }

  private:
    /// q = A u; u gets its ghosts. Zero on fixed faces.
    void apply(Vector& u, Vector& q) {
        for (int a = 0; a < D; ++a)
            mirror_ghosts<double, D>(u[std::size_t(a)].write(), place_[a], odd_[a]);
        const double* u_of[D];
        for (int a = 0; a < D; ++a) u_of[a] = u[std::size_t(a)].read();
        const double* const(&values)[D] = u_of;
        const double* mu = viscosity_.read();
        for (int a = 0; a < D; ++a) {
            const double *own = u_of[a], *mass = mass_[a].read();
            double* out = q[std::size_t(a)].write();
            for_rows(context_.arena, place_[a].shape, [&](const Index<D>&, std::size_t at, int n) {
                for (std::size_t i = at; i < at + std::size_t(n); ++i)
                    out[i] = mass[i] == 0
                                 ? 0
                                 : mass[i] * own[i] -
                                       factor_ * stress<D>(mu, values, place_[a].shape, a, i);
            });
        }
    }
    template <class F>
    void each(F&& f) {
        for (int a = 0; a < D; ++a)
            for_rows(context_.arena, place_[a].shape, [&](const Index<D>&, std::size_t at, int n) {
                f(std::size_t(a), at, at + std::size_t(n));
            });
    }
    /// r = M u* − A u*, norm = ‖M u*‖.
    void start(const Vector& u, const Vector& q, Vector& r, double& norm) {
        Vector b = u;
        double *out[D], *rhs[D];
        for (int a = 0; a < D; ++a)
            out[a] = r[std::size_t(a)].write(), rhs[a] = b[std::size_t(a)].write();
        each([&](std::size_t a, std::size_t begin, std::size_t end) {
            const double *m = mass_[a].read(), *now = u[a].read(), *image = q[a].read();
            for (std::size_t i = begin; i < end; ++i) {
                rhs[a][i] = m[i] * now[i];
                out[a][i] = rhs[a][i] - image[i];
            }
        });
        norm = std::sqrt(dot(b, b));
    }
    double dot(const Vector& x, const Vector& y) {
        double sum = 0;
        for (std::size_t a = 0; a < std::size_t(D); ++a) {
            const double *p = x[a].read(), *q = y[a].read(), *m = mass_[a].read();
            sum += reduce_rows(
                context_.arena, place_[a].shape, 0.0,
                [&](const Index<D>&, std::size_t at, int n) {
                    double part = 0;
                    for (std::size_t i = at; i < at + std::size_t(n); ++i)
                        part += m[i] != 0 ? p[i] * q[i] : 0;
                    return part;
                },
                [](double c, double d) { return c + d; });
        }
        return sum;
    }
    void precondition(const Vector& r, Vector& z) {
        double* out[D];
        for (int a = 0; a < D; ++a) out[a] = z[std::size_t(a)].write();
        each([&](std::size_t a, std::size_t begin, std::size_t end) {
            const double *in = r[a].read(), *d = diagonal_[a].read();
            for (std::size_t i = begin; i < end; ++i) out[a][i] = d[i] * in[i];
        });
    }
    void add(Vector& x, const Vector& y, double factor) {
        double* out[D];
        for (int a = 0; a < D; ++a) out[a] = x[std::size_t(a)].write();
        each([&](std::size_t a, std::size_t begin, std::size_t end) {
            const double *in = y[a].read(), *m = mass_[a].read();
            for (std::size_t i = begin; i < end; ++i) out[a][i] += m[i] != 0 ? factor * in[i] : 0;
        });
    }
    void combine(Vector& p, const Vector& z, double beta) {
        double* out[D];
        for (int a = 0; a < D; ++a) out[a] = p[std::size_t(a)].write();
        each([&](std::size_t a, std::size_t begin, std::size_t end) {
            const double* in = z[a].read();
            for (std::size_t i = begin; i < end; ++i) out[a][i] = in[i] + beta * out[a][i];
        });
    }

    Context& context_;
    double factor_;
    DensePlace<D> place_[D];
    bool odd_[D][D];
    DenseField<double, D> mass_[D], diagonal_[D], viscosity_;
};

/// The tension of a substep is explicit, σκ. An implicit one, σ (κ + Δt ∇ₛ²u) [Hys06], would damp
/// waves of a few voxels, which errors of κ otherwise feed without end where nothing is viscous.
/// Half of what it adds stands here as a viscosity of the water at the surface, σ Δt δ_ε / 2, where
/// that is more than its own: it vanishes with the substep.
template <int D>
DenseField<double, D> with_tension(const State<D>& s, const Phases<D>& phases, const World<D>& w,
                                   const Params& p, double dt, Context& context) {
    const double sigma = w.scene.physics.surface_tension;
    if (!(sigma > 0)) return phases.viscosity;
    DenseField<double, D> viscosity = phases.viscosity;
    const double scale = 0.5 * sigma * dt / w.voxel();
    double* mu = viscosity.write();
    const double *f = s.phi.f.read(), *water = phases.water.read();
    const bool sharp = p.interface == Interface::kSharp;
    for_range(context.arena, viscosity.values.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            if (!(std::abs(f[i]) < p.smearing)) continue;
            const double part = sharp ? std::clamp(0.5 - f[i], 0.0, 1.0) : water[i];
            mu[i] = std::max(mu[i], scale * part * smeared_delta(f[i], p.smearing));
        }
    });
    return viscosity;
}

}  // namespace

template <int D>
SolveReport add_viscosity(State<D>& s, const Phases<D>& fluid, const DenseCutCells<D>& open,
                          const World<D>& w, const Params& p, double dt, Context& context) {
    const Physics& physics = w.scene.physics;
    if (physics.viscosity == 0 && p.air_viscosity == 0 && physics.surface_tension == 0) return {};
    Stage stage(context, "viscosity");
    Phases<D> phases = fluid;
    phases.viscosity = with_tension(s, fluid, w, p, dt, context);
    const double factor = dt / (w.voxel() * w.voxel() * physics.water_density);
    if (diffusion_number(s, phases, factor, context) < kSmallNumber) {
        explicit_step(s, phases, open, factor, context);
        return {};
    }
    ViscousMatrix<D> matrix(s, phases, open, w, dt, context);
    typename ViscousMatrix<D>::Vector u;
    for (int a = 0; a < D; ++a) u[std::size_t(a)] = s.velocity[a].f;
    const SolveReport report = matrix.solve(u, p.viscous_tolerance, 500);
    for (int a = 0; a < D; ++a) s.velocity[a].f = u[std::size_t(a)];
    return report;
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template SolveReport add_viscosity<D>(State<D>&, const Phases<D>&, const DenseCutCells<D>&, \
                                          const World<D>&, const Params&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip

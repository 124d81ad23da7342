// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <array>
#include <cmath>

#include "spume/methods/cip/flow.h"

namespace spume::cip {
namespace {

/// Diffusion number below which one explicit step does: stable up to 1, and what it is off by is of
/// its square.
constexpr double kSmallNumber = 0.05;

/// The matrix of ρ u − Δt ∇·(2 μ D(u)), in units of the water's density, over the faces that are
/// free. Walls that hold the fluid are odd mirrors of the velocity, others even ones; either way
/// the matrix is that of a sum of squares, and symmetric.
template <int D>
class ViscousMatrix {
  public:
    using Vector = std::array<DenseField<double, D>, std::size_t(D)>;

    ViscousMatrix(const State<D>& s, const Phases<D>& phases, const Openings<D>& open,
                  const World<D>& w, double dt, Context& context)
        : context_(context), factor_(dt / (w.voxel() * w.voxel() * w.scene.physics.water_density)) {
        for (int a = 0; a < D; ++a) {
            place_[a] = s.velocity[a].place;
            std::copy_n(s.velocity[a].odd, D, odd_[a]);
            mass_[a] = phases.lightness[a];
            diagonal_[a] = mass_[a];
            double *m = mass_[a].write(), *d = diagonal_[a].write();
            const double* mu = phases.viscosity.read();
            const float* area = open.solid ? open.area[a].read() : nullptr;
            for_rows(context.arena, place_[a].shape, [&](Index<D> i, std::size_t at, int count) {
                for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
                    const bool fixed = i[a] == 0 || i[a] == w.cells()[a] || (area && area[at] == 0);
                    m[at] = fixed ? 0 : 1 / m[at];
                    d[at] = fixed ? 0 : 1 / (m[at] + factor_ * stiffness(mu, a, at));
                }
            });
        }
        viscosity_ = phases.viscosity;
    }

    /// The largest Δt μ (stiffness) / ρ h² of any face.
    double diffusion_number() {
        double most = 0;
        for (int a = 0; a < D; ++a) {
            const double *m = mass_[a].read(), *d = diagonal_[a].read();
            const double part = reduce_rows(
                context_.arena, place_[a].shape, 0.0,
                [&](const Index<D>&, std::size_t at, int n) {
                    double r = 0;
                    for (std::size_t i = at; i < at + std::size_t(n); ++i)
                        r = std::max(r, m[i] != 0 ? 1 / (d[i] * m[i]) - 1 : 0.0);
                    return r;
                },
                [](double x, double y) { return std::max(x, y); });
            most = std::max(most, part);
        }
        return most;
    }

    /// One explicit step: as good as the implicit one where the number above is small.
    void step(Vector& u) {
        Vector q = u;
        apply(u, q);
        double* out[D];
        for (int a = 0; a < D; ++a) out[a] = u[std::size_t(a)].write();
        each([&](std::size_t a, std::size_t begin, std::size_t end) {
            const double *m = mass_[a].read(), *image = q[a].read();
            for (std::size_t i = begin; i < end; ++i)
                out[a][i] += m[i] != 0 ? out[a][i] - image[i] / m[i] : 0;
        });
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
    double edge(const double* mu, std::size_t at, std::size_t s, std::size_t r) const {
        return 0.25 * (mu[at] + mu[at - s] + mu[at - r] + mu[at - s - r]);
    }
    double stiffness(const double* mu, int a, std::size_t at) const {
        const std::size_t s = place_[a].shape.stride(a);
        double sum = 2 * (mu[at] + mu[at - s]);
        for (int b = 0; b < D; ++b) {
            const std::size_t r = place_[a].shape.stride(b);
            if (b != a) sum += edge(mu, at, s, r) + edge(mu, at + r, s, r);
        }
        return sum;
    }
    /// q = A u; u gets its ghosts. Zero on fixed faces.
    void apply(Vector& u, Vector& q) {
        for (int a = 0; a < D; ++a)
            mirror_ghosts<double, D>(u[std::size_t(a)].write(), place_[a], odd_[a]);
        const double* mu = viscosity_.read();
        for (int a = 0; a < D; ++a) {
            const double *own = u[std::size_t(a)].read(), *mass = mass_[a].read();
            double* out = q[std::size_t(a)].write();
            const std::size_t s = place_[a].shape.stride(a);
            for_rows(context_.arena, place_[a].shape, [&](const Index<D>&, std::size_t at, int n) {
                for (std::size_t i = at; i < at + std::size_t(n); ++i) {
                    if (mass[i] == 0) {
                        out[i] = 0;
                        continue;
                    }
                    double force =
                        2 * mu[i] * (own[i + s] - own[i]) - 2 * mu[i - s] * (own[i] - own[i - s]);
                    for (int b = 0; b < D; ++b) {
                        if (b == a) continue;
                        const std::size_t r = place_[a].shape.stride(b);
                        const double* other = u[std::size_t(b)].read();
                        force +=
                            edge(mu, i + r, s, r) *
                                ((own[i + r] - own[i]) + (other[i + r] - other[i + r - s])) -
                            edge(mu, i, s, r) * ((own[i] - own[i - r]) + (other[i] - other[i - s]));
                    }
                    out[i] = mass[i] * own[i] - factor_ * force;
                }
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

}  // namespace

template <int D>
SolveReport add_viscosity(State<D>& s, const Phases<D>& phases, const Openings<D>& open,
                          const World<D>& w, const Params& p, double dt, Context& context) {
    const Physics& physics = w.scene.physics;
    if (physics.viscosity == 0 && p.air_viscosity == 0) return {};
    Stage stage(context, "viscosity");
    ViscousMatrix<D> matrix(s, phases, open, w, dt, context);
    typename ViscousMatrix<D>::Vector u;
    for (int a = 0; a < D; ++a) u[std::size_t(a)] = s.velocity[a].f;
    SolveReport report;
    if (matrix.diffusion_number() < kSmallNumber)
        matrix.step(u);
    else
        report = matrix.solve(u, p.viscous_tolerance, 500);
    for (int a = 0; a < D; ++a) s.velocity[a].f = u[std::size_t(a)];
    return report;
}

#define SPUME_INSTANTIATE(D)                                                               \
    template SolveReport add_viscosity<D>(State<D>&, const Phases<D>&, const Openings<D>&, \
                                          const World<D>&, const Params&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip

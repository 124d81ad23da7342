// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_implicit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "spume/physics/foam/sph_kernel.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 1024;
constexpr double kTolerance = 1e-4;  // of the right side
constexpr int kIterations = 400, kRounds = 8;
constexpr double kXi = 0.1;  // of h, [WFS22] §6.4

template <int D>
using Vectors = std::vector<Vec<double, D>>;

template <int D>
double product(const Vectors<D>& a, const Vectors<D>& b, Context& context) {
    return reduce(
        context.arena, a.size(), kGrain, 0.0,
        [&](std::size_t first, std::size_t last) {
            double sum = 0;
            for (std::size_t i = first; i < last; ++i) sum += dot(a[i], b[i]);
            return sum;
        },
        [](double x, double y) { return x + y; });
}

/// The system of one step. Row p has the particles within its kernel.
template <int D>
class FoamSystem {
  public:
    FoamSystem(const Foam<D>& foam, const FoamPairs<D>& pairs, const FoamStates& states,
               const WetFoam& law, double dt, Context& context)
        : foam_(foam), dt_(dt), context_(context) {
        const std::size_t n = foam.size();
        const double rest = law.density / sph::packed_ratio<D>(law.support);
        mass_.resize(n), stiff_.resize(n), excess_.resize(n), pushes_.resize(n);
        rows_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double rho = states.density(i);
            mass_[i] = rest * bubble_volume<D>(double(foam.radius[i]));
            stiff_[i] = law.stiffness * mass_[i] / (rho * rho);
            excess_[i] = rho - law.density;
        }
        pairs.for_tiles(
            [&](const auto& tile) {
                tile.for_each([&](std::size_t i, const std::uint32_t* others, std::size_t mutual,
                                  std::size_t count) {
                    for (std::size_t k = 0; k < count; ++k) {
                        add(i, others[k], states, law);
                        if (k < mutual) add(others[k], i, states, law);
                    }
                });
            },
            context);
    }

    /// Which pressures and dampers act at a velocity; returns how many changed.
    std::size_t choose(const Vectors<D>& v) {
        const auto rate = density_rate(v);
        return reduce(
            context_.arena, rows_.size(), kGrain, std::size_t(0),
            [&](std::size_t first, std::size_t last) {
                std::size_t changed = 0;
                for (std::size_t i = first; i < last; ++i) {
                    const bool pushes = excess_[i] + dt_ * rate[i] > 0;
                    changed += pushes != (pushes_[i] != 0) ? 1 : 0;
                    pushes_[i] = pushes ? 1 : 0;
                    for (Entry& e : rows_[i]) {
                        const bool damps = dot(way(i, e.other), v[i] - v[e.other]) < 0;
                        changed += damps != e.damps ? 1 : 0;
                        e.damps = damps;
                    }
                }
                return changed;
            },
            [](std::size_t a, std::size_t b) { return a + b; });
    }

    /// M v̂ − Δt Bᵀ K (ρ − ρ_f).
    Vectors<D> right_side(const Vectors<D>& start) const {
        std::vector<double> s(rows_.size());
        for (std::size_t i = 0; i < s.size(); ++i)
            s[i] = pushes_[i] ? dt_ * stiff_[i] * excess_[i] : 0;
        Vectors<D> r(rows_.size());
        for_range(context_.arena, r.size(), kGrain, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) r[i] = start[i] * mass_[i] - pressed(i, s);
        });
        return r;
    }

    /// (M + Δt² Bᵀ K B + Δt C) v.
    Vectors<D> apply(const Vectors<D>& v) const {
        std::vector<double> s = density_rate(v);
        for (std::size_t i = 0; i < s.size(); ++i)
            s[i] = pushes_[i] ? dt_ * dt_ * stiff_[i] * s[i] : 0;
        Vectors<D> r(rows_.size());
        for_range(context_.arena, r.size(), kGrain, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                r[i] = v[i] * mass_[i] + pressed(i, s);
                for (const Entry& e : rows_[i]) {
                    if (!e.damps) continue;
                    const Vec<double, D> x = way(i, e.other);
                    r[i] += x * (dt_ * double(e.damper) * dot(x, v[i] - v[e.other]));
                }
            }
        });
        return r;
    }

    /// About the diagonal of that, one number a particle.
    std::vector<double> diagonal() const {
        std::vector<double> d(rows_.size());
        for_range(context_.arena, d.size(), kGrain, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                d[i] = mass_[i];
                Vec<double, D> own{};
                for (const Entry& e : rows_[i]) {
                    const Vec<double, D> x = way(i, e.other), slope = x * double(e.slope);
                    own += slope * mass_[e.other];
                    if (pushes_[e.other])
                        d[i] += dt_ * dt_ * stiff_[e.other] * mass_[i] * mass_[i] *
                                dot(slope, slope) / D;
                    if (e.damps) d[i] += dt_ * double(e.damper) * dot(x, x) / D;
                }
                if (pushes_[i]) d[i] += dt_ * dt_ * stiff_[i] * dot(own, own) / D;
            }
        });
        return d;
    }

    /// P at the end of the step for a velocity.
    std::vector<double> pressure(const Vectors<D>& v, double stiffness) const {
        std::vector<double> p = density_rate(v);
        for (std::size_t i = 0; i < p.size(); ++i)
            p[i] = std::max(0.0, stiffness * (excess_[i] + dt_ * p[i]));
        return p;
    }

  private:
    struct Entry {
        std::uint32_t other;
        float slope;   ///< W′ / |x|
        float damper;  ///< m_p m_q μ 2h/(ρ_p + ρ_q) |W′|/|x| / (|x|² + ξ²)
        bool damps = false;
    };

    Vec<double, D> way(std::size_t i, std::size_t j) const {
        return foam_.position[i] - foam_.position[j];
    }
    void add(std::size_t i, std::size_t j, const FoamStates& states, const WetFoam& law) {
        const Vec<double, D> x = way(i, j);
        const double both = double(foam_.radius[i]) + double(foam_.radius[j]);
        const double h = law.support / 2 * both, distance = length(x);
        if (!(distance < h)) return;
        const double far = std::max(distance, 1e-3 * both);
        const double slope = 2 * sph::kNorm<D> / (sph::power<D>(h) * h) *
                             sph::omega_derivative(2 * distance / h) / far;
        const double by = law.viscosity_radius > 0 ? law.support * law.viscosity_radius : h;
        const double damper = -mass_[i] * mass_[j] * law.viscosity * 2 * by /
                              (states.density(i) + states.density(j)) * slope /
                              (distance * distance + kXi * kXi * h * h);
        rows_[i].push_back(
            {static_cast<std::uint32_t>(j), static_cast<float>(slope), static_cast<float>(damper)});
    }
    std::vector<double> density_rate(const Vectors<D>& v) const {
        std::vector<double> r(rows_.size());
        for_range(context_.arena, r.size(), kGrain, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                double sum = 0;
                for (const Entry& e : rows_[i])
                    sum +=
                        mass_[e.other] * double(e.slope) * dot(way(i, e.other), v[i] - v[e.other]);
                r[i] = sum;
            }
        });
        return r;
    }
    /// (Bᵀ s)_i.
    Vec<double, D> pressed(std::size_t i, const std::vector<double>& s) const {
        Vec<double, D> r{};
        for (const Entry& e : rows_[i])
            r += way(i, e.other) *
                 (double(e.slope) * (mass_[e.other] * s[i] + mass_[i] * s[e.other]));
        return r;
    }

    const Foam<D>& foam_;
    double dt_;
    Context& context_;
    std::vector<double> mass_, stiff_, excess_;
    std::vector<std::uint8_t> pushes_;
    std::vector<std::vector<Entry>> rows_;
};

/// Conjugate gradients from what v holds; returns the iterations.
template <int D>
int solve(Vectors<D>& v, const Vectors<D>& right, const FoamSystem<D>& system, Context& context) {
    const auto diagonal = system.diagonal();
    const auto scaled = [&](const Vectors<D>& r) {
        Vectors<D> z(r.size());
        for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] / diagonal[i];
        return z;
    };
    Vectors<D> r = system.apply(v);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = right[i] - r[i];
    Vectors<D> z = scaled(r), p = z;
    double rz = product<D>(r, z, context);
    const double enough = kTolerance * kTolerance * product<D>(right, scaled(right), context);
    int n = 0;
    for (; n < kIterations && rz > enough; ++n) {
        const Vectors<D> q = system.apply(p);
        const double along = product<D>(p, q, context);
        if (!(along > 0)) break;
        const double alpha = rz / along;
        for (std::size_t i = 0; i < v.size(); ++i) {
            v[i] += p[i] * alpha;
            r[i] -= q[i] * alpha;
        }
        z = scaled(r);
        const double next = product<D>(r, z, context), beta = next / rz;
        for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + p[i] * beta;
        rz = next;
    }
    return n;
}

}  // namespace

template <int D>
ImplicitFoam<D> implicit_acceleration(const Foam<D>& foam, std::span<const Vec<double, D>> other,
                                      std::span<const Vec<double, D>> normal,
                                      const FoamPairs<D>& pairs, const FoamStates& states,
                                      const WetFoam& law, double dt, Context& context) {
    Stage stage(context, "foam");
    ImplicitFoam<D> result;
    WetFoam cohesion = law;
    cohesion.viscosity = 0;
    Array<float> stress(foam.size());
    const auto pull = foam_acceleration(foam, pairs, states, stress, cohesion, context);
    Vectors<D> start(foam.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
        const Vec<double, D> v = foam.velocity[i] + (pull[i] + other[i]) * dt, n = normal[i];
        start[i] = v - n * dot(v, n);
    }
    FoamSystem<D> system(foam, pairs, states, law, dt, context);
    Vectors<D> v = start;
    system.choose(v);
    while (result.rounds < kRounds) {
        result.iterations += solve(v, system.right_side(start), system, context);
        ++result.rounds;
        if (system.choose(v) == 0) break;
    }
    const auto pressure = system.pressure(v, law.stiffness);
    FoamStates solved = states;
    auto records = solved.records.write();
    auto out = stress.write();
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double rho = states.density(i);
        for (int a = 0; a < D; ++a) records[i].v[a] = static_cast<float>(v[i][a]);
        out[i] = static_cast<float>(pressure[i] / (rho * rho));
    }
    result.acceleration = foam_acceleration(foam, pairs, solved, stress, law, context);
    return result;
}

#define SPUME_INSTANTIATE(D)                                                              \
    template ImplicitFoam<D> implicit_acceleration<D>(                                    \
        const Foam<D>&, std::span<const Vec<double, D>>, std::span<const Vec<double, D>>, \
        const FoamPairs<D>&, const FoamStates&, const WetFoam&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

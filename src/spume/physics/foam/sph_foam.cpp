// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/sph_foam.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "spume/physics/foam/foam_near.h"
#include "spume/physics/foam/sph_kernel.h"

namespace spume {
namespace {

constexpr float kXi = 0.1f;        // of h, [WFS22] §6.4
constexpr float kNearest = 1e-3f;  // of the sum of radii: where the direction of cohesion ends
constexpr double kCourant = 0.4;

/// Quanta of a radius: in 2³² of them fit 2¹⁰ radii to each side, farther than any pair is apart.
constexpr double kQuanta = 1 << 21;

/// A place in quanta, of which a metre has so many.
template <int D>
FoamPlace place_of(const Point<D>& x, float radius, double quanta) {
    FoamPlace p{{}, radius};
    for (int a = 0; a < D; ++a)
        p.at[a] = static_cast<std::int32_t>(static_cast<std::int64_t>(x[a] * quanta));
    return p;
}

/// `f` in the first `count` lanes, else 0: the rest only fills up.
Floats masked(const Floats& f, std::size_t count) {
    constexpr LaneMask kLane{0, 1, 2, 3, 4, 5, 6, 7};
    return kLane < static_cast<int>(count) ? f : Floats{};
}
double total(const Floats& f) {
    return ((double(f[0]) + double(f[1])) + (double(f[2]) + double(f[3]))) +
           ((double(f[4]) + double(f[5])) + (double(f[6]) + double(f[7])));
}

template <int D>
double smallest_radius(const Foam<D>& foam, Context& context) {
    return reduce(
        context.arena, foam.size(), 1 << 14, 1e300,
        [&](std::size_t b, std::size_t e) {
            return double(*std::min_element(foam.radius.data() + b, foam.radius.data() + e));
        },
        [](double a, double b) { return std::min(a, b); });
}

/// Constants of the loop over pairs, in floats.
struct PairLaw {
    float quantum;            ///< of places, m
    float half_beta, ratio;   ///< ratio: h / h^c
    float rest;               ///< 2 σ ρ_0
    float stiffness, packed;  ///< κ, ρ_f
    float mu, by_h, length;   ///< 2μ, and its length by_h · h + length
    float cohesion;           ///< C σ ratio⁽ᴰ⁺¹⁾
};

template <int D>
PairLaw pair_law(const WetFoam& law, double quantum) {
    const double ratio = law.support / law.cohesion_range;
    PairLaw p{};
    p.quantum = static_cast<float>(quantum);
    p.half_beta = static_cast<float>(law.support / 2);
    p.ratio = static_cast<float>(ratio);
    p.rest =
        static_cast<float>(2 * sph::kNorm<D> * law.density / sph::packed_ratio<D>(law.support));
    p.stiffness = static_cast<float>(law.stiffness);
    p.packed = static_cast<float>(law.density);
    p.mu = static_cast<float>(2 * law.viscosity);
    p.by_h = law.viscosity_radius > 0 ? 0 : 1;
    p.length = static_cast<float>(law.support * law.viscosity_radius);
    p.cohesion = static_cast<float>(law.cohesion * sph::kNorm<D> * ratio * sph::power<D>(ratio));
    return p;
}

/// P/ρ² as the law has it.
class StressOfLaw {
  public:
    StressOfLaw(const FoamRecord* records, const PairLaw& law) : records_(records), law_(law) {}
    float own(std::size_t i) const {
        const float rho = records_[i].density;
        return std::max(law_.stiffness * (rho - law_.packed), 0.0f) / (rho * rho);
    }
    Floats near(const EightRecords& records, const std::uint32_t*) const {
        const Floats& rho = records.density;
        return sph::positive(law_.stiffness * (rho - law_.packed)) / (rho * rho);
    }

  private:
    const FoamRecord* records_;
    const PairLaw& law_;
};

/// P/ρ² as it is given.
class StressGiven {
  public:
    explicit StressGiven(const float* stress) : stress_(stress) {}
    float own(std::size_t i) const { return stress_[i]; }
    Floats near(const EightRecords&, const std::uint32_t* others) const {
        Floats r;
        for (int k = 0; k < kLanes; ++k) r[k] = stress_[others[k]];
        return r;
    }

  private:
    const float* stress_;
};

/// f_pq r_pᴰ r_qᴰ, where a_p = Σ V_q f_pq (x_p − x_q). Nothing here may depend on which of the two
/// particles asks.
template <int D>
Floats forces(const EightRecords& near, const FoamRecord& own, const Floats& stresses,
              const PairLaw& law) {
    const Floats both = own.place.radius + near.radius;
    const Floats h = law.half_beta * both, inverse = 1.0f / h;
    const Floats distance = law.quantum * root(near.square());
    const Floats least = kNearest * both;
    const Floats per_distance = 1.0f / (least + sph::positive(distance - least));
    const Floats q = 2.0f * distance * inverse;
    Floats approach = (own.v[0] - near.v[0]) * near.d[0];
    for (int a = 1; a < D; ++a) approach += (own.v[a] - near.v[a]) * near.d[a];
    const Floats softened = distance * distance + kXi * kXi * (h * h);
    const Floats viscous = law.mu * (law.by_h * h + law.length) *
                           sph::positive(-law.quantum * approach) /
                           ((own.density + near.density) * softened);
    // W′ / |x|, and what pulls; both times hᴰ⁺¹.
    const Floats slope = sph::omega_derivative(q) * per_distance;
    const Floats pulled = law.cohesion * (1.0f - both * per_distance) * sph::omega(law.ratio * q);
    const Floats volumes = sph::power<D>(own.place.radius * near.radius * inverse) * inverse;
    return -(law.rest * (stresses + viscous) * slope + pulled) * volumes;
}

/// A vector of up to four numbers that fills a register.
struct alignas(32) Wide {
    double v[kDoubleLanes] = {};

    Wide() = default;
    template <int D>
    explicit Wide(const Vec<double, D>& x) {
        for (int a = 0; a < D; ++a) v[a] = x[a];
    }
};

/// Sums of forces on the particles of a tile.
template <int D>
class TileForces {
  public:
    TileForces(std::size_t first, std::size_t count, const Point<D>* x)
        : first_(first), x_(x), place_(count), sum_(count) {
        for (std::size_t i = 0; i < count; ++i) place_[i] = Wide(x[first + i]);
    }
    /// f · way from each of the others to a particle, for both where it is mutual.
    void add(std::size_t i, const std::uint32_t* others, std::size_t mutual, std::size_t count,
             const Floats& f) {
        double factor[kLanes];
        for (int k = 0; k < kLanes; ++k) factor[k] = double(f[k]);
        Doubles own = lanes(sum_[i - first_].v);
        const Doubles from = lanes(place_[i - first_].v);
        std::size_t n = 0;
        for (; n < mutual; ++n) {
            const std::size_t j = others[n] - first_;
            const Doubles pair = (from - lanes(place_[j].v)) * factor[n];
            own += pair;
            lanes(sum_[j].v) -= pair;
        }
        for (; n < count; ++n) own += (from - lanes(Wide(x_[others[n]]).v)) * factor[n];
        lanes(sum_[i - first_].v) = own;
    }
    Vec<double, D> sum(std::size_t i) const {
        Vec<double, D> r{};
        for (int a = 0; a < D; ++a) r[a] = sum_[i - first_].v[a];
        return r;
    }

  private:
    std::size_t first_;
    const Point<D>* x_;
    std::vector<Wide> place_, sum_;
};

}  // namespace

double foam_reach(const WetFoam& law) {
    return law.cohesion > 0 ? std::max(law.support, law.cohesion_range) : law.support;
}

double foam_pressure(double density, const WetFoam& law) {
    return std::max(law.stiffness * (density - law.density), 0.0);
}

namespace {

/// Writes ρ_p into the records, which have the places.
template <int D>
void add_densities(FoamStates& states, const FoamPairs<D>& pairs, const WetFoam& law,
                   Context& context) {
    FoamRecord* record = states.records.write().data();
    const double rest = law.density / sph::packed_ratio<D>(law.support);
    const double scale = sph::kNorm<D> * bubble_volume<D>(1.0);
    const float half_beta = static_cast<float>(law.support / 2),
                twice = static_cast<float>(2 * states.quantum);
    // V W(0) of a particle itself does not depend on its radius.
    const double self = bubble_volume<D>(1.0) * sph::kernel<D>(0, law.support);
    pairs.for_tiles(
        [&](const auto& tile) {
            std::vector<double> sum(tile.size());
            tile.for_each([&](std::size_t i, const std::uint32_t* others, std::size_t mutual,
                              std::size_t count) {
                const FoamPlace& place = record[i].place;
                Floats own{};
                for (std::size_t n = 0; n < count; n += kLanes) {
                    const EightPlaces near(
                        [&](std::uint32_t j) -> const FoamPlace& { return record[j].place; }, place,
                        others + n);
                    const Floats inverse = 1.0f / (half_beta * (place.radius + near.radius));
                    const Floats w = sph::omega(twice * root(near.square()) * inverse);
                    own += masked(sph::power<D>(near.radius * inverse) * w, count - n);
                    const Floats back = sph::power<D>(place.radius * inverse) * w;
                    for (std::size_t k = n; k < std::min(mutual, n + kLanes); ++k)
                        sum[others[k] - tile.first()] += double(back[k - n]);
                }
                sum[i - tile.first()] += total(own);
            });
            for (std::size_t i = 0; i < sum.size(); ++i)
                record[tile.first() + i].density =
                    static_cast<float>(rest * (self + scale * sum[i]));
        },
        context);
}

/// take(i, a_i) for each particle, each of which once, by any thread.
template <int D, class Stress, class Take>
void for_accelerations(const Foam<D>& foam, const FoamPairs<D>& pairs, const FoamStates& states,
                       const PairLaw& law, const Stress& stress, Context& context, Take&& take) {
    Stage stage(context, "foam");
    const FoamRecord* record = states.records.data();
    const Point<D>* x = foam.position.data();
    const float* radius = foam.radius.data();
    pairs.for_tiles(
        [&](const auto& tile) {
            TileForces<D> sums(tile.first(), tile.size(), x);
            tile.for_each([&](std::size_t i, const std::uint32_t* others, std::size_t mutual,
                              std::size_t count) {
                const float own = stress.own(i);
                for (std::size_t n = 0; n < count; n += kLanes) {
                    const EightRecords near(record, record[i], others + n);
                    const std::size_t here = std::min<std::size_t>(count - n, kLanes);
                    sums.add(i, others + n, mutual > n ? std::min(mutual - n, here) : 0, here,
                             forces<D>(near, record[i], own + stress.near(near, others + n), law));
                }
            });
            for (std::size_t i = tile.first(); i < tile.last(); ++i)
                take(i, sums.sum(i) * (bubble_volume<D>(1.0) / sph::power<D>(double(radius[i]))));
        },
        context);
}

template <int D, class Stress>
Array<Vec<double, D>> accelerations(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                    const FoamStates& states, const PairLaw& law,
                                    const Stress& stress, Context& context) {
    Array<Vec<double, D>> all;
    all.resize_discard(foam.size());
    auto* out = all.write().data();
    for_accelerations(foam, pairs, states, law, stress, context,
                      [&](std::size_t i, const Vec<double, D>& a) { out[i] = a; });
    return all;
}

}  // namespace

template <int D>
FoamStates foam_states(const Foam<D>& foam, const FoamPairs<D>& pairs, const WetFoam& law,
                       Context& context) {
    Stage stage(context, "foam");
    FoamStates states;
    states.records.resize_discard(foam.size());
    states.quantum = smallest_radius(foam, context) / kQuanta;
    FoamRecord* out = states.records.write().data();
    const double quanta = 1 / states.quantum;
    for_range(context.arena, foam.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            FoamRecord r{place_of<D>(foam.position[i], foam.radius[i], quanta), {}, 0};
            for (int a = 0; a < D; ++a) r.v[a] = static_cast<float>(foam.velocity[i][a]);
            out[i] = r;
        }
    });
    add_densities(states, pairs, law, context);
    return states;
}

template <int D>
Array<Vec<double, D>> foam_acceleration(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                        const FoamStates& states, const WetFoam& law,
                                        Context& context) {
    const PairLaw pair = pair_law<D>(law, states.quantum);
    return accelerations(foam, pairs, states, pair, StressOfLaw(states.records.data(), pair),
                         context);
}

template <int D>
Array<Vec<double, D>> foam_acceleration(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                        const FoamStates& states, const Array<float>& stress,
                                        const WetFoam& law, Context& context) {
    const PairLaw pair = pair_law<D>(law, states.quantum);
    return accelerations(foam, pairs, states, pair, StressGiven(stress.data()), context);
}

template <int D>
void push_foam(Foam<D>& foam, const FoamPairs<D>& pairs, const FoamStates& states,
               const WetFoam& law, double dt, Context& context) {
    auto* v = foam.velocity.write().data();
    const PairLaw pair = pair_law<D>(law, states.quantum);
    for_accelerations(foam, pairs, states, pair, StressOfLaw(states.records.data(), pair), context,
                      [&](std::size_t i, const Vec<double, D>& a) { v[i] += a * dt; });
}

template <int D>
StepLimit foam_limit(const WetFoam& law, double smallest, double mean) {
    // Rows of the linearised forces of a packed layer, for r = 1 and μ = C = 1.
    const double eta = sph::packed_ratio<D>(law.support), volume = bubble_volume<D>(1);
    double viscous = 0, cohesive = 0;
    const auto soft = double(kXi) * kXi * law.support * law.support;
    sph::for_packed<D>(foam_reach(law), [&](double d) {
        const double q = 2 * d / law.support, scale = sph::power<D>(law.support);
        if (d < law.support)
            viscous -= volume / eta * law.support * d * d / (d * d + soft) * 4 * sph::kNorm<D> /
                       (scale * law.support * law.support) * sph::omega_slope(q);
        if (d > 0) cohesive += volume * sph::kernel<D>(d, law.cohesion_range) / law.cohesion_range;
    });
    const double r = smallest, size = law.viscosity_radius > 0 ? law.viscosity_radius / r : 1;
    StepLimit limit;
    const auto also = [&](double seconds, const char* key, double value) {
        limit.also({seconds,
                    fmt::format("foam of radius {:.3g} m with foam.{} = {:.4g}", r, key, value),
                    fmt::format("lower foam.{}, or make larger bubbles", key)});
    };
    const bool implicit = law.integration == FoamIntegration::kImplicit;
    also(kCourant * law.support * (implicit ? mean : r) / std::sqrt(law.stiffness), "stiffness",
         law.stiffness);
    if (law.viscosity > 0 && !implicit)
        also(0.5 * r / (law.viscosity * size * viscous), "viscosity", law.viscosity);
    if (law.cohesion > 0)
        also(0.5 * std::sqrt(r / (law.cohesion * cohesive)), "cohesion", law.cohesion);
    return limit;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template FoamStates foam_states<D>(const Foam<D>&, const FoamPairs<D>&, const WetFoam&,      \
                                       Context&);                                                \
    template Array<Vec<double, D>> foam_acceleration<D>(                                         \
        const Foam<D>&, const FoamPairs<D>&, const FoamStates&, const WetFoam&, Context&);       \
    template Array<Vec<double, D>> foam_acceleration<D>(const Foam<D>&, const FoamPairs<D>&,     \
                                                        const FoamStates&, const Array<float>&,  \
                                                        const WetFoam&, Context&);               \
    template void push_foam<D>(Foam<D>&, const FoamPairs<D>&, const FoamStates&, const WetFoam&, \
                               double, Context&);                                                \
    template StepLimit foam_limit<D>(const WetFoam&, double, double);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

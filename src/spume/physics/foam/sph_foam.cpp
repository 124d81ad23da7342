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
    float quantum;           ///< of places, m
    float half_beta, ratio;  ///< ratio: h / h^c
    float rest;              ///< 2 σ ρ_0
    float mu, by_h, length;  ///< 2μ, and its length by_h · h + length
    float cohesion;          ///< C σ ratio⁽ᴰ⁺¹⁾
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
    p.mu = static_cast<float>(2 * law.viscosity);
    p.by_h = law.viscosity_radius > 0 ? 0 : 1;
    p.length = static_cast<float>(law.support * law.viscosity_radius);
    p.cohesion = static_cast<float>(law.cohesion * sph::kNorm<D> * ratio * sph::power<D>(ratio));
    return p;
}

/// f_pq r_pᴰ r_qᴰ, where a_p = Σ V_q f_pq (x_p − x_q). Nothing here may depend on which of the two
/// particles asks.
template <int D>
Floats forces(const EightRecords& near, const FoamRecord& own, float own_stress,
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
    return -(law.rest * ((own_stress + near.stress) + viscous) * slope + pulled) * volumes;
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

template <int D>
FoamStates foam_states(const Foam<D>& foam, const Array<float>& density, const WetFoam& law,
                       Context& context) {
    FoamStates states;
    states.records.resize_discard(foam.size());
    states.stress.resize_discard(foam.size());
    states.quantum = smallest_radius(foam, context) / kQuanta;
    FoamRecord* out = states.records.write().data();
    float* stress = states.stress.write().data();
    const double quanta = 1 / states.quantum;
    for_range(context.arena, foam.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const double rho = density[i];
            FoamRecord r{place_of<D>(foam.position[i], foam.radius[i], quanta), {}, density[i]};
            for (int a = 0; a < D; ++a) r.v[a] = static_cast<float>(foam.velocity[i][a]);
            out[i] = r;
            stress[i] = static_cast<float>(foam_pressure(rho, law) / (rho * rho));
        }
    });
    return states;
}

template <int D>
Array<float> foam_density(const Foam<D>& foam, const FoamPairs<D>& pairs, const WetFoam& law,
                          Context& context) {
    Stage stage(context, "foam");
    Array<float> density;
    Array<FoamPlace> places;
    density.resize_discard(foam.size());
    places.resize_discard(foam.size());
    float* out = density.write().data();
    FoamPlace* place = places.write().data();
    const double quantum = smallest_radius(foam, context) / kQuanta;
    for_range(context.arena, foam.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i)
            place[i] = place_of<D>(foam.position[i], foam.radius[i], 1 / quantum);
    });
    const double rest = law.density / sph::packed_ratio<D>(law.support);
    const double scale = sph::kNorm<D> * bubble_volume<D>(1.0);
    const float half_beta = static_cast<float>(law.support / 2),
                twice = static_cast<float>(2 * quantum);
    // V W(0) of a particle itself does not depend on its radius.
    const double self = bubble_volume<D>(1.0) * sph::kernel<D>(0, law.support);
    pairs.for_tiles(
        [&](const auto& tile) {
            std::vector<double> sum(tile.size());
            tile.for_each([&](std::size_t i, const std::uint32_t* others, std::size_t mutual,
                              std::size_t count) {
                Floats own{};
                for (std::size_t n = 0; n < count; n += kLanes) {
                    const EightPlaces near(
                        [&](std::uint32_t j) -> const auto& { return place[j]; }, place[i],
                        others + n);
                    const Floats inverse = 1.0f / (half_beta * (place[i].radius + near.radius));
                    const Floats w = sph::omega(twice * root(near.square()) * inverse);
                    own += masked(sph::power<D>(near.radius * inverse) * w, count - n);
                    const Floats back = sph::power<D>(place[i].radius * inverse) * w;
                    for (std::size_t k = n; k < std::min(mutual, n + kLanes); ++k)
                        sum[others[k] - tile.first()] += double(back[k - n]);
                }
                sum[i - tile.first()] += total(own);
            });
            for (std::size_t i = 0; i < sum.size(); ++i)
                out[tile.first() + i] = static_cast<float>(rest * (self + scale * sum[i]));
        },
        context);
    return density;
}

template <int D>
Array<Vec<double, D>> pair_acceleration(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                        const FoamStates& states, const WetFoam& law,
                                        Context& context) {
    Stage stage(context, "foam");
    Array<Vec<double, D>> acceleration;
    acceleration.resize_discard(foam.size());
    auto* out = acceleration.write().data();
    const PairLaw pair = pair_law<D>(law, states.quantum);
    const FoamRecord* record = states.records.data();
    const float* stress = states.stress.data();
    pairs.for_tiles(
        [&](const auto& tile) {
            TileForces<D> sums(tile.first(), tile.size(), foam.position.data());
            tile.for_each([&](std::size_t i, const std::uint32_t* others, std::size_t mutual,
                              std::size_t count) {
                for (std::size_t n = 0; n < count; n += kLanes) {
                    const EightRecords near(record, stress, record[i], others + n);
                    const std::size_t here = std::min<std::size_t>(count - n, kLanes);
                    sums.add(i, others + n, mutual > n ? std::min(mutual - n, here) : 0, here,
                             forces<D>(near, record[i], stress[i], pair));
                }
            });
            for (std::size_t i = tile.first(); i < tile.last(); ++i)
                out[i] =
                    sums.sum(i) * (bubble_volume<D>(1.0) / sph::power<D>(double(foam.radius[i])));
        },
        context);
    return acceleration;
}

template <int D>
Array<Vec<double, D>> foam_acceleration(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                        const Array<float>& density, const WetFoam& law,
                                        Context& context) {
    return pair_acceleration(foam, pairs, foam_states(foam, density, law, context), law, context);
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

#define SPUME_INSTANTIATE(D)                                                                   \
    template Array<float> foam_density<D>(const Foam<D>&, const FoamPairs<D>&, const WetFoam&, \
                                          Context&);                                           \
    template Array<Vec<double, D>> foam_acceleration<D>(                                       \
        const Foam<D>&, const FoamPairs<D>&, const Array<float>&, const WetFoam&, Context&);   \
    template FoamStates foam_states<D>(const Foam<D>&, const Array<float>&, const WetFoam&,    \
                                       Context&);                                              \
    template Array<Vec<double, D>> pair_acceleration<D>(                                       \
        const Foam<D>&, const FoamPairs<D>&, const FoamStates&, const WetFoam&, Context&);     \
    template StepLimit foam_limit<D>(const WetFoam&, double, double);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

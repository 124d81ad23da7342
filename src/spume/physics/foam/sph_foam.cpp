// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/sph_foam.h"

#include <algorithm>
#include <cmath>

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

/// Places in quanta of so many metres.
template <int D>
Array<FoamPlace> foam_places(const Foam<D>& foam, double quantum, Context& context) {
    Array<FoamPlace> places;
    places.resize_discard(foam.size());
    FoamPlace* out = places.write().data();
    const double inverse = 1 / quantum;
    for_range(context.arena, foam.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            out[i] = {{}, foam.radius[i]};
            for (int a = 0; a < D; ++a)
                out[i].at[a] = static_cast<std::int32_t>(
                    static_cast<std::int64_t>(foam.position[i][a] * inverse));
        }
    });
    return places;
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
    float half_beta, half_beta_c, ratio;  ///< ratio: h / h^c
    float rest;                           ///< ρ_0
    float mu, by_h, length;               ///< 2μ, and its length by_h · h + length
    float cohesion;
};

template <int D>
PairLaw pair_law(const WetFoam& law) {
    PairLaw p{};
    p.half_beta = static_cast<float>(law.support / 2);
    p.half_beta_c = static_cast<float>(law.cohesion_range / 2);
    p.ratio = static_cast<float>(law.support / law.cohesion_range);
    p.rest = static_cast<float>(law.density / sph::packed_ratio<D>(law.support));
    p.mu = static_cast<float>(2 * law.viscosity);
    p.by_h = law.viscosity_radius > 0 ? 0 : 1;
    p.length = static_cast<float>(law.support * law.viscosity_radius);
    p.cohesion = static_cast<float>(law.cohesion);
    return p;
}

/// Factors of volume and way whose sum is the acceleration. Nothing here may depend on which of the
/// two particles asks.
template <int D>
Floats forces(const EightRecords<D>& near, const FoamRecord& own, const PairLaw& law) {
    const float norm = static_cast<float>(sph::kNorm<D>);
    const Floats both = own.radius + near.radius;
    const Floats h = law.half_beta * both, inverse = 1.0f / h;
    const Floats square = near.square(), distance = root(square);
    const Floats least = kNearest * both;
    const Floats per_distance = 1.0f / (least + sph::positive(distance - least));
    // W′ / |x|
    const Floats slope = 2 * norm * sph::power<D>(inverse) * inverse *
                         sph::omega_derivative(2.0f * distance * inverse) * per_distance;
    Floats approach = (own.v[0] - near.v[0]) * near.d[0];
    for (int a = 1; a < D; ++a) approach += (own.v[a] - near.v[a]) * near.d[a];
    const Floats softened = square + kXi * kXi * (h * h);
    const Floats viscous = law.mu * (law.by_h * h + law.length) * sph::positive(-approach) /
                           ((own.density + near.density) * softened);
    const Floats inverse_c = inverse * law.ratio;
    const Floats pulled = law.cohesion * (1.0f - both * per_distance) * inverse_c * norm *
                          sph::power<D>(inverse_c) * sph::omega(2.0f * distance * inverse_c);
    return -law.rest * ((own.stress + near.stress) + viscous) * slope - pulled;
}

}  // namespace

double foam_reach(const WetFoam& law) {
    return law.cohesion > 0 ? std::max(law.support, law.cohesion_range) : law.support;
}

double foam_pressure(double density, const WetFoam& law) {
    return std::max(law.stiffness * (density - law.density), 0.0);
}

template <int D>
Array<FoamRecord> foam_records(const Foam<D>& foam, const Array<float>& density, const WetFoam& law,
                               Context& context) {
    Array<FoamRecord> records;
    records.resize_discard(foam.size());
    FoamRecord* out = records.write().data();
    for_range(context.arena, foam.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const double rho = density[i];
            FoamRecord r{};
            for (int a = 0; a < D; ++a) r.v[a] = static_cast<float>(foam.velocity[i][a]);
            r.radius = foam.radius[i];
            r.density = density[i];
            r.stress = static_cast<float>(foam_pressure(rho, law) / (rho * rho));
            out[i] = r;
        }
    });
    return records;
}

template <int D>
Array<float> foam_density(const Foam<D>& foam, const FoamPairs<D>& pairs, const WetFoam& law,
                          Context& context) {
    Stage stage(context, "foam");
    Array<float> density;
    density.resize_discard(foam.size());
    float* out = density.write().data();
    const double rest = law.density / sph::packed_ratio<D>(law.support);
    const double quantum = smallest_radius(foam, context) / kQuanta;
    const auto places = foam_places(foam, quantum, context);
    const FoamPlace* place = places.data();
    const double scale = sph::kNorm<D> * bubble_volume<D>(1.0);
    const float half_beta = static_cast<float>(law.support / 2),
                twice = static_cast<float>(2 * quantum);
    // V W(0) of a particle itself does not depend on its radius.
    const double self = bubble_volume<D>(1.0) * sph::kernel<D>(0, law.support);
    pairs.for_each(
        [&](std::size_t i, const std::uint32_t* others, std::size_t count) {
            Floats sum{};
            for (std::size_t n = 0; n < count; n += kLanes) {
                const EightPlaces near(place, place[i], others + n);
                const Floats inverse = 1.0f / (half_beta * (place[i].radius + near.radius));
                const Floats part = near.radius * inverse,
                             q = twice * root(near.square()) * inverse;
                sum += masked(sph::power<D>(part) * sph::omega(q), count - n);
            }
            out[i] = static_cast<float>(rest * (self + scale * total(sum)));
        },
        context);
    return density;
}

template <int D>
Array<Vec<double, D>> pair_acceleration(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                        const Array<FoamRecord>& records, const WetFoam& law,
                                        Context& context) {
    Stage stage(context, "foam");
    Array<Vec<double, D>> acceleration;
    acceleration.resize_discard(foam.size());
    auto* out = acceleration.write().data();
    const PairLaw pair = pair_law<D>(law);
    const Point<D>* x = foam.position.data();
    const FoamRecord* record = records.data();
    pairs.for_each(
        [&](std::size_t i, const std::uint32_t* others, std::size_t count) {
            Doubles sum[D] = {};
            for (std::size_t n = 0; n < count; n += kLanes) {
                // Who fills up is the particle itself, at no distance.
                const EightRecords<D> near(x, record, x[i], others + n);
                const Floats f = forces(near, record[i], pair);
                for (int half = 0; half < 2; ++half) {
                    const Doubles w = near.weighted(f, half);
                    for (int a = 0; a < D; ++a) sum[a] += w * near.away[a][half];
                }
            }
            for (int a = 0; a < D; ++a)
                out[i][a] = (sum[a][0] + sum[a][1]) + (sum[a][2] + sum[a][3]);
        },
        context);
    return acceleration;
}

template <int D>
Array<Vec<double, D>> foam_acceleration(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                        const Array<float>& density, const WetFoam& law,
                                        Context& context) {
    return pair_acceleration(foam, pairs, foam_records(foam, density, law, context), law, context);
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

#define SPUME_INSTANTIATE(D)                                                                      \
    template Array<float> foam_density<D>(const Foam<D>&, const FoamPairs<D>&, const WetFoam&,    \
                                          Context&);                                              \
    template Array<Vec<double, D>> foam_acceleration<D>(                                          \
        const Foam<D>&, const FoamPairs<D>&, const Array<float>&, const WetFoam&, Context&);      \
    template Array<FoamRecord> foam_records<D>(const Foam<D>&, const Array<float>&,               \
                                               const WetFoam&, Context&);                         \
    template Array<Vec<double, D>> pair_acceleration<D>(                                          \
        const Foam<D>&, const FoamPairs<D>&, const Array<FoamRecord>&, const WetFoam&, Context&); \
    template StepLimit foam_limit<D>(const WetFoam&, double, double);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

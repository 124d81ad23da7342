// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/sph_foam.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "spume/physics/foam/sph_kernel.h"

namespace spume {
namespace {

constexpr float kXi = 0.1f;        // of h, [WFS22] §6.4
constexpr float kNearest = 1e-3f;  // of the sum of radii: where the direction of cohesion ends
constexpr double kCourant = 0.4;

typedef double Four __attribute__((vector_size(32)));
typedef float FourFloats __attribute__((vector_size(16)));

/// Copies of the particles near a cell, one array a quantity, so that loops over them run several
/// at once; filled up to a multiple of four with particles that are far away.
template <int D>
struct NearFoam {
    std::size_t count = 0;
    std::vector<double> x[D], away[D], volume;
    std::vector<float> v[D], radius, density, stress, squared, factor;

    void reserve(std::size_t size) {
        if (radius.size() >= size) return;
        size += size / 2 + 16;
        for (int a = 0; a < D; ++a) x[a].resize(size), away[a].resize(size), v[a].resize(size);
        volume.resize(size);
        for (auto* column : {&radius, &density, &stress, &squared, &factor}) column->resize(size);
    }
    void add_places(const Foam<D>& foam, std::size_t first, std::size_t last) {
        reserve(count + last - first + 4);
        for (std::size_t i = first; i < last; ++i, ++count) {
            for (int a = 0; a < D; ++a) x[a][count] = foam.position[i][a];
            radius[count] = foam.radius[i];
            volume[count] = bubble_volume<D>(double(foam.radius[i]));
        }
    }
    void add(const Foam<D>& foam, const Array<float>& densities, const Array<float>& stresses,
             std::size_t first, std::size_t last) {
        std::size_t n = count;
        add_places(foam, first, last);
        for (std::size_t i = first; i < last; ++i, ++n) {
            for (int a = 0; a < D; ++a) v[a][n] = static_cast<float>(foam.velocity[i][a]);
            density[n] = densities[i];
            stress[n] = stresses[i];
        }
    }
    void fill_up() {
        for (; count % 4 != 0; ++count) {
            for (int a = 0; a < D; ++a) x[a][count] = 1e18, v[a][count] = 0;
            radius[count] = density[count] = 1;
            stress[count] = 0;
            volume[count] = 0;
        }
    }
    /// Ways from them to a point, and their squared lengths.
    void measure(const Point<D>& from) {
        float* r = squared.data();
        if constexpr (D == 2) {
            const double *px = x[0].data(), *py = x[1].data();
            double *dx = away[0].data(), *dy = away[1].data();
            for (std::size_t j = 0; j < count; ++j) {
                const double a = from[0] - px[j], b = from[1] - py[j];
                dx[j] = a, dy[j] = b;
                r[j] = static_cast<float>(a * a + b * b);
            }
        } else {
            const double *px = x[0].data(), *py = x[1].data(), *pz = x[2].data();
            double *dx = away[0].data(), *dy = away[1].data(), *dz = away[2].data();
            for (std::size_t j = 0; j < count; ++j) {
                const double a = from[0] - px[j], b = from[1] - py[j], c = from[2] - pz[j];
                dx[j] = a, dy[j] = b, dz[j] = c;
                r[j] = static_cast<float>(a * a + b * b + c * c);
            }
        }
    }
    /// Σ volume · factor.
    double sum() const {
        Four s{};
        for (std::size_t j = 0; j < count; j += 4) s += weighted(j);
        return (s[0] + s[1]) + (s[2] + s[3]);
    }
    /// Σ volume · factor · away.
    Vec<double, D> pull() const {
        Four s[D] = {};
        for (std::size_t j = 0; j < count; j += 4) {
            const Four w = weighted(j);
            for (int a = 0; a < D; ++a) {
                Four d;
                std::memcpy(&d, away[a].data() + j, sizeof d);
                s[a] += w * d;
            }
        }
        Vec<double, D> r{};
        for (int a = 0; a < D; ++a) r[a] = (s[a][0] + s[a][1]) + (s[a][2] + s[a][3]);
        return r;
    }

  private:
    Four weighted(std::size_t j) const {
        FourFloats f;
        Four air;
        std::memcpy(&f, factor.data() + j, sizeof f);
        std::memcpy(&air, volume.data() + j, sizeof air);
        return air * __builtin_convertvector(f, Four);
    }
};

/// visit(near, first, last) for each cell that holds particles: gather(near, first, last) has been
/// called for all that may be near them.
template <int D, class Gather, class Visit>
void for_cells(const FoamCells<D>& cells, Gather&& gather, Visit&& visit, Context& context) {
    const auto pieces = foam_pieces(cells);
    for_range(context.arena, pieces.size(), 2, [&](std::size_t b, std::size_t e) {
        NearFoam<D> near;
        for (std::size_t n = b; n < e; ++n) {
            const auto& own = cells.classes[pieces[n].which];
            const int t = pieces[n].tile;
            for (int o = 0; o < kTileCells<D>; ++o) {
                const std::size_t place = std::size_t(t) * kTileCells<D> + std::size_t(o);
                if (own.cells.count(place) == 0) continue;
                near.count = 0;
                for_near<D>(
                    cells, own, own.tiles->origin(t) + tile_local<D>(o),
                    [&](std::size_t first, std::size_t last) { gather(near, first, last); });
                near.fill_up();
                visit(near, own.first + own.cells.first(place), own.first + own.cells.last(place));
            }
        }
    });
}

/// W_pq as factors.
template <int D>
void set_kernels(NearFoam<D>& near, float radius, float half_beta) {
    const float norm = static_cast<float>(sph::kNorm<D>);
    const float *squared = near.squared.data(), *radii = near.radius.data();
    float* out = near.factor.data();
    for (std::size_t j = 0; j < near.count; ++j) {
        const float inverse = 1 / (half_beta * (radius + radii[j]));
        const float q = 2 * std::sqrt(squared[j]) * inverse;
        out[j] = norm * sph::power<D>(inverse) * sph::omega(q);
    }
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

/// One particle among those near.
template <int D>
struct Own {
    float v[D], radius, density, stress;
};

/// Factors of volume and way whose sum is the acceleration. Nothing here may depend on which of the
/// two particles asks.
template <int D>
void set_forces(NearFoam<D>& near, const Own<D>& own, const PairLaw& law) {
    const float norm = static_cast<float>(sph::kNorm<D>);
    const float *squared = near.squared.data(), *radii = near.radius.data();
    const float *density = near.density.data(), *stress = near.stress.data();
    const double *dx = near.away[0].data(), *dy = near.away[1].data(),
                 *dz = near.away[D - 1].data();
    const float *vx = near.v[0].data(), *vy = near.v[1].data(), *vz = near.v[D - 1].data();
    float* out = near.factor.data();
    const float v0 = own.v[0], v1 = own.v[1], v2 = own.v[D - 1];
    for (std::size_t j = 0; j < near.count; ++j) {
        const float both = own.radius + radii[j];
        const float h = law.half_beta * both, inverse = 1 / h;
        const float square = squared[j], distance = std::sqrt(square), q = 2 * distance * inverse;
        // W′ / |x|
        const float slope =
            4 * norm * sph::power<D>(inverse) * inverse * inverse * sph::omega_slope(q);
        float approach =
            (v0 - vx[j]) * static_cast<float>(dx[j]) + (v1 - vy[j]) * static_cast<float>(dy[j]);
        if constexpr (D == 3) approach += (v2 - vz[j]) * static_cast<float>(dz[j]);
        const float softened = square + kXi * kXi * h * h;
        const float viscous = law.mu * (law.by_h * h + law.length) * sph::positive(-approach) /
                              ((own.density + density[j]) * softened);
        const float inverse_c = inverse * law.ratio, q_c = 2 * distance * inverse_c;
        const float least = kNearest * both, far = least + sph::positive(distance - least);
        const float pulled = law.cohesion * (1 - both / far) * inverse_c * norm *
                             sph::power<D>(inverse_c) * sph::omega(q_c);
        out[j] = -law.rest * ((own.stress + stress[j]) + viscous) * slope - pulled;
    }
}

}  // namespace

double foam_reach(const WetFoam& law) {
    return law.cohesion > 0 ? std::max(law.support, law.cohesion_range) : law.support;
}

double foam_pressure(double density, const WetFoam& law) {
    return std::max(law.stiffness * (density - law.density), 0.0);
}

template <int D>
Array<float> foam_density(const Foam<D>& foam, const FoamCells<D>& cells, const WetFoam& law,
                          Context& context) {
    Stage stage(context, "foam");
    Array<float> density;
    density.resize_discard(foam.size());
    float* out = density.write().data();
    const double rest = law.density / sph::packed_ratio<D>(law.support);
    const float half_beta = static_cast<float>(law.support / 2);
    for_cells<D>(
        cells,
        [&](NearFoam<D>& near, std::size_t first, std::size_t last) {
            near.add_places(foam, first, last);
        },
        [&](NearFoam<D>& near, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                near.measure(foam.position[i]);
                set_kernels(near, foam.radius[i], half_beta);
                out[i] = static_cast<float>(rest * near.sum());
            }
        },
        context);
    return density;
}

template <int D>
Array<Vec<double, D>> foam_acceleration(const Foam<D>& foam, const FoamCells<D>& cells,
                                        const Array<float>& density, const WetFoam& law,
                                        Context& context) {
    Stage stage(context, "foam");
    Array<float> stress;  // P / ρ²
    Array<Vec<double, D>> acceleration;
    stress.resize_discard(foam.size());
    acceleration.resize_discard(foam.size());
    float* s = stress.write().data();
    auto* out = acceleration.write().data();
    for_range(context.arena, foam.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const double rho = density[i];
            s[i] = static_cast<float>(foam_pressure(rho, law) / (rho * rho));
        }
    });
    const PairLaw pair = pair_law<D>(law);
    for_cells<D>(
        cells,
        [&](NearFoam<D>& near, std::size_t first, std::size_t last) {
            near.add(foam, density, stress, first, last);
        },
        [&](NearFoam<D>& near, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                Own<D> own{{}, foam.radius[i], density[i], stress[i]};
                for (int a = 0; a < D; ++a) own.v[a] = static_cast<float>(foam.velocity[i][a]);
                near.measure(foam.position[i]);
                set_forces(near, own, pair);
                out[i] = near.pull();
            }
        },
        context);
    return acceleration;
}

template <int D>
StepLimit foam_limit(const WetFoam& law, double smallest) {
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
    if (law.stiffness > 0)
        also(kCourant * law.support * r / std::sqrt(law.stiffness), "stiffness", law.stiffness);
    if (law.viscosity > 0)
        also(0.5 * r / (law.viscosity * size * viscous), "viscosity", law.viscosity);
    if (law.cohesion > 0)
        also(0.5 * std::sqrt(r / (law.cohesion * cohesive)), "cohesion", law.cohesion);
    return limit;
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template Array<float> foam_density<D>(const Foam<D>&, const FoamCells<D>&, const WetFoam&, \
                                          Context&);                                           \
    template Array<Vec<double, D>> foam_acceleration<D>(                                       \
        const Foam<D>&, const FoamCells<D>&, const Array<float>&, const WetFoam&, Context&);   \
    template StepLimit foam_limit<D>(const WetFoam&, double);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

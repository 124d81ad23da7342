// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/cip/phases.h"

#include <algorithm>
#include <cmath>

#include "spume/surface/dense_level_set.h"

namespace spume::cip {
namespace {

/// Distance of a cell's centre from the surface by value and derivatives, in voxels.
template <int D>
inline double distance_at(const double* f, const double* const (&g)[D], std::size_t i) {
    double gradient[D];
    for (int a = 0; a < D; ++a) gradient[a] = g[a][i];
    return scaled_distance<double, D>(f[i], gradient);
}

template <int D>
void derivatives(const CipField<double, D>& phi, const double* (&g)[D]) {
    for (int a = 0; a < D; ++a) g[a] = phi.g[a].read();
}

/// H in cells, ghosts too.
template <int D>
DenseField<double, D> water_in_cells(const CipField<double, D>& phi, const Params& p,
                                     Context& context) {
    DenseField<double, D> r(phi.f.shape);
    double* out = r.write();
    const double* f = phi.f.read();
    const double* g[D];
    derivatives(phi, g);
    for_rows(context.arena, phi.f.shape, [&](const Index<D>&, std::size_t at, int count) {
        for (std::size_t i = at; i < at + std::size_t(count); ++i) {
            if (p.interface == Interface::kSharp || std::abs(f[i]) > 2 * p.smearing)
                out[i] = f[i] < 0 ? 1 : 0;
            else
                out[i] = smeared_step(-distance_at<D>(f, g, i), p.smearing);
        }
    });
    const bool even[D] = {};
    mirror_ghosts<double, D>(out, phi.place, even);
    return r;
}

/// Part of the way between the centres of a face that lies in water. Its mean along the way makes
/// the weight ρg of a fluid under a plane surface a difference of cell values on every face, which
/// a pressure balances whichever way gravity points; the mean of both ends would not.
template <int D>
DenseField<double, D> water_at_faces(const CipField<double, D>& phi,
                                     const DenseField<double, D>& water, int axis, const Params& p,
                                     Context& context) {
    const auto place = DensePlace<D>::faces(phi.place.cells, axis);
    DenseField<double, D> r(place.shape);
    double* out = r.write();
    const double *f = phi.f.read(), *h = water.read();
    const double* g[D];
    derivatives(phi, g);
    const std::size_t s = place.shape.stride(axis);
    const bool sharp = p.interface == Interface::kSharp;
    for_rows(context.arena, place.shape, [&](const Index<D>&, std::size_t at, int count) {
        for (std::size_t i = at; i < at + std::size_t(count); ++i) {
            if (h[i] == h[i - s])
                out[i] = h[i];
            else if (sharp)
                out[i] = std::min(f[i], f[i - s]) /
                         (std::min(f[i], f[i - s]) - std::max(f[i], f[i - s]));
            else
                out[i] = mean_smeared_step(-distance_at<D>(f, g, i - s), -distance_at<D>(f, g, i),
                                           p.smearing);
        }
    });
    return r;
}

}  // namespace

template <int D>
Phases<D> phases_of(const CipField<double, D>& phi, const World<D>& w, const Params& p,
                    Context& context) {
    Stage stage(context, "phases");
    Phases<D> r;
    r.water = water_in_cells(phi, p, context);
    const Physics& physics = w.scene.physics;
    for (int a = 0; a < D; ++a) {
        r.part[a] = water_at_faces(phi, r.water, a, p, context);
        r.inverse_density_ratio[a] = DenseField<double, D>(r.part[a].shape);
        double* out = r.inverse_density_ratio[a].write();
        const double* part = r.part[a].read();
        for_rows(context.arena, r.part[a].shape, [&](const Index<D>&, std::size_t at, int count) {
            for (std::size_t i = at; i < at + std::size_t(count); ++i) {
                const double density =
                    physics.air_density + (physics.water_density - physics.air_density) * part[i];
                out[i] = double(float(physics.water_density / density));
            }
        });
    }
    r.viscosity = r.water;
    double* mu = r.viscosity.write();
    const double* f = phi.f.read();
    const bool sharp = p.interface == Interface::kSharp;
    for_range(context.arena, r.viscosity.values.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            const double part = sharp ? std::clamp(0.5 - f[i], 0.0, 1.0) : mu[i];
            mu[i] = p.air_viscosity + (physics.viscosity - p.air_viscosity) * part;
        }
    });
    return r;
}

template <int D>
WaterSize water_size(const CipField<double, D>& phi, const DenseCutCells<D>& open, double smearing,
                     Context& context) {
    const double* f = phi.f.read();
    const double* g[D];
    derivatives(phi, g);
    const float* part = open.solid ? open.part.read() : nullptr;
    return reduce_rows(
        context.arena, phi.f.shape, WaterSize{},
        [&](const Index<D>&, std::size_t at, int count) {
            WaterSize sum;
            for (std::size_t i = at; i < at + std::size_t(count); ++i) {
                const double weight = part ? double(part[i]) : 1;
                if (std::abs(f[i]) > 2 * smearing) {
                    sum.volume += f[i] < 0 ? weight : 0;
                    continue;
                }
                double gradient[D], square = 0;
                for (int a = 0; a < D; ++a) gradient[a] = g[a][i], square += g[a][i] * g[a][i];
                const double distance = scaled_distance<double, D>(f[i], gradient);
                const double steepness = std::clamp(std::sqrt(square), 0.5, 2.0);
                sum.volume += weight * smeared_step(-distance, smearing);
                sum.area += weight * smeared_delta(distance, smearing) / steepness;  // −∂V/∂φ
            }
            return sum;
        },
        [](const WaterSize& a, const WaterSize& b) {
            return WaterSize{a.volume + b.volume, a.area + b.area};
        });
}

template <int D>
double compensate(CipField<double, D>& phi, const DenseCutCells<D>& open, double smearing,
                  double volume, Context& context) {
    Stage stage(context, "compensate");
    WaterSize size = water_size(phi, open, smearing, context);
    for (int k = 0; k < 4; ++k) {
        const double missing = volume - size.volume;
        if (!(size.area > 0) || std::abs(missing) <= 1e-12 * volume) break;
        const double shift = std::clamp(missing / size.area, -0.5, 0.5);
        double* f = phi.f.write();
        for_range(context.arena, phi.f.values.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) f[i] -= shift;
        });
        size = water_size(phi, open, smearing, context);
    }
    return size.volume;
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template Phases<D> phases_of<D>(const CipField<double, D>&, const World<D>&, const Params&,   \
                                    Context&);                                                    \
    template WaterSize water_size<D>(const CipField<double, D>&, const DenseCutCells<D>&, double, \
                                     Context&);                                                   \
    template double compensate<D>(CipField<double, D>&, const DenseCutCells<D>&, double, double,  \
                                  Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip

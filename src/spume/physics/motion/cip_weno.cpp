// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/physics/motion/cip.h"
#include "spume/surface/level_band.h"

namespace spume {
namespace {

/// Voxels that a stage of the scheme may cross, summed over the axes: it is stable up to 1.
constexpr double kCourant = 0.5;

/// Velocities at the centres of the band's cells: means of their faces.
template <class T, int D>
BandVelocity<T, D> at_centres(DenseFaces<T, D> velocity, const Band<D>& band, Context& context) {
    BandVelocity<T, D> r;
    for (int a = 0; a < D; ++a) {
        r.u[a].resize(band.cells);
        const T* u = velocity[a]->read();
        const std::size_t s = velocity[a]->shape.stride(a);
        T* out = r.u[a].data();
        for_runs(context.arena, band, [&](const typename Band<D>::Run& run) {
            for (int i = 0; i < run.count; ++i) {
                const T* p = u + run.place + i;
                out[run.offset + std::size_t(i)] = T(0.5) * (p[0] + p[s]);
            }
        });
    }
    return r;
}

}  // namespace

template <class T, int D>
void advect_weno(CipField<T, D>& phi, DenseFaces<T, D> velocity, double band_width, double steps,
                 Context& context) {
    double left = 1;
    while (left > 0) {
        const Band<D> band = band_of(phi.f, band_width, context);
        const BandVelocity<T, D> u = at_centres<T, D>(velocity, band, context);
        const double fastest = reduce(
            context.arena, band.cells, 4096, 0.0,
            [&](std::size_t b, std::size_t e) {
                double most = 0;
                for (std::size_t i = b; i < e; ++i) {
                    double sum = 0;
                    for (int a = 0; a < D; ++a) sum += std::abs(double(u.u[a][i]));
                    most = std::max(most, sum);
                }
                return most;
            },
            [](double x, double y) { return std::max(x, y); });
        const double pieces = std::ceil(left * fastest * std::abs(steps) / kCourant);
        if (!(pieces >= 1)) break;
        const double part = left / pieces;
        advect_weno(phi.f, band, u, part * steps, context);
        left = pieces == 1 ? 0 : left - part;
    }
    difference(phi, context);
}

#define SPUME_INSTANTIATE(T, D) \
    template void advect_weno<T, D>(CipField<T, D>&, DenseFaces<T, D>, double, double, Context&);
SPUME_INSTANTIATE(double, 2)
SPUME_INSTANTIATE(double, 3)
#undef SPUME_INSTANTIATE

}  // namespace spume

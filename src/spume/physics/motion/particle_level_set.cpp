// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/particle_level_set.h"

#include <algorithm>

#include "spume/physics/motion/ralston.h"

namespace spume {

template <int D>
void move_markers(Markers<D>& markers, const DenseFlow<D>& flow, double dt, MarkerMotion motion,
                  Context& context) {
    Stage stage(context, "move_markers");
    constexpr int kAbreast = 4;
    const std::size_t n = markers.size();
    Point<D>* x = markers.position.write().data();
    const double voxel = flow.lattice.voxel, to_voxels = 1 / voxel, step = dt * to_voxels;
    const auto u = [&](const Point<D>& at) { return flow.at(at).template as<double>(); };
    for_range(context.arena, n, 4096, [&](std::size_t b, std::size_t e) {
        std::size_t q = b;
        for (; motion == MarkerMotion::kThirdOrder && q + kAbreast <= e; q += kAbreast) {
            Point<D> from[kAbreast];
            Vec<double, D> way[kAbreast];
            for (int k = 0; k < kAbreast; ++k)
                from[k] = (x[q + std::size_t(k)] - flow.lattice.origin) * to_voxels;
            trace_ralston<kAbreast, D>(from, u, step, dt, way);
            for (int k = 0; k < kAbreast; ++k) x[q + std::size_t(k)] += way[k];
        }
        for (; q < e; ++q) {
            const Point<D> from[1] = {(x[q] - flow.lattice.origin) * to_voxels};
            Vec<double, D> way[1];
            if (motion == MarkerMotion::kEuler)
                way[0] = u(from[0]) * dt;
            else
                trace_ralston<1, D>(from, u, step, dt, way);
            x[q] += way[0];
        }
    });
}

template <int D>
double crossed_voxels(const DenseFlow<D>& flow, double voxel, Context& context) {
    const DensePlace<D> cells = DensePlace<D>::centres(flow.cells);
    const float most = reduce_rows(
        context.arena, cells.shape, 0.0f,
        [&](const Index<D>&, std::size_t at, int count) {
            float row = 0;
            for (std::size_t i = at; i < at + std::size_t(count); ++i) {
                float sum = 0;
                for (int a = 0; a < D; ++a) {
                    const float* u = flow.u[a].read() + i;
                    sum += std::max(std::abs(u[0]), std::abs(u[flow.u[a].shape.stride(a)]));
                }
                row = std::max(row, sum);
            }
            return row;
        },
        [](float p, float q) { return std::max(p, q); });
    return double(most) / voxel;
}

template <int D>
void carry_surface(ParticleLevelSet<D>& surface, const DenseFlow<D>& flow,
                   const Transform<D>& lattice, const SurfaceMotion& how, double dt,
                   Context& context) {
    const Band<D> band = band_of(surface.phi, how.distance.width, context);
    const auto velocity = flow_in_band<D>(flow, band, lattice, context);
    advect_weno(surface.phi, band, velocity, dt, context);
    if (!how.with_markers) return;
    move_markers(surface.markers, flow, dt, how.motion, context);
    correct_with_markers(surface.phi, surface.markers, lattice, how.markers, context);
}

template <int D>
Markers<D> settle_surface(ParticleLevelSet<D>& surface, const Transform<D>& lattice,
                          const SurfaceMotion& how, Context& context) {
    redistance_band(surface.phi, how.distance, context);
    if (!how.with_markers) return {};
    correct_with_markers(surface.phi, surface.markers, lattice, how.markers, context);
    return adjust_markers(surface.markers, surface.phi, lattice, how.markers, context);
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template void move_markers<D>(Markers<D>&, const DenseFlow<D>&, double, MarkerMotion,          \
                                  Context&);                                                       \
    template double crossed_voxels<D>(const DenseFlow<D>&, double, Context&);                      \
    template void carry_surface<D>(ParticleLevelSet<D>&, const DenseFlow<D>&, const Transform<D>&, \
                                   const SurfaceMotion&, double, Context&);                        \
    template Markers<D> settle_surface<D>(ParticleLevelSet<D>&, const Transform<D>&,               \
                                          const SurfaceMotion&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

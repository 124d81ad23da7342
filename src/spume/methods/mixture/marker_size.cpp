// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/marker_size.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "spume/methods/mixture/resolved_air.h"
#include "spume/surface/connected.h"

namespace spume::mixture {
namespace {

constexpr std::size_t kGrain = 4096;

bool is_marker(float radius, double marker) {
    return std::abs(double(radius) - marker) < 1e-3 * marker;
}

/// The air that a marker stands for: 2^D of them fill a voxel, as [WSB25] §7 seeds them.
template <int D>
double marked_air(double voxel) {
    return D == 2 ? voxel * voxel / 4 : voxel * voxel * voxel / 8;
}

}  // namespace

template <int D>
MarkerSizes<D>::MarkerSizes(Bubbles<D>& bubbles, bool shrink, double voxel, Context& context)
    : bubbles_(bubbles), marker_(surfacing_radius<D>(voxel)), known_(shrink) {
    if (!shrink) return;
    const float* radius = bubbles.radius.data();
    any_ = reduce(
        context.arena, bubbles.size(), kGrain, false,
        [&](std::size_t b, std::size_t e) {
            bool found = false;
            for (std::size_t q = b; q < e; ++q) found = found || is_marker(radius[q], marker_);
            return found;
        },
        [](bool a, bool b) { return a || b; });
    if (!any_) return;
    own_ = bubbles.radius;
    const float alone = float(bubble_radius<D>(marked_air<D>(voxel)));
    auto r = bubbles_.radius.write();
    for_range(context.arena, r.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q)
            if (is_marker(r[q], marker_)) r[q] = alone;
    });
}

template <int D>
MarkerSizes<D>::~MarkerSizes() {
    if (any_) bubbles_.radius = own_;
}

template <int D>
void MarkerSizes<D>::grow(const Array<double>& fullness, Context& context) {
    const float* own = own_.data();
    const double* full = fullness.data();
    auto r = bubbles_.radius.write();
    const double whole = bubble_volume<D>(marker_);
    for_range(context.arena, r.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            const double body = 1 - swarm_share(full[q]);
            if (!(body > 0) || !is_marker(own[q], marker_)) continue;
            const double alone = bubble_volume<D>(double(r[q]));
            r[q] = float(bubble_radius<D>(alone + body * (whole - alone)));
        }
    });
}

namespace {
template <int D>
void sharpen(MixtureFaces<D>& mixture, const FaceField<double, D>& held, const Coupling<D>& coupling,
             const CutCells<D>& open, const GridDomain<D>& domain, Context& context) {
    const double slope = std::getenv("SP_S") ? std::atof(std::getenv("SP_S")) : 2;
    const auto near = fullness_near(mixture, open, domain, context);
    const double most = coupling.max_fraction;
    for (int a = 0; a < D; ++a) {
        double *bubble = mixture.bubble.write(a), *water = mixture.water.write(a);
        const double *full = near.read(a), *phi = held.read(a);
        for_values(context.arena, *near.tiles(), [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const double body = 1 - swarm_share(full[i]);
                const double sharp = std::clamp(0.5 + slope * (phi[i] - 0.5), 0.0, most);
                bubble[i] += body * (sharp - bubble[i]);
                water[i] = 1 - bubble[i];
            }
        });
    }
}
}  // namespace

template <int D>
AirOnGrid<D> air_on_grid(const Bubbles<D>& bubbles, MarkerSizes<D>& sizes,
                         const TileRanges<D>& ranges, const CutCells<D>& open,
                         const GridDomain<D>& domain, const Coupling<D>& coupling,
                         Context& context) {
    AirOnGrid<D> r{rasterized(bubbles, ranges, domain, coupling, context), {}};
    r.held = r.mixture.unclamped;
    if (!has_resolved_air(r.mixture, context)) return r;
    if (sizes.any() && (!sizes.known() || std::getenv("SP_MARK"))) {
        sizes.grow(fullness_around(bubbles, r.mixture, ranges, open, domain, context), context);
        r.mixture = rasterized(bubbles, ranges, domain, coupling, context);
    }
    if (sizes.known()) sharpen(r.mixture, r.held, coupling, open, domain, context);
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template class MarkerSizes<D>;                                                                 \
    template AirOnGrid<D> air_on_grid<D>(const Bubbles<D>&, MarkerSizes<D>&, const TileRanges<D>&, \
                                         const CutCells<D>&, const GridDomain<D>&,                 \
                                         const Coupling<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/marker_size.h"

#include <cmath>

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
AirOnGrid<D> air_on_grid(const Bubbles<D>& bubbles, MarkerSizes<D>& sizes,
                         const TileRanges<D>& ranges, const CutCells<D>& open,
                         const GridDomain<D>& domain, const Coupling<D>& coupling,
                         Context& context) {
    AirOnGrid<D> r{rasterized(bubbles, ranges, domain, coupling, context), {}};
    r.held = r.mixture.unclamped;
    if (sizes.known() && !coupling.binary && has_resolved_air(r.mixture, context))
        sharpen_surface(r.mixture, coupling.max_fraction, open, domain, context);
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

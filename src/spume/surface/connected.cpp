// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/connected.h"

#include <vector>

#include "spume/grid/sample.h"
#include "spume/surface/redistance.h"
#include "spume/surface/union_of.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 4096;

/// φ + by: the body shrinks by so much where φ is a distance.
template <int D>
void erode(CellField<float, D>& phi, double by, Context& context) {
    float* v = phi.write();
    for_values(context.arena, *phi.tiles(), [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) v[i] += static_cast<float>(by);
    });
}

}  // namespace

template <int D>
double surfacing_radius(double voxel) {
    return std::sqrt(double(D)) / 2 * voxel;
}

template <int D>
Array<std::int32_t> connected(std::span<const Point<D>> positions, const Transform<D>& grid,
                              Context& context) {
    Array<std::int32_t> result(positions.size(), 0);
    if (positions.empty()) return result;
    const double radius = surfacing_radius<D>(grid.voxel), band = 3 * grid.voxel;
    std::vector<Ball<D>> balls(positions.size());
    for (std::size_t i = 0; i < balls.size(); ++i) balls[i] = {positions[i], radius};
    auto phi = redistanced(union_of<D, Ball<D>>(balls, grid, band, context), band, context);
    erode(phi, radius, context);
    phi = redistanced(phi, band, context);

    auto out = result.write();
    for_range(context.arena, positions.size(), kGrain, [&](std::size_t b, std::size_t e) {
        TileCursor<D> cursor(*phi.tiles());
        for (std::size_t i = b; i < e; ++i)  // dilated again: inside is where φ < r_h
            out[i] = sample(phi, cursor, positions[i]) < static_cast<float>(radius);
    });
    return result;
}

#define SPUME_INSTANTIATE(D)                                                                  \
    template double surfacing_radius<D>(double);                                              \
    template Array<std::int32_t> connected<D>(std::span<const Point<D>>, const Transform<D>&, \
                                              Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

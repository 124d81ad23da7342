// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_coverage.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/grid/sample.h"
#include "spume/particles/sort.h"

namespace spume {
namespace {

constexpr double kWidth = 2;        // R, voxels
constexpr double kFarthest = 1.75;  // voxels from the surface: a voxel's diagonal and a little

/// g(d) for lengths in voxels.
template <int D>
double plane_integral(double d) {
    const double a = kWidth * kWidth - d * d, fourth = kWidth * kWidth * kWidth * kWidth;
    return D == 2 ? 16.0 / 15 * a * a * std::sqrt(a) / fourth : math::kPi / 3 * a * a * a / fourth;
}

/// Adds a particle at u, in voxels and samples at integers, to the cells of a tile.
template <int D>
void spread(const Point<D>& u, double area, const Index<D>& origin, double* sums) {
    Index<D> lo{}, hi{};
    for (int a = 0; a < D; ++a) {
        lo[a] = std::max(static_cast<int>(std::ceil(u[a] - kWidth)) - origin[a], 0);
        hi[a] = std::min(static_cast<int>(std::floor(u[a] + kWidth)) - origin[a], kTileSide<D> - 1);
        if (lo[a] > hi[a]) return;
    }
    Index<D> at = lo;
    while (true) {
        const Point<D> away = (origin + at).template as<double>() - u;
        const double k = 1 - dot(away, away) / (kWidth * kWidth);
        if (k > 0) sums[tile_offset<D>(at)] += area * k * k;
        int a = D - 1;
        for (; a >= 0; --a) {
            if (++at[a] <= hi[a]) break;
            at[a] = lo[a];
        }
        if (a < 0) return;
    }
}

}  // namespace

template <int D>
CellField<float, D> foam_coverage(const Foam<D>& foam, const SurfaceFields<D>& fields,
                                  Context& context) {
    const auto& tiles = fields.phi.tiles();
    const double voxel = tiles->voxel();
    CellField<float, D> cover(tiles);
    float* out = cover.write();
    if (foam.size() == 0) return cover;
    const auto sorted =
        tile_order<D>(foam.position.read(), foam.id.read(), tiles, Clamp<D>{}, context);
    const auto member = [&](std::size_t k) {
        return sorted.order.empty() ? k : std::size_t(sorted.order[k]);
    };
    const GridSurface<D> surface(fields, fields);
    for_tiles(context.arena, *tiles, [&](int t) {
        double sums[kTileCells<D>] = {};
        bool any = false;
        for (int n = 0; n < kTileNeighbours<D>; ++n) {
            const int other = tiles->neighbours(t)[n];
            if (!tiles->is_active(other)) continue;
            for (std::size_t k = sorted.ranges.first(other); k < sorted.ranges.last(other); ++k) {
                const std::size_t p = member(k);
                const double r = double(foam.radius[p]) / voxel;
                spread<D>(cell_coordinate<D>(tiles->transform(), foam.position[p]),
                          D == 2 ? 2 * r : math::kPi * r * r, tiles->origin(t), sums);
                any = true;
            }
        }
        if (!any) return;
        const auto reader = surface.reader();
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (sums[o] == 0) continue;
            const double d = reader->at(fields.phi.position(t, o), fields.time).distance() / voxel;
            if (std::abs(d) < kFarthest)
                out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    static_cast<float>(std::min(1.0, sums[o] / plane_integral<D>(d)));
        }
    });
    return cover;
}

template CellField<float, 2> foam_coverage<2>(const Foam<2>&, const SurfaceFields<2>&, Context&);
template CellField<float, 3> foam_coverage<3>(const Foam<3>&, const SurfaceFields<3>&, Context&);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/fit_surface.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"

namespace spume {
namespace {

constexpr int kRounds = 12;
constexpr double kShare = 0.3;  ///< of what lacks that a round makes up for; more swings
/// In voxels: how deep particles are moved, how far in a round, and errors that are no bumps but
/// another surface.
constexpr double kDepth = 1, kFarthest = 0.1, kOther = 0.5;

template <int D>
Vec<double, D> normal_of(const DistanceTo<D>& distance, const Point<D>& x, double step) {
    Vec<double, D> n{};
    for (int a = 0; a < D; ++a) {
        const Point<D> e = Point<D>::unit(a, step);
        n[a] = distance(x + e) - distance(x - e);
    }
    const double size = length(n);
    return size > 0 ? n / size : n;
}

/// Where cells on all sides are inside the box: half a voxel from its walls.
template <int D>
Point<D> inside_walls(Point<D> x, const Basin<D>& basin) {
    const Box<double, D> box = basin.bounds();
    const double half = basin.voxel() / 2;
    for (int a = 0; a < D; ++a)
        x[a] = std::clamp(x[a], box.lo[a] + half, std::max(box.lo[a] + half, box.hi[a] - half));
    return x;
}

/// Where a particle should be, if the surface that was laid lacks something above it.
template <int D>
Point<D> fitted(const Point<D>& x, const LevelSet<D>& laid, TileCursor<D>& cursor,
                const DistanceTo<D>& wanted, const Bodies<D>& bodies, const Basin<D>& basin) {
    const double h = basin.voxel(), depth = -wanted(x) / h;
    if (!(depth >= 0) || depth > kDepth) return x;
    const Vec<double, D> n = normal_of<D>(wanted, x, 0.1 * h);
    const Point<D> foot = x + n * (depth * h);
    if (!bodies.empty() && bodies.distance_within(foot, h) < 0.5 * h) return x;
    const double lacks = sample<double, D>(laid, cursor, inside_walls<D>(foot, basin)) / h;
    if (!(std::abs(lacks) < kOther)) return x;
    const double way = std::clamp(kShare * (1 - depth / kDepth) * lacks, -kFarthest, kFarthest);
    const Point<D> moved = x + n * (std::min(way, depth) * h);
    return bodies.empty() || bodies.distance_within(moved, h) > 0 ? moved : x;
}

}  // namespace

template <int D>
void fit_surface(Liquid<D>& liquid, const DistanceTo<D>& wanted,
                 const CellField<std::uint8_t, D>& open, const FaceField<float, D>& area,
                 const Bodies<D>& bodies, const Basin<D>& basin, const ParticleSurface& how,
                 Context& context) {
    const Tiles<D>& tiles = *open.tiles();
    for (int round = 0; round < kRounds; ++round) {
        CellRanges<D> cells;
        sort_by_cell(liquid, open.tiles(), basin.clamp(), cells, context);
        const LevelSet<D> laid =
            liquid_surface<D>(liquid.position.read(), cells, open, area, how, context);
        auto x = liquid.position.write();
        for_tiles(context.arena, tiles, [&](int t) {
            TileCursor<D> cursor(tiles);
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (laid.at(t, o) < -(kDepth + 1.5) * tiles.voxel()) continue;
                const std::size_t cell = std::size_t(t) * kTileCells<D> + std::size_t(o);
                for (std::size_t i = cells.begin[cell]; i < cells.begin[cell + 1]; ++i)
                    x[i] = fitted<D>(x[i], laid, cursor, wanted, bodies, basin);
            }
        });
    }
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template void fit_surface<D>(Liquid<D>&, const DistanceTo<D>&,                              \
                                 const CellField<std::uint8_t, D>&, const FaceField<float, D>&, \
                                 const Bodies<D>&, const Basin<D>&, const ParticleSurface&,     \
                                 Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

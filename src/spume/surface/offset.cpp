// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/offset.h"

#include <algorithm>
#include <cmath>

namespace spume {

namespace {

/// Layers of liquid cells that move with the surface beside them: what curvature and the surface's
/// memory look at.
constexpr int kLayers = 3;

}  // namespace

template <int D>
CellField<std::int32_t, D> nearest_regions(const AirRegions<D>& regions, const LevelSet<D>& phi,
                                           const FaceField<float, D>& area, Context& context) {
    const Tiles<D>& tiles = *phi.tiles();
    const double deep = -(kLayers + 1) * tiles.voxel();
    CellField<std::int32_t, D> r = regions.label;
    for (int layer = 0; layer < kLayers; ++layer) {
        const CellField<std::int32_t, D> before = r;
        std::int32_t* out = r.write();
        for_tiles(context.arena, tiles, [&](int t) {
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (before.at(t, o) >= 0 || !(phi.at(t, o) < 0 && phi.at(t, o) > deep)) continue;
                double farthest = 0;
                std::int32_t k = -1;
                for (int side = 0; side < 2 * D; ++side) {
                    const Neighbour<D> n = neighbour_of<D>(tiles, t, o, side);
                    if (!tiles.is_active(n.tile) || before.at(n.tile, n.offset) < 0) continue;
                    if (area.read(side / 2)[face_place<D>(tiles, t, o, side)] == 0) continue;
                    const double there = phi.at(n.tile, n.offset);
                    if (k >= 0 && there <= farthest) continue;
                    farthest = there;
                    k = before.at(n.tile, n.offset);
                }
                out[std::size_t(t) * kTileCells<D> + std::size_t(o)] = k;
            }
        });
    }
    return r;
}

template <int D>
void widen(LevelSet<D>& phi, const CellField<std::int32_t, D>& nearest, std::span<const double> way,
           Context& context) {
    double* v = phi.write();
    for_tiles(context.arena, *phi.tiles(), [&](int t) {
        double* own = v + std::size_t(t) * kTileCells<D>;
        for (int o = 0; o < kTileCells<D>; ++o)
            if (const std::int32_t k = nearest.at(t, o); k >= 0) own[o] += way[std::size_t(k)];
    });
}

template <int D>
std::vector<double> surface_areas(const LevelSet<D>& phi, const CellField<std::int32_t, D>& nearest,
                                  const CellField<float, D>& room, std::size_t regions,
                                  Context& context) {
    const Tiles<D>& tiles = *phi.tiles();
    const double h = tiles.voxel();
    std::vector<std::vector<std::pair<std::int32_t, double>>> parts(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        auto& mine = parts[std::size_t(t)];
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double hat = 1 - std::abs(phi.at(t, o)) / h;
            const std::int32_t k = nearest.at(t, o);
            if (!(hat > 0) || k < 0) continue;
            if (mine.empty() || mine.back().first != k) mine.push_back({k, 0.0});
            mine.back().second += hat * double(room.at(t, o));
        }
    });
    std::vector<double> r(regions, 0.0);
    const double face = D == 2 ? h : h * h;
    for (const auto& list : parts)
        for (const auto& [k, cells] : list) r[std::size_t(k)] += cells * face;
    return r;
}

#define SPUME_INSTANTIATE(D)                                                               \
    template CellField<std::int32_t, D> nearest_regions<D>(                                \
        const AirRegions<D>&, const LevelSet<D>&, const FaceField<float, D>&, Context&);   \
    template void widen<D>(LevelSet<D>&, const CellField<std::int32_t, D>&,                \
                           std::span<const double>, Context&);                             \
    template std::vector<double> surface_areas<D>(                                         \
        const LevelSet<D>&, const CellField<std::int32_t, D>&, const CellField<float, D>&, \
        std::size_t, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume

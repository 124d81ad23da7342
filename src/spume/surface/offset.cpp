// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/offset.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "spume/grid/halo.h"
#include "spume/surface/phase.h"

namespace spume {

namespace {

/// Layers of liquid cells that move with the surface beside them: what curvature and the surface's
/// memory look at.
constexpr int kLayers = 3;

/// Cells of a tile without a region, and what the layer at hand finds for them.
struct Seekers {
    std::vector<std::uint16_t> cells{};
    std::vector<std::pair<std::uint16_t, std::int32_t>> found{};
};

/// Does any neighbour have a region? Missing tiles look as if they had.
template <int D>
bool any_beside(const HaloBlock<std::int32_t, D, 1>& region, const Index<D>& cell) {
    std::int32_t all = -1;  // only negative numbers keep the sign
    for (int a = 0; a < D; ++a)
        for (const int side : {-1, 1}) all &= region.v[region.at(cell + Index<D>::unit(a, side))];
    return all >= 0;
}

/// The region of the neighbour farthest from the liquid behind an open face, −1 if none has any.
template <int D>
std::int32_t farthest_region(const CellField<std::int32_t, D>& region, const LevelSet<D>& phi,
                             const FaceField<float, D>& area, int t, int o) {
    const Tiles<D>& tiles = *phi.tiles();
    double farthest = 0;
    std::int32_t k = -1;
    for (int side = 0; side < 2 * D; ++side) {
        const Neighbour<D> n = neighbour_of<D>(tiles, t, o, side);
        if (!tiles.is_active(n.tile) || region.at(n.tile, n.offset) < 0) continue;
        if (area.read(side / 2)[face_place<D>(tiles, t, o, side)] == 0) continue;
        const double there = phi.at(n.tile, n.offset);
        if (k >= 0 && there <= farthest) continue;
        farthest = there;
        k = region.at(n.tile, n.offset);
    }
    return k;
}

}  // namespace

template <int D>
CellField<std::int32_t, D> nearest_regions(const AirRegions<D>& regions, const LevelSet<D>& phi,
                                           const FaceField<float, D>& area, Context& context) {
    Stage stage(context, "regions");
    const Tiles<D>& tiles = *phi.tiles();
    const double deep = -(kLayers + 1) * tiles.voxel();
    CellField<std::int32_t, D> r = regions.label;
    std::int32_t* out = r.write();
    std::vector<Seekers> seekers(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        const double* distance = phi.tile(t);
        const std::int32_t* label = regions.label.tile(t);
        for (int o = 0; o < kTileCells<D>; ++o)
            if (label[o] < 0 && is_liquid_centre(distance[o], tiles.voxel()) && distance[o] > deep)
                seekers[std::size_t(t)].cells.push_back(std::uint16_t(o));
    });
    for (int layer = 0; layer < kLayers; ++layer) {
        for_tiles(context.arena, tiles, [&](int t) {
            Seekers& s = seekers[std::size_t(t)];
            s.found.clear();
            if (s.cells.empty()) return;
            HaloBlock<std::int32_t, D, 1> near;
            load_halo<std::int32_t, D, 1>(r.read(), tiles, t, near);
            std::erase_if(s.cells, [&](std::uint16_t o) {
                if (!any_beside<D>(near, tile_local<D>(o))) return false;
                const std::int32_t k = farthest_region(r, phi, area, t, o);
                if (k >= 0) s.found.push_back({o, k});
                return k >= 0;
            });
        });
        for_tiles(context.arena, tiles, [&](int t) {
            for (const auto& [o, k] : seekers[std::size_t(t)].found)
                out[std::size_t(t) * kTileCells<D> + o] = k;
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
    Stage stage(context, "regions");
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

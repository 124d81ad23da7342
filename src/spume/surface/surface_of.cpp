// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/surface_of.h"

#include <algorithm>

#include "spume/grid/halo.h"
#include "spume/surface/connected.h"
#include "spume/surface/redistance.h"
#include "spume/surface/union_of.h"

namespace spume {
namespace {

/// Each cell becomes half itself, half the mean of its neighbours along the axes. Cells at the end
/// of the tiles are far from any surface and stay.
template <int D>
CellField<float, D> averaged(const CellField<float, D>& phi, Context& context) {
    const Tiles<D>& tiles = *phi.tiles();
    CellField<float, D> r = phi;
    float* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        HaloBlock<float, D, 1> block;
        load_halo<float, D, 1>(phi.read(), tiles, t, block);
        bool known[D][2];
        for (int a = 0; a < D; ++a)
            for (int side = 0; side < 2; ++side)
                known[a][side] =
                    tiles.is_active(tiles.neighbour(t, Index<D>::unit(a, 2 * side - 1)));
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> local = tile_local<D>(o);
            const int at = block.at(local);
            float sum = 0;
            bool edge = false;
            for (int a = 0; a < D; ++a) {
                edge = edge || (local[a] == 0 && !known[a][0]) ||
                       (local[a] == kTileSide<D> - 1 && !known[a][1]);
                sum += block.v[at - block.stride(a)] + block.v[at + block.stride(a)];
            }
            if (!edge)
                out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    0.5f * block.v[at] + 0.5f / (2 * D) * sum;
        }
    });
    return r;
}

}  // namespace

template <int D>
BubbleSurface<D> surface_of(const Bubbles<D>& bubbles, const Transform<D>& grid,
                            const Surfacing& surfacing, Context& context) {
    Stage stage(context, "surface");
    BubbleSurface<D> r;
    std::vector<Point<D>> air;
    std::vector<std::size_t> index;
    for (std::size_t q = 0; q < bubbles.size(); ++q)
        if (double(bubbles.density[q]) <= surfacing.heaviest) {
            air.push_back(bubbles.position[q]);
            index.push_back(q);
        }
    const auto type = connected<D>(air, grid, context);
    r.type = Array<std::int32_t>(bubbles.size(), 0);
    auto types = r.type.write();
    const double r_h = surfacing_radius<D>(grid.voxel), least = surfacing.radius * r_h;
    std::vector<Point<D>> positions;
    std::vector<double> radii;
    for (std::size_t i = 0; i < air.size(); ++i)
        if (type[i]) {
            types[index[i]] = 1;
            positions.push_back(air[i]);
            radii.push_back(std::max<double>(bubbles.radius[index[i]], least));
        }
    const auto shapes = ellipsoids_of<D>(positions, radii, 2 * r_h, surfacing.anisotropy, context);

    const Transform<D> fine{grid.voxel / surfacing.scale, grid.origin};
    r.band = 3 * fine.voxel;
    auto phi = union_of<D, Ellipsoid<D>>(shapes, fine, r.band, context);
    // Averaging wants a distance: the union's inside is none.
    for (int n = 0; n < surfacing.smoothing; ++n)
        phi = averaged(redistanced(phi, r.band, context), context);
    r.level_set = redistanced(phi, r.band, context);
    return r;
}

template BubbleSurface<2> surface_of<2>(const Bubbles<2>&, const Transform<2>&, const Surfacing&,
                                        Context&);
template BubbleSurface<3> surface_of<3>(const Bubbles<3>&, const Transform<3>&, const Surfacing&,
                                        Context&);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/surface_of.h"

#include <algorithm>

#include "spume/grid/filter.h"
#include "spume/surface/connected.h"
#include "spume/surface/redistance.h"
#include "spume/surface/union_of.h"

namespace spume {
namespace {

/// The filter (s, 1 − 2 s, s) along each axis, of which a cell keeps about a half. Nothing comes
/// from beyond the tiles: cells at their end are far from any surface.
template <int D>
CellField<float, D> averaged(const CellField<float, D>& phi, Context& context) {
    const Tiles<D>& tiles = *phi.tiles();
    const auto between_stored_tiles = [&](int t, ExchangeFaces<float, D>& faces) {
        bool stored[kTileNeighbours<D>];
        bool all = true;
        for (int n = 0; n < kTileNeighbours<D>; ++n)
            all &= stored[n] = tiles.is_active(tiles.neighbours(t)[n]);
        if (all) return false;
        HaloBlock<std::uint8_t, D, 1> there;
        for_halo<D, 1>([&](const Index<D>& local) {
            int code = 0;
            for (int a = 0; a < D; ++a)
                code = code * 3 + (local[a] < 0 ? 0 : local[a] < kTileSide<D> ? 1 : 2);
            there.v[there.at(local)] = stored[code];
        });
        faces.set([&](int a, int i) { return there.v[i] && there.v[i - there.stride(a)]; });
        return true;
    };
    return filtered(phi, 1.0f / (4 * D), between_stored_tiles, context);
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

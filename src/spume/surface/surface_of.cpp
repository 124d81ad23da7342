// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/surface_of.h"

#include <algorithm>
#include <map>

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

void add_sphere(TriangleMesh& mesh, const Point<3>& centre, double radius, int level) {
    const double g = 0.5 * (1 + std::sqrt(5.0));
    std::vector<Point<3>> unit = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                                  {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                                  {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
    using Triangle = Vec<std::int32_t, 3>;
    std::vector<Triangle> triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                       {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                       {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                       {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (int n = 0; n < level; ++n) {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles;
        const auto middle = [&](std::int32_t a, std::int32_t b) {
            const auto [at, fresh] =
                middles.try_emplace(std::minmax(a, b), static_cast<std::int32_t>(unit.size()));
            if (fresh)
                unit.push_back((unit[std::size_t(a)] / length(unit[std::size_t(a)]) +
                                unit[std::size_t(b)] / length(unit[std::size_t(b)])));
            return at->second;
        };
        std::vector<Triangle> finer;
        for (const Triangle& t : triangles) {
            const std::int32_t a = middle(t[0], t[1]), b = middle(t[1], t[2]),
                               c = middle(t[2], t[0]);
            finer.insert(finer.end(), {{t[0], a, c}, {t[1], b, a}, {t[2], c, b}, {a, b, c}});
        }
        triangles = std::move(finer);
    }
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (const Point<3>& x : unit) mesh.vertices.push_back(centre + x * (radius / length(x)));
    for (const Triangle& t : triangles)
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

template BubbleSurface<2> surface_of<2>(const Bubbles<2>&, const Transform<2>&, const Surfacing&,
                                        Context&);
template BubbleSurface<3> surface_of<3>(const Bubbles<3>&, const Transform<3>&, const Surfacing&,
                                        Context&);

}  // namespace spume

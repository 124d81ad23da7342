// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/wall_velocity.h"

#include "spume/grid/sample.h"

namespace spume {

template <int D>
void follow_walls(FaceField<double, D>& velocity, const Openings<D>& open, const Bodies<D>& bodies,
                  std::span<const std::uint8_t> no_slip, const Basin<D>& basin, Context& context) {
    Stage stage(context, "walls");
    const Tiles<D>& tiles = *velocity.tiles();
    // Walls of the box need no velocity but their own.
    const FaceField<double, D> before = bodies.empty() ? FaceField<double, D>() : velocity;
    const double h = tiles.voxel();
    for (int a = 0; a < D; ++a) {
        double* u = velocity.write(a);
        const float* area = open.area.read(a);
        const auto visit = [&](int t, TileCursor<D>& cursor, int o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            if (area[at] != 0) return;
            const Index<D> face = tiles.origin(t) + tile_local<D>(o);
            // Closed faces that belong to no wall and no body are those of a source.
            if (basin.is_wall(a, face) || bodies.empty()) {
                u[at] = open.velocity.read(a)[at];
                return;
            }
            const Point<D> x = before.position(a, t, o);
            std::size_t nearest = 0;
            double least = 3 * h;
            for (std::size_t i = 0; i < bodies.placed.size(); ++i)
                if (const double d = bodies.placed[i].distance_within(x, 3 * h); d < least)
                    least = d, nearest = i;
            if (least > 0.75 * h) {
                u[at] = open.velocity.read(a)[at];
                return;
            }
            const PlacedBody<D>& body = bodies.placed[nearest];
            const Vec<double, D> wall = body.velocity(x);
            // Far inside nothing flows by, and the nearest surface means nothing.
            if (no_slip[nearest] || least < -2.5 * h) {
                u[at] = wall[a];
                return;
            }
            const Vec<double, D> v = sample<double, D>(before, cursor, x), n = body.normal(x);
            u[at] = v[a] - n[a] * dot(v - wall, n);
        };
        for_tiles(context.arena, tiles, [&](int t) {
            TileCursor<D> cursor(tiles);
            for (int o = 0; o < kTileCells<D>; ++o) visit(t, cursor, o);
        });
        const auto borders = tiles.plus_borders(a);
        for_range(context.arena, borders.size(), 4, [&](std::size_t b, std::size_t e) {
            TileCursor<D> cursor(tiles);
            for (std::size_t i = b; i < e; ++i)
                for (int o = 0; o < kTileCells<D>; ++o)
                    if (tile_local<D>(o)[a] == 0) visit(borders[i], cursor, o);
        });
    }
}

template void follow_walls<2>(FaceField<double, 2>&, const Openings<2>&, const Bodies<2>&,
                              std::span<const std::uint8_t>, const Basin<2>&, Context&);
template void follow_walls<3>(FaceField<double, 3>&, const Openings<3>&, const Bodies<3>&,
                              std::span<const std::uint8_t>, const Basin<3>&, Context&);

}  // namespace spume

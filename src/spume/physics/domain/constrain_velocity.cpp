// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/constrain_velocity.h"

#include <algorithm>

#include "spume/grid/sample.h"
#include "spume/surface/extrapolate.h"

namespace spume {
namespace {

/// Voxels of depth in which liquid may part from a wall: the hole of a thin plate, where air comes
/// in from below.
constexpr double kNearAir = 2;

/// How fast the liquid leaves a wall at a point of its surface, along the outward normal n: its
/// velocity one and two voxels away, continued in a line. Along a wall that holds the liquid the
/// normal velocity grows in a line from zero, and this is zero to second order; where liquid parts
/// from an edge it is not. Nothing parts but beside air.
template <int D>
double parting_speed(const FaceField<double, D>& velocity, TileCursor<D>& cursor,
                     const WallSide<D>& liquid, const Point<D>& at, const Vec<double, D>& n,
                     const Vec<double, D>& wall) {
    const double h = velocity.tiles()->voxel();
    if (sample<double, D>(liquid.phi, cursor, at + n * (0.5 * h)) < -kNearAir * h) return 0;
    const auto leaves = [&](double away) {
        return dot(sample<double, D>(velocity, cursor, at + n * (away * h)) - wall, n);
    };
    const double near = leaves(1);
    return near > 0 ? std::clamp(2 * near - leaves(2), 0.0, near) : 0.0;
}

}  // namespace

template <int D>
void constrain_velocity(FaceField<double, D>& velocity, const WallSide<D>* liquid,
                        const CutCells<D>& open, const PlacedSolids<D>& bodies,
                        std::span<const std::uint8_t> no_slip, const GridDomain<D>& domain,
                        Context& context) {
    Stage stage(context, "walls");
    const Tiles<D>& tiles = *velocity.tiles();
    // Walls of the box need no velocity but their own.
    const FaceField<double, D> before = bodies.empty() ? FaceField<double, D>() : velocity;
    const double h = tiles.voxel(), band = 3 * h;
    const bool still = !(bodies.max_speed() > 0);
    for (int a = 0; a < D; ++a) {
        double* u = velocity.write(a);
        const float* area = open.area.read(a);
        const auto visit = [&](int t, const NearSolids<D>& near, TileCursor<D>& cursor, int o) {
            const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
            if (area[at] != 0) return;
            const Index<D> face = tiles.origin(t) + tile_local<D>(o);
            // Far from liquid everything is as still as the solids are.
            if (still && liquid && !liquid->valid.read(a)[at] && open.velocity.read(a)[at] == 0) {
                u[at] = 0;
                return;
            }
            // Closed faces that belong to no wall and no body are those of a source.
            if (domain.is_wall(a, face) || near.empty()) {
                u[at] = open.velocity.read(a)[at];
                return;
            }
            const Point<D> x = before.position(a, t, o);
            const PlacedBody<D>* nearest = nullptr;
            double least = band;
            for (const PlacedBody<D>* body : near)
                if (const double d = body->distance_within(x, band); d < least)
                    least = d, nearest = body;
            if (least > 0.75 * h) {
                u[at] = open.velocity.read(a)[at];
                return;
            }
            const Vec<double, D> wall = nearest->velocity(x);
            // Far inside nothing flows by, and the nearest surface means nothing.
            if (no_slip[std::size_t(nearest - bodies.placed.data())] || least < -2.5 * h ||
                (liquid && !liquid->valid.read(a)[at])) {
                u[at] = wall[a];
                return;
            }
            const Vec<double, D> n = nearest->normal(x);
            if (n[a] == 0) return;  // along the wall: as it was continued
            const Vec<double, D> v = sample<double, D>(before, cursor, x);
            const double leaves =
                liquid ? parting_speed(before, cursor, *liquid, x - n * least, n, wall) : 0.0;
            u[at] = v[a] - n[a] * (dot(v - wall, n) - leaves);
        };
        const auto bodies_at = [&](int t) {
            NearSolids<D> near;
            near.find_around_tile(bodies, tiles.transform(), tile_of<D>(tiles.origin(t)), band);
            return near;
        };
        for_tiles(context.arena, tiles, [&](int t) {
            const float* own = area + std::size_t(t) * kTileCells<D>;
            if (std::all_of(own, own + kTileCells<D>, [](float part) { return part != 0; })) return;
            const NearSolids<D> near = bodies_at(t);
            TileCursor<D> cursor(tiles);
            for (int o = 0; o < kTileCells<D>; ++o) visit(t, near, cursor, o);
        });
        const auto borders = tiles.plus_borders(a);
        for_range(context.arena, borders.size(), 4, [&](std::size_t b, std::size_t e) {
            TileCursor<D> cursor(tiles);
            for (std::size_t i = b; i < e; ++i) {
                const NearSolids<D> near = bodies_at(borders[i]);
                for (int o = 0; o < kTileCells<D>; ++o)
                    if (tile_local<D>(o)[a] == 0) visit(borders[i], near, cursor, o);
            }
        });
    }
}

template <int D>
void extrapolate_velocity(FaceField<double, D>& velocity, FaceField<std::uint8_t, D>& valid,
                          int layers, const LevelSet<D>& phi, const CutCells<D>& open,
                          const PlacedSolids<D>& bodies, std::span<const std::uint8_t> no_slip,
                          const GridDomain<D>& domain, Context& context, double dt) {
    extrapolate(velocity, valid, layers, context, Continuation::kSloped, &open.parting, dt);
    const WallSide<D> side{valid, phi};
    constrain_velocity(velocity, &side, open, bodies, no_slip, domain, context);
}

template void extrapolate_velocity<2>(FaceField<double, 2>&, FaceField<std::uint8_t, 2>&, int,
                                      const LevelSet<2>&, const CutCells<2>&,
                                      const PlacedSolids<2>&, std::span<const std::uint8_t>,
                                      const GridDomain<2>&, Context&, double);
template void extrapolate_velocity<3>(FaceField<double, 3>&, FaceField<std::uint8_t, 3>&, int,
                                      const LevelSet<3>&, const CutCells<3>&,
                                      const PlacedSolids<3>&, std::span<const std::uint8_t>,
                                      const GridDomain<3>&, Context&, double);
template void constrain_velocity<2>(FaceField<double, 2>&, const WallSide<2>*, const CutCells<2>&,
                                    const PlacedSolids<2>&, std::span<const std::uint8_t>,
                                    const GridDomain<2>&, Context&);
template void constrain_velocity<3>(FaceField<double, 3>&, const WallSide<3>*, const CutCells<3>&,
                                    const PlacedSolids<3>&, std::span<const std::uint8_t>,
                                    const GridDomain<3>&, Context&);

}  // namespace spume

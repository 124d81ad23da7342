// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/solids.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/physics/domain/open_part.h"
#include "spume/physics/domain/thin_walls.h"

namespace spume {
namespace {

constexpr float kSliver = 1e-3f;  // smaller openings are shut: they only spoil the conditioning

constexpr double kStencil = 2.5;  // voxels from a centre to the ends of what is laid around it

/// Does no lower face of a tile's cells lie on or beyond a wall?
template <int D>
bool inside_walls(const GridDomain<D>& domain, const Index<D>& origin) {
    for (int a = 0; a < D; ++a)
        if ((domain.wall[a][0] && origin[a] <= domain.cells.lo[a]) ||
            (domain.wall[a][1] && domain.cells.hi[a] < origin[a] + kTileSide<D>))
            return false;
    return true;
}

}  // namespace

template <int D>
double PlacedSolids<D>::distance(const Point<D>& x) const {
    double d = std::numeric_limits<double>::infinity();
    for (const auto& body : placed) d = std::min(d, body.distance(x));
    return d;
}

template <int D>
double PlacedSolids<D>::distance_within(const Point<D>& x, double band) const {
    double d = std::numeric_limits<double>::infinity();
    for (const auto& body : placed) d = std::min(d, body.distance_within(x, band));
    return d;
}

template <int D>
void NearSolids<D>::find(const PlacedSolids<D>& bodies, const Point<D>& x, double reach) {
    near_.clear();
    for (const PlacedBody<D>& body : bodies.placed)
        if (body.bounds().grown(reach).contains(x) && body.distance_within(x, reach) < reach)
            near_.push_back(&body);
}

template <int D>
void NearSolids<D>::find_around_tile(const PlacedSolids<D>& bodies, const Transform<D>& transform,
                                     const Index<D>& key, double beyond) {
    const double half = 0.5 * kTileSide<D>;
    const Point<D> middle =
        transform.to_world(key.template as<double>() * kTileSide<D> + Point<D>::filled(half));
    find(bodies, middle, half * transform.voxel * std::sqrt(double(D)) + beyond);
}

template <int D>
double NearSolids<D>::distance_within(const Point<D>& x, double band) const {
    double d = std::numeric_limits<double>::infinity();
    for (const PlacedBody<D>* body : near_) d = std::min(d, body->distance_within(x, band));
    return d;
}

template <int D>
double PlacedSolids<D>::max_speed() const {
    double most = 0;
    for (const auto& body : placed) most = std::max(most, body.max_speed());
    return most;
}

template <int D>
const PlacedBody<D>& PlacedSolids<D>::nearest(const Point<D>& x) const {
    if (placed.size() == 1) return placed[0];
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (const double d = placed[i].distance(x); d < least) least = d, best = i;
    return placed[best];
}

/// Shuts the faces that thin walls pass between the centres of, and says which they are.
template <int D>
void part(CutCells<D>& r, const PlacedSolids<D>& bodies, const GridDomain<D>& domain,
          Context& context) {
    const typename Tiles<D>::Ptr tiles = r.kind.tiles();
    const double h = tiles->voxel();
    if (!has_thin(bodies, h)) return;
    r.parting = {FaceField<std::uint8_t, D>(tiles), CellField<std::uint8_t, D>(tiles),
                 sight_past(bodies, h)};
    const bool moving = bodies.max_speed() > 0;
    std::uint8_t* beside = r.parting.beside.write();
    float* areas[D];
    std::uint8_t* marks[D];
    double* velocities[D];
    for (int a = 0; a < D; ++a) {
        areas[a] = r.area.write(a), marks[a] = r.parting.faces.write(a);
        velocities[a] = moving ? r.velocity.write(a) : nullptr;
    }
    const auto bodies_at = [&](int t) {
        NearSolids<D> near;
        near.find_around_tile(bodies, tiles->transform(), tile_of<D>(tiles->origin(t)),
                              kStencil * h);
        return near;
    };
    const auto visit = [&](const ThinWalls<D>& walls, int a, int t, int o) {
        const Index<D> face = tiles->origin(t) + tile_local<D>(o);
        if (domain.is_wall(a, face)) return;
        const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
        const FaceByWalls is = walls.face(a, face, areas[a][at] > 0);
        marks[a][at] = is.parted;
        if (!is.shut || areas[a][at] == 0) return;
        areas[a][at] = 0;
        const Point<D> x = r.velocity.position(a, t, o);
        if (moving) velocities[a][at] = bodies.nearest(x).velocity(x)[a];
    };
    for_tiles(context.arena, *tiles, [&](int t) {
        const NearSolids<D> near = bodies_at(t);
        const ThinWalls<D> walls(near, tiles->transform());
        if (walls.empty()) return;
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!walls.within(r.kind.position(t, o), kStencil)) continue;
            beside[std::size_t(t) * kTileCells<D> + std::size_t(o)] = 1;
            for (int a = 0; a < D; ++a) visit(walls, a, t, o);
        }
    });
    for (int a = 0; a < D; ++a) {
        const auto borders = tiles->plus_borders(a);
        for_range(context.arena, borders.size(), 4, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const NearSolids<D> near = bodies_at(borders[i]);
                const ThinWalls<D> walls(near, tiles->transform());
                for (int o = 0; o < kTileCells<D> && !walls.empty(); ++o)
                    if (tile_local<D>(o)[a] == 0) visit(walls, a, borders[i], o);
            }
        });
    }
}

/// Cells inside the box with an open face.
template <int D>
void mark_open_cells(CutCells<D>& r, const GridDomain<D>& domain, Context& context) {
    const Tiles<D>& tiles = *r.kind.tiles();
    std::uint8_t* kind = r.kind.write();
    r.water_cells = reduce_tiles<D>(
        context.arena, tiles, 0.0,
        [&](int t) {
            double count = 0;
            const Index<D> last = tiles.origin(t) + Index<D>::filled(kTileSide<D> - 1);
            const bool whole =
                domain.cells.contains(tiles.origin(t)) && domain.cells.contains(last);
            const float* across = r.area.tile(0, t);
            if (whole &&
                std::all_of(across, across + kTileCells<D>, [](float part) { return part > 0; })) {
                std::fill_n(kind + std::size_t(t) * kTileCells<D>, kTileCells<D>,
                            std::uint8_t(kFluidCell));
                return double(kTileCells<D>);
            }
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Index<D> local = tile_local<D>(o);
                bool open = domain.cells.contains(tiles.origin(t) + local);
                bool any = false;
                for (int axis = 0; axis < D && open; ++axis) {
                    const bool edge = local[axis] == kTileSide<D> - 1;
                    const int t1 = edge ? tiles.neighbour(t, Index<D>::unit(axis)) : t;
                    const int o1 = edge ? o - (kTileSide<D> - 1) * tile_stride<D>(axis)
                                        : o + tile_stride<D>(axis);
                    any = any || r.area.at(axis, t, o) > 0 || r.area.at(axis, t1, o1) > 0;
                }
                open = open && any;
                kind[std::size_t(t) * kTileCells<D> + std::size_t(o)] = open ? kFluidCell : kNoCell;
                count += open;
            }
            return count;
        },
        [](double a, double b) { return a + b; });
}

template <int D>
CutCells<D> cut_cells(const PlacedSolids<D>& bodies, const GridDomain<D>& domain,
                      const typename Tiles<D>::Ptr& tiles, Context& context) {
    Stage stage(context, "solids");
    CutCells<D> r;
    r.kind = CellField<std::uint8_t, D>(tiles);
    r.area = FaceField<float, D>(tiles);
    r.velocity = FaceField<double, D>(tiles);
    const Transform<D>& transform = tiles->transform();
    const bool moving = bodies.max_speed() > 0;
    float* areas[D];
    double* velocities[D] = {};
    for (int a = 0; a < D; ++a) {
        areas[a] = r.area.write(a);
        if (moving) velocities[a] = r.velocity.write(a);
    }
    const auto stored = [&](const Index<D>& cell) {
        return domain.cells.contains(cell) && tiles->is_active(tiles->find(tile_of<D>(cell)));
    };
    const auto shut = [&](int axis, const Index<D>& face) {
        return domain.is_wall(axis, face) ||
               (domain.still && stored(face) != stored(face - Index<D>::unit(axis)));
    };
    const auto open_face = [&](int axis, int t, int o, const auto& part_of) {
        const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
        const Index<D> face = tiles->origin(t) + tile_local<D>(o);
        areas[axis][at] = shut(axis, face) ? 0.0f : 1.0f;
        if (areas[axis][at] == 0) return;
        const float part = static_cast<float>(part_of(axis, face));
        areas[axis][at] = part < kSliver ? 0.0f : part;
        const Point<D> x = r.velocity.position(axis, t, o);
        if (moving && part < 1) velocities[axis][at] = bodies.nearest(x).velocity(x)[axis];
    };
    const auto all_open = [](int, const Index<D>&) { return 1.0; };
    const auto bodies_at = [&](int t) {
        NearSolids<D> near;
        near.find_around_tile(bodies, transform, tile_of<D>(tiles->origin(t)),
                              kCornerBand * transform.voxel);
        return near;
    };
    for_tiles(context.arena, *tiles, [&](int t) {
        const NearSolids<D> near = bodies_at(t);
        if (near.empty() && !domain.still && inside_walls(domain, tiles->origin(t))) {
            for (int a = 0; a < D; ++a)
                std::fill_n(areas[a] + std::size_t(t) * kTileCells<D>, kTileCells<D>, 1.0f);
            return;
        }
        const CornerDistances<D> corners(near, *tiles, t);
        for (int a = 0; a < D; ++a)
            for (int o = 0; o < kTileCells<D>; ++o)
                near.empty() ? open_face(a, t, o, all_open) : open_face(a, t, o, corners);
    });
    for (int a = 0; a < D; ++a) {
        const auto borders = tiles->plus_borders(a);
        for_range(context.arena, borders.size(), 4, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const NearSolids<D> near = bodies_at(borders[i]);
                for (int o = 0; o < kTileCells<D>; ++o) {
                    if (tile_local<D>(o)[a] != 0) continue;
                    if (near.empty())
                        open_face(a, borders[i], o, all_open);
                    else
                        open_face(a, borders[i], o, [&](int axis, const Index<D>& face) {
                            return OpenPart<D>(near, transform, axis, face)();
                        });
                }
            }
        });
    }
    part(r, bodies, domain, context);
    mark_open_cells(r, domain, context);
    return r;
}

template struct PlacedSolids<2>;
template struct PlacedSolids<3>;
template class NearSolids<2>;
template class NearSolids<3>;
template CutCells<2> cut_cells<2>(const PlacedSolids<2>&, const GridDomain<2>&,
                                  const Tiles<2>::Ptr&, Context&);
template CutCells<3> cut_cells<3>(const PlacedSolids<3>&, const GridDomain<3>&,
                                  const Tiles<3>::Ptr&, Context&);

}  // namespace spume

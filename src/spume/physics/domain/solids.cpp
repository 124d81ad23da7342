// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/solids.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/physics/domain/thin_walls.h"

namespace spume {
namespace {

constexpr float kSliver = 1e-3f;  // smaller openings are shut: they only spoil the conditioning
constexpr double kTouch = 1e-6;   // of a voxel: nearer is on the surface

template <int D>
Index<D> corner_step(int axis, int k) {
    // The corners of the face across `axis`, counter-clockwise.
    constexpr int kRing[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    Index<D> s{};
    if constexpr (D == 2) {
        s[1 - axis] = k;
    } else {
        s[(axis + 1) % 3] = kRing[k][0];
        s[(axis + 2) % 3] = kRing[k][1];
    }
    return s;
}

constexpr double kStencil = 2.5;   // voxels from a centre to the ends of what is laid around it
constexpr double kCornerBand = 2;  // voxels: farther corners belong to no face that is cut

/// Distance to the bodies at a corner of the lattice. On a face that is cut, no corner is farther
/// from the surface than the face's diagonal. Corners on the surface but for rounding are solid:
/// where two bodies touch on a plane of the lattice there is no slit.
template <int D>
double corner_distance(const NearSolids<D>& bodies, const Transform<D>& transform,
                       const Index<D>& corner) {
    const double d = bodies.distance_within(transform.to_world(corner.template as<double>()),
                                            kCornerBand * transform.voxel);
    return d > kTouch * transform.voxel ? d : std::min(d, 0.0);
}

/// Open part of a face from the distances at(k) of its corners.
template <int D, class At>
double open_part(const At& at) {
    if constexpr (D == 2) {
        return positive_part(at(0), at(1));
    } else {
        const double corners[4] = {at(0), at(1), at(2), at(3)};
        return positive_part(corners);
    }
}
template <int D>
double open_part(const NearSolids<D>& bodies, const Transform<D>& transform, int axis,
                 const Index<D>& face) {
    return open_part<D>(
        [&](int k) { return corner_distance(bodies, transform, face + corner_step<D>(axis, k)); });
}

/// Does no lower face of a tile's cells lie on or beyond a wall?
template <int D>
bool inside_walls(const GridDomain<D>& domain, const Index<D>& origin) {
    for (int a = 0; a < D; ++a)
        if ((domain.wall[a][0] && origin[a] <= domain.cells.lo[a]) ||
            (domain.wall[a][1] && origin[a] + kTileSide < D >> domain.cells.hi[a]))
            return false;
    return true;
}

/// The distances at all corners of a tile's cells, each computed once though many faces share it.
template <int D>
class CornerDistances {
  public:
    CornerDistances(const NearSolids<D>& bodies, const Tiles<D>& tiles, int t)
        : origin_(tiles.origin(t)) {
        for (int n = 0; !bodies.empty() && n < kCount; ++n) {
            Index<D> corner = origin_;
            for (int a = D - 1, rest = n; a >= 0; --a, rest /= kSide) corner[a] += rest % kSide;
            distance_[n] = corner_distance(bodies, tiles.transform(), corner);
        }
    }
    /// Open part of the face across `axis` with this lattice index.
    double operator()(int axis, const Index<D>& face) const {
        return open_part<D>([&](int k) {
            const Index<D> local = face + corner_step<D>(axis, k) - origin_;
            int n = 0;
            for (int a = 0; a < D; ++a) n = n * kSide + local[a];
            return distance_[n];
        });
    }

  private:
    static constexpr int kSide = kTileSide<D> + 1;
    static constexpr int kCount = D == 2 ? kSide * kSide : kSide * kSide * kSide;
    Index<D> origin_;
    double distance_[kCount];
};

}  // namespace

double positive_part(double a, double b) {
    if (a > 0 && b > 0) return 1;
    if (a <= 0 && b <= 0) return 0;
    return std::max(a, b) / (std::max(a, b) - std::min(a, b));
}

double positive_part(const double (&corner)[4]) {
    constexpr double kX[4] = {0, 1, 1, 0}, kY[4] = {0, 0, 1, 1};
    double x[8], y[8];
    int n = 0;
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        if (corner[i] > 0) x[n] = kX[i], y[n++] = kY[i];
        if ((corner[i] > 0) != (corner[j] > 0)) {
            const double t = corner[i] / (corner[i] - corner[j]);
            x[n] = kX[i] + t * (kX[j] - kX[i]);
            y[n++] = kY[i] + t * (kY[j] - kY[i]);
        }
    }
    double twice = 0;
    for (int i = 0; i < n; ++i) {
        const int j = (i + 1) % n;
        twice += x[i] * y[j] - x[j] * y[i];
    }
    return std::clamp(twice / 2, 0.0, 1.0);
}

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
                            return open_part<D>(near, transform, axis, face);
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

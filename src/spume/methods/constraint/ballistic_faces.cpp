// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/ballistic_faces.h"

#include <algorithm>

#include "spume/grid/sample.h"
#include "spume/surface/level_set.h"
#include "spume/surface/regions.h"

namespace spume::constraint {
namespace {

/// Voxels from a wall within which a particle touches it, and in which faces around it hear of it.
constexpr double kTouching = 0.5, kNearWall = 1.25;

/// The cells that share the face below `cell` across an axis, and those beside that face.
template <int D, class Visit>
bool any_beside(const Index<D>& cell, int axis, Visit&& visit) {
    for (int c = 0; c < kTileNeighbours<D>; ++c) {
        Index<D> i = cell;
        bool beside = true;
        for (int a = 0, rest = c; a < D; ++a, rest /= 3) {
            i[a] += rest % 3 - 1;
            beside = beside && (a != axis || i[a] <= cell[a]);
        }
        if (beside && visit(i)) return true;
    }
    return false;
}

/// Is any of those cells loose?
template <int D>
bool loose_beside(const HaloBlock<float, D, 1>& detached, const Index<D>& cell, int axis) {
    return any_beside<D>(cell, axis,
                         [&](const Index<D>& i) { return detached.v[detached.at(i)] > 0; });
}

/// 1: a loose cell with a particle that touches a wall.
template <int D>
CellField<std::uint8_t, D> touching_cells(const CellField<float, D>& detached,
                                          std::span<const Point<D>> positions,
                                          const CellRanges<D>& cells, const PlacedSolids<D>& solids,
                                          const GridDomain<D>& domain, Context& context) {
    const Tiles<D>& tiles = *detached.tiles();
    const double reach = kTouching * tiles.voxel();
    const Box<double, D> box = domain.bounds();
    const auto touches = [&](const Point<D>& x, const NearSolids<D>& near) {
        for (int a = 0; a < D; ++a)
            if ((domain.wall[a][0] && x[a] < box.lo[a] + reach) ||
                (domain.wall[a][1] && x[a] > box.hi[a] - reach))
                return true;
        return !near.empty() && near.distance_within(x, reach) < reach;
    };
    CellField<std::uint8_t, D> r(detached.tiles());
    std::uint8_t* out = r.write();
    for_tiles(context.arena, tiles, [&](int t) {
        NearSolids<D> near;
        bool looked = false;
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!(detached.at(t, o) > 0)) continue;
            if (!looked && !solids.empty())
                near.find_around_tile(solids, tiles.transform(), tile_of<D>(tiles.origin(t)),
                                      reach);
            looked = true;
            const std::size_t cell = std::size_t(t) * kTileCells<D> + std::size_t(o);
            for (std::size_t i = cells.begin[cell]; i < cells.begin[cell + 1] && !out[cell]; ++i)
                out[cell] = touches(positions[i], near);
        }
    });
    return r;
}

/// The component along an axis of u once it approaches neither a side of the box nor the nearest
/// body at x.
template <int D>
double stopped(const Vec<double, D>& u, int axis, const Point<D>& x, const PlacedSolids<D>& solids,
               const GridDomain<D>& domain) {
    const double reach = kNearWall * domain.voxel();
    const Box<double, D> box = domain.bounds();
    double r = u[axis];
    if (!solids.empty() && solids.distance_within(x, reach) < reach) {
        const PlacedBody<D>& body = solids.nearest(x);
        const Vec<double, D> n = body.normal(x);
        r -= n[axis] * std::min(0.0, dot(u - body.velocity(x), n));
    }
    if (domain.wall[axis][0] && x[axis] < box.lo[axis] + reach) r = std::max(r, 0.0);
    if (domain.wall[axis][1] && x[axis] > box.hi[axis] - reach) r = std::min(r, 0.0);
    return r;
}

template <int D>
class TileInFlight {
  public:
    TileInFlight(const FaceField<double, D>& velocity, const CellField<float, D>& detached,
                 const CellField<std::uint8_t, D>& phase, const FaceField<float, D>& area, int tile)
        : velocity_(velocity), area_(area), tiles_(*velocity.tiles()), tile_(tile) {
        load_halo(detached.read(), tiles_, tile, loose_);
        load_halo(phase.read(), tiles_, tile, phase_);
    }

    void list(std::vector<BallisticFace>& out) const {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> cell = tile_local<D>(o);
            for (int a = 0; a < D; ++a) {
                add(cell, a, face_place<D>(tiles_, tile_, o, 2 * a), out);
                // Faces on the border belong to no cell above them.
                if (cell[a] == kTileSide<D> - 1 &&
                    !tiles_.is_active(tiles_.neighbour(tile_, Index<D>::unit(a))))
                    add(cell + Index<D>::unit(a), a, face_place<D>(tiles_, tile_, o, 2 * a + 1),
                        out);
            }
        }
    }

  private:
    /// The face below a cell.
    void add(const Index<D>& cell, int axis, std::size_t face,
             std::vector<BallisticFace>& out) const {
        const int above = phase_.v[phase_.at(cell)];
        const int below = phase_.v[phase_.at(cell) - phase_.stride(axis)];
        if (above == kLiquidPhase || below == kLiquidPhase) return;
        const bool open = area_.read(axis)[face] > 0;
        if (!open && above == below) return;
        if (!loose_beside<D>(loose_, cell, axis)) return;
        out.push_back({static_cast<std::uint32_t>(face), axis,
                       open                 ? 0
                       : below == kAirPhase ? 1
                                            : -1,
                       velocity_.read(axis)[face]});
    }

    const FaceField<double, D>& velocity_;
    const FaceField<float, D>& area_;
    const Tiles<D>& tiles_;
    int tile_;
    HaloBlock<float, D, 1> loose_;
    HaloBlock<std::uint8_t, D, 1> phase_;
};

}  // namespace

template <int D>
std::vector<BallisticFace> ballistic_faces(const FaceField<double, D>& velocity,
                                           const CellField<float, D>& detached,
                                           const CellField<std::uint8_t, D>& phase,
                                           const FaceField<float, D>& area, Context& context) {
    const Tiles<D>& tiles = *velocity.tiles();
    std::vector<std::uint8_t> some(std::size_t(tiles.stored()), 0);
    for_tiles(context.arena, tiles, [&](int t) {
        const float* own = detached.tile(t);
        some[std::size_t(t)] =
            std::any_of(own, own + kTileCells<D>, [](float part) { return part > 0; });
    });
    std::vector<std::vector<BallisticFace>> lists(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        const int* around = tiles.neighbours(t);
        if (std::any_of(around, around + kTileNeighbours<D>,
                        [&](int n) { return some[std::size_t(n)] != 0; }))
            TileInFlight<D>(velocity, detached, phase, area, t).list(lists[std::size_t(t)]);
    });
    std::vector<BallisticFace> r;
    for (const auto& list : lists) r.insert(r.end(), list.begin(), list.end());
    return r;
}

template <int D>
void stop_at_walls(std::vector<BallisticFace>& faces, const FaceField<double, D>& velocity,
                   const CellField<float, D>& detached, std::span<const Point<D>> positions,
                   const CellRanges<D>& cells, const PlacedSolids<D>& solids,
                   const GridDomain<D>& domain, Context& context) {
    if (faces.empty()) return;
    const CellField<std::uint8_t, D> touching =
        touching_cells(detached, positions, cells, solids, domain, context);
    const Tiles<D>& tiles = *velocity.tiles();
    for_range(context.arena, faces.size(), 64, [&](std::size_t begin, std::size_t end) {
        TileCursor<D> cursor(tiles);
        for (std::size_t k = begin; k < end; ++k) {
            BallisticFace& f = faces[k];
            const int t = int(f.face / kTileCells<D>), o = int(f.face % kTileCells<D>);
            const bool rests =
                any_beside<D>(tiles.origin(t) + tile_local<D>(o), f.axis, [&](const Index<D>& i) {
                    const std::size_t at = cursor(i);
                    return tiles.is_active(cursor.tile()) && touching.read()[at] != 0;
                });
            if (!rests) continue;
            const Point<D> x = velocity.position(f.axis, t, o);
            Vec<double, D> u = sample<double, D>(velocity, cursor, x);
            u[f.axis] = f.velocity;
            f.velocity = stopped<D>(u, f.axis, x, solids, domain);
        }
    });
}

template <int D>
void fix_ballistic(FaceField<double, D>& velocity, FaceField<std::uint8_t, D>& valid,
                   std::span<const BallisticFace> faces) {
    if (faces.empty()) return;
    for (int a = 0; a < D; ++a) {
        double* u = velocity.write(a);
        std::uint8_t* mark = valid.write(a);
        for (const BallisticFace& f : faces)
            if (f.axis == a) u[f.face] = f.velocity, mark[f.face] = 1;
    }
}

template <int D>
void release_from_walls(FaceField<double, D>& velocity, std::span<const BallisticFace> faces) {
    for (const BallisticFace& f : faces) {
        if (f.wall == 0) continue;
        double& u = velocity.write(f.axis)[f.face];
        u = f.wall > 0 ? std::min(u, f.velocity) : std::max(u, f.velocity);
    }
}

#define SPUME_INSTANTIATE(D)                                                                 \
    template std::vector<BallisticFace> ballistic_faces<D>(                                  \
        const FaceField<double, D>&, const CellField<float, D>&,                             \
        const CellField<std::uint8_t, D>&, const FaceField<float, D>&, Context&);            \
    template void stop_at_walls<D>(std::vector<BallisticFace>&, const FaceField<double, D>&, \
                                   const CellField<float, D>&, std::span<const Point<D>>,    \
                                   const CellRanges<D>&, const PlacedSolids<D>&,             \
                                   const GridDomain<D>&, Context&);                          \
    template void fix_ballistic<D>(FaceField<double, D>&, FaceField<std::uint8_t, D>&,       \
                                   std::span<const BallisticFace>);                          \
    template void release_from_walls<D>(FaceField<double, D>&, std::span<const BallisticFace>);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

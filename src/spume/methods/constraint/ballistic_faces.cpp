// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/ballistic_faces.h"

#include <algorithm>

#include "spume/surface/level_set.h"
#include "spume/surface/regions.h"

namespace spume::constraint {
namespace {

/// Is any cell loose that shares the face below `cell` across an axis, or one beside that face?
template <int D>
bool loose_beside(const HaloBlock<float, D, 1>& detached, const Index<D>& cell, int axis) {
    for (int c = 0; c < kTileNeighbours<D>; ++c) {
        Index<D> i = cell;
        bool beside = true;
        for (int a = 0, rest = c; a < D; ++a, rest /= 3) {
            i[a] += rest % 3 - 1;
            beside = beside && (a != axis || i[a] <= cell[a]);
        }
        if (beside && detached.v[detached.at(i)] > 0) return true;
    }
    return false;
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

#define SPUME_INSTANTIATE(D)                                                           \
    template std::vector<BallisticFace> ballistic_faces<D>(                            \
        const FaceField<double, D>&, const CellField<float, D>&,                       \
        const CellField<std::uint8_t, D>&, const FaceField<float, D>&, Context&);      \
    template void fix_ballistic<D>(FaceField<double, D>&, FaceField<std::uint8_t, D>&, \
                                   std::span<const BallisticFace>);                    \
    template void release_from_walls<D>(FaceField<double, D>&, std::span<const BallisticFace>);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

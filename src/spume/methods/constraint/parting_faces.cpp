// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/parting_faces.h"

#include <algorithm>

namespace spume::constraint {
namespace {

/// Cells that air may pass on its way to the wall.
constexpr int kWayOfAir = 8;
constexpr double kSliding = 1.0 / 8;  ///< of the speed: along the wall
constexpr double kNoise = 1.0 / 16;   ///< voxels in a substep that particles scatter

template <int D>
class PartingTile {
  public:
    PartingTile(const AirBoundary<D>& air, const SubstepGeometry<D>& geometry, const State<D>& s,
                const World<D>& w, const PlacedSolids<D>& solids, double dt, int tile)
        : air_(air),
          geometry_(geometry),
          s_(s),
          w_(w),
          solids_(solids),
          dt_(dt),
          tiles_(*s.phi.tiles()),
          tile_(tile) {}

    void list(std::vector<SurfaceFace>& out) const {
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (geometry_.phase.at(tile_, o) != kLiquidPhase) continue;
            std::int32_t region = -1;
            for (int side = 0; side < 2 * D; ++side) {
                if (!parts(o, side)) continue;
                if (region < 0) region = air_near(o);
                if (region < 0) break;
                SurfaceFace face;
                face.cell = static_cast<std::uint32_t>(tile_ * kTileCells<D> + o);
                face.face = static_cast<std::uint32_t>(face_place<D>(tiles_, tile_, o, side));
                face.region = region;
                face.side = side;
                out.push_back(face);
            }
        }
    }

  private:
    bool parts(int o, int side) const {
        const int a = side / 2;
        const std::size_t wall = face_place<D>(tiles_, tile_, o, side),
                          opposite = face_place<D>(tiles_, tile_, o, side ^ 1);
        const CutCells<D>& open = geometry_.open;
        if (open.area.read(a)[wall] != 0 || open.velocity.read(a)[wall] != 0) return false;
        if (open.area.read(a)[opposite] == 0) return false;
        const double off = (side % 2 ? -1 : 1) * s_.velocity.read(a)[opposite];
        const double h = tiles_.voxel();
        if (off * dt_ < kNoise * h || off * off <= length(w_.gravity()) * h) return false;
        const double density = w_.scene.physics.water_density;
        return s_.pressure.at(tile_, o) < 0.5 * density * off * off && off > kSliding * speed(o) &&
               !is_moved(
                   s_.velocity.position(a, int(wall / kTileCells<D>), int(wall % kTileCells<D>)));
    }
    double speed(int o) const {
        Vec<double, D> u{};
        for (int side = 0; side < 2 * D; ++side)
            u[side / 2] += 0.5 * s_.velocity.read(side / 2)[face_place<D>(tiles_, tile_, o, side)];
        return length(u);
    }
    /// Is there a body that the liquid moves?
    bool is_moved(const Point<D>& x) const {
        const double h = tiles_.voxel();
        return std::any_of(w_.rigid.bodies().begin(), w_.rigid.bodies().end(), [&](const auto& b) {
            return solids_.placed[b.solid].distance_within(x, h) < h;
        });
    }

    /// A region of pressure zero that can come in along an axis, through open faces; −1 if there is
    /// none.
    std::int32_t air_near(int o) const {
        std::int32_t found = -1;
        int least = kWayOfAir + 1;
        for (int side = 0; side < 2 * D; ++side) {
            Neighbour<D> at{tile_, o};
            for (int step = 1; step < least; ++step) {
                const std::size_t face = face_place<D>(tiles_, at.tile, at.offset, side);
                if (geometry_.open.area.read(side / 2)[face] == 0) break;
                at = neighbour_of<D>(tiles_, at.tile, at.offset, side);
                if (!tiles_.is_active(at.tile)) break;
                const std::int32_t region = air_.regions.label.at(at.tile, at.offset);
                if (region < 0 || air_.rows[std::size_t(region)].constrained) continue;
                found = region;
                least = step;
            }
        }
        return found;
    }

    const AirBoundary<D>& air_;
    const SubstepGeometry<D>& geometry_;
    const State<D>& s_;
    const World<D>& w_;
    const PlacedSolids<D>& solids_;
    double dt_;
    const Tiles<D>& tiles_;
    int tile_;
};

}  // namespace

template <int D>
void open_parting_faces(AirBoundary<D>& air, SubstepGeometry<D>& geometry, const State<D>& s,
                        const World<D>& w, const PlacedSolids<D>& solids, double dt,
                        Context& context) {
    const Tiles<D>& tiles = *s.phi.tiles();
    std::vector<std::vector<SurfaceFace>> lists(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        PartingTile<D>(air, geometry, s, w, solids, dt, t).list(lists[std::size_t(t)]);
    });
    for (const auto& list : lists)
        for (const SurfaceFace& face : list) {
            // As wide as the cell is on its other side.
            const std::size_t opposite =
                face_place<D>(tiles, int(face.cell / kTileCells<D>), int(face.cell % kTileCells<D>),
                              face.side ^ 1);
            float* area = geometry.open.area.write(face.axis());
            area[face.face] = area[opposite];
            air.faces.push_back(face);
        }
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template void open_parting_faces<D>(AirBoundary<D>&, SubstepGeometry<D>&, const State<D>&, \
                                        const World<D>&, const PlacedSolids<D>&, double,       \
                                        Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::constraint

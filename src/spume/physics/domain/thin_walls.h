// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/array.h"
#include "spume/physics/domain/solids.h"

namespace spume {

// The corners of the lattice do not see a wall that passes between them. Of a wall thinner than the
// diagonal of a cell the openings of faces therefore ask more: a way from centre to centre of two
// cells that enters a solid is shut. A chain of cells that share open faces is then a chain of
// straight ways that enter no solid, and so nothing that a wall parts is joined, however thin the
// wall is and however it lies.

/// Walls of fewer voxels can pass between corners of the lattice: the diagonal of a cell.
inline constexpr double kThinWall = 1.75;

template <int D>
bool is_thin(const PlacedBody<D>& body, double voxel) {
    return body.shape().thickness() < kThinWall * voxel;
}
template <int D>
bool has_thin(const PlacedSolids<D>& bodies, double voxel);

/// Those among the bodies, numbered as there.
template <int D>
std::vector<std::size_t> thin_bodies(const PlacedSolids<D>& bodies, double voxel);

/// What a face is once thin walls are asked.
struct FaceByWalls {
    bool shut = false;    ///< whatever its corners say
    bool parted = false;  ///< it is shut, and by a thin wall
};

/// Asks the bodies near a tile.
template <int D>
class ThinWalls {
  public:
    ThinWalls(const NearSolids<D>& near, const Transform<D>& transform);
    bool empty() const { return thin_.empty(); }
    /// The face across `axis` with this lattice index; `open`: its corners leave some of it open.
    FaceByWalls face(int axis, const Index<D>& face, bool open) const;
    /// Is a thin wall within so many voxels of the point?
    bool within(const Point<D>& x, double voxels) const;

  private:
    bool covers(const Point<D>& x) const;
    bool sees(const Point<D>& a, const Point<D>& b) const;
    /// Cells whose centre is inside a solid are cut; such a wall may leave them open on both sides.
    bool is_split(const Index<D>& cell) const;

    const NearSolids<D>& near_;
    const Transform<D>& transform_;
    std::vector<const PlacedBody<D>*> thin_;
};

/// A copy of the thin bodies that says whether points see each other past them.
template <int D>
std::function<bool(const Point<D>&, const Point<D>&)> sight_past(const PlacedSolids<D>& bodies,
                                                                 double voxel);

/// Where ways began: kept only if there are thin bodies.
template <int D>
struct Departure {
    PlacedSolids<D> bodies;
    Array<Point<D>> position;

    /// Of particles that are about to move while the bodies, as they are now, do.
    static Departure of(const PlacedSolids<D>& bodies, const Array<Point<D>>& position,
                        double voxel) {
        return has_thin(bodies, voxel) ? Departure{bodies, position} : Departure{};
    }
};

/// Stops points at thin bodies: a continuous test of the way of each, relative to bodies that move.
template <int D>
class WayStops {
  public:
    /// The bodies when the ways begin, and when they end; nothing stops without a beginning.
    WayStops(const Departure<D>* before, const PlacedSolids<D>& after, double voxel);
    bool empty() const { return thin_.empty(); }

    /// A point went from `from` to `x` with velocity v. One that would have crossed a wall stays on
    /// its side, `clear` away, slides along, and loses the velocity into it.
    void stop(const Point<D>& from, Point<D>& x, Vec<double, D>& v, double clear) const;
    /// The same after corrections that moved it a little: what has crossed goes back to where its
    /// way began, carried by the body.
    void hold(const Point<D>& from, Point<D>& x) const;
    const Point<D>& from(std::size_t particle) const { return before_->position[particle]; }

  private:
    struct Hit {
        const PlacedBody<D>* before = nullptr;
        const PlacedBody<D>* after = nullptr;
        Crossing<D> at{};
    };
    bool first(const Point<D>& from, const Point<D>& x, bool moving, Hit& hit) const;

    struct Pair {
        const PlacedBody<D>*before, *after;
        Box<double, D> swept;  ///< bounds of both
    };
    const Departure<D>* before_;
    std::vector<Pair> thin_;
};

}  // namespace spume

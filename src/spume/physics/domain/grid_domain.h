// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/box.h"
#include "spume/grid/tile.h"
#include "spume/particles/clamp.h"
#include "spume/scene/scene.h"

namespace spume {

/// The part of the lattice that may hold water: a box of cells, each of its sides a wall or open.
/// Beyond an open side, and where no tile is stored, the water is at rest under gravity.
template <int D>
struct GridDomain {
    Transform<D> transform;
    Box<int, D> cells{};
    bool wall[D][2] = {};  ///< [axis][0: lower side, 1: upper side]
    bool still = false;  ///< the water beyond does not move; otherwise its pressure is hydrostatic

    double voxel() const { return transform.voxel; }
    double cell_volume() const;
    Box<double, D> bounds() const;
    bool closed() const;  ///< all sides are walls

    /// Is the face across `axis` with this lattice index on or beyond a wall?
    bool is_wall(int axis, const Index<D>& face) const {
        return (wall[axis][0] && face[axis] <= cells.lo[axis]) ||
               (wall[axis][1] && face[axis] >= cells.hi[axis]) || beside(axis, face);
    }
    Clamp<D> clamp() const;

  private:
    /// Beyond a wall across another axis.
    bool beside(int axis, const Index<D>& face) const {
        for (int a = 0; a < D; ++a)
            if (a != axis &&
                ((wall[a][0] && face[a] < cells.lo[a]) || (wall[a][1] && face[a] >= cells.hi[a])))
                return true;
        return false;
    }
};

template <int D>
GridDomain<D> grid_domain_of(const Scene& scene);

/// First D components; 2D scenes ignore the third.
template <int D>
Vec<double, D> in_plane(const Vec<double, 3>& v) {
    Vec<double, D> r{};
    for (int a = 0; a < D; ++a) r[a] = v[a];
    return r;
}

}  // namespace spume

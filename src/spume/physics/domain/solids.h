// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/context.h"
#include "spume/geometry/moving_body.h"
#include "spume/grid/field.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/solve/pressure.h"
#include "spume/surface/parting.h"

namespace spume {

/// A band in which no point is: of a distance within it only the sign matters.
inline constexpr double kNoBand = 1e-200;

/// All solids of a scene at one moment.
template <int D>
struct PlacedSolids {
    std::vector<PlacedBody<D>> placed;

    bool empty() const { return placed.empty(); }
    /// Signed distance to the nearest, negative inside; +∞ without bodies.
    double distance(const Point<D>& x) const;
    /// The same where its size is less than `band`; farther away only the sign is right.
    double distance_within(const Point<D>& x, double band) const;
    /// Is x in one of them? Of a mesh much cheaper than a distance.
    bool covers(const Point<D>& x) const { return distance_within(x, kNoBand) <= 0; }
    /// No point of any body is faster, m/s.
    double max_speed() const;
    /// The nearest, for velocity and normal. Only with bodies.
    const PlacedBody<D>& nearest(const Point<D>& x) const;
};

/// Those of the bodies that matter near a point: asked for each tile, so that its cells need not
/// ask all of them.
template <int D>
class NearSolids {
  public:
    /// Bodies whose surface or inside is within `reach` of x.
    void find(const PlacedSolids<D>& bodies, const Point<D>& x, double reach);
    /// Bodies within `beyond` of any point of a tile's cells.
    void find_around_tile(const PlacedSolids<D>& bodies, const Transform<D>& transform,
                          const Index<D>& key, double beyond);

    bool empty() const { return near_.empty(); }
    auto begin() const { return near_.begin(); }
    auto end() const { return near_.end(); }
    /// As of all bodies where these were looked for, for bands that do not reach farther.
    double distance_within(const Point<D>& x, double band) const;
    bool covers(const Point<D>& x) const { return distance_within(x, kNoBand) <= 0; }

  private:
    std::vector<const PlacedBody<D>*> near_;
};

/// What walls and bodies leave of the grid.
template <int D>
struct CutCells {
    CellField<std::uint8_t, D> kind;  ///< kFluidCell: it carries a pressure
    FaceField<float, D> area;         ///< open part of a face, 0 … 1
    FaceField<double, D> velocity;    ///< normal velocity of the closed part
    double water_cells = 0;           ///< how many cells carry a pressure
    Parting<D> parting{};             ///< by walls that the corners of the lattice do not see
};

/// Open area fractions from signed distances at the corners, as in [NMG09]: the part of a face
/// where the linear interpolant of the distances is positive. Faces that a wall passes between the
/// centres of are shut, however thin it is (physics/domain/thin_walls.h).
template <int D>
CutCells<D> cut_cells(const PlacedSolids<D>& bodies, const GridDomain<D>& domain,
                      const typename Tiles<D>::Ptr& tiles, Context& context);

/// Part of a unit square (2D grid: of a unit edge) where the interpolant of corner values is
/// positive. Corners in order round the square.
double positive_part(double a, double b);
double positive_part(const double (&corner)[4]);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {

/// Markers are as large as what is around them makes them, while this lives; then they have their
/// own radius again. A marker fills any voxel it is in, with 22 times the air that it stands for
/// (2D: 6), so that a body of them has a sharp surface and no holes. Alone, in spray or in a film
/// it is no body: there it would be air that nobody let in, and bodies that shed and take up
/// markers would swell. So it is a bubble of the air it stands for, V_0, unless air fills its
/// surroundings:
///
///   V = V_0 + (1 − w) (V_m − V_0),   w = swarm_share of the fullness around,
///
/// with V_m the marker's volume: the part of the place that is inside bodies, see swarm_share, is
/// marked. Ours.
template <int D>
class MarkerSizes {
  public:
    /// All markers as if alone; without `shrink` nothing is done.
    MarkerSizes(Bubbles<D>& bubbles, bool shrink, double voxel, Context& context);
    ~MarkerSizes();
    MarkerSizes(const MarkerSizes&) = delete;
    MarkerSizes& operator=(const MarkerSizes&) = delete;

    bool any() const { return any_; }  ///< markers
    bool known() const { return known_; }
    /// `fullness` around each bubble, of the air that the particles stand for.
    void grow(const Array<double>& fullness, Context& context);

  private:
    Bubbles<D>& bubbles_;
    Array<float> own_;  ///< radii
    double marker_;     ///< radius of one
    bool any_ = false;
    bool known_;
};

/// What the particles hold, and what the grid makes of it.
template <int D>
struct AirOnGrid {
    MixtureFaces<D> mixture;
    FaceField<double, D> held;  ///< fraction of the air that the particles stand for, Eq. 30
};

/// [WSB25] Eqs. 30–32 with markers of their sizes, which `sizes` keeps.
template <int D>
AirOnGrid<D> air_on_grid(const Bubbles<D>& bubbles, MarkerSizes<D>& sizes,
                         const TileRanges<D>& ranges, const CutCells<D>& open,
                         const GridDomain<D>& domain, const Coupling<D>& coupling,
                         Context& context);

}  // namespace spume::mixture

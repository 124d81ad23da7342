// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {

/// Markers are bubbles of the air that they stand for while this lives; then they have their own
/// radius again. At its own a marker fills any voxel it is in, with 22 times that air (2D: 6): the
/// clamped fraction of a body then ends 0.8 voxels outside of its particles, where the flow is
/// another than the one that moves them, and a marker in spray is air that nobody let in. What
/// keeps bodies of such bubbles whole is sharpen_surface.
template <int D>
class MarkerSizes {
  public:
    /// Without `shrink` nothing is done.
    MarkerSizes(Bubbles<D>& bubbles, bool shrink, double voxel, Context& context);
    ~MarkerSizes();
    MarkerSizes(const MarkerSizes&) = delete;
    MarkerSizes& operator=(const MarkerSizes&) = delete;

    bool known() const { return known_; }  ///< what air the particles stand for

  private:
    Bubbles<D>& bubbles_;
    Array<float> own_;  ///< radii
    double marker_;     ///< radius of one
    bool any_ = false;  ///< markers
    bool known_;
};

/// What the particles hold, and what the grid makes of it.
template <int D>
struct AirOnGrid {
    MixtureFaces<D> mixture;
    FaceField<double, D> held;  ///< fraction of the air that the particles stand for, Eq. 30
};

/// [WSB25] Eqs. 30–32 with the markers' sizes that `sizes` keeps, and sharp surfaces of bodies.
template <int D>
AirOnGrid<D> air_on_grid(const Bubbles<D>& bubbles, MarkerSizes<D>& sizes,
                         const TileRanges<D>& ranges, const CutCells<D>& open,
                         const GridDomain<D>& domain, const Coupling<D>& coupling,
                         Context& context);

}  // namespace spume::mixture

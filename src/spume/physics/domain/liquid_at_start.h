// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/domain/liquid_set.h"

namespace spume {

/// Distance to the scene's liquid at the start. Its shapes end at walls, where the liquid has no
/// surface: where a side along a wall is nearest, the distance is that of a point `away` voxels
/// from it; surfaces that meet a wall at an angle are left as they are. Open sources are full.
template <int D>
class LiquidAtStart {
  public:
    LiquidAtStart(const LiquidSet<D>& liquids, const GridDomain<D>& domain, double away = 2);
    double operator()(const Point<D>& x) const;

  private:
    double distance(const Point<D>& x) const;
    const LiquidSet<D>& liquids_;
    const GridDomain<D>& domain_;
    double away_;
    LiquidFlow<D> flow_;
};

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/box.h"
#include "spume/core/vec.h"

namespace spume {

/// Fraction that spheres fill when poured at random, random close packing [SK69]: bubbles that are
/// particles of their own cannot be closer. Bodies of air, `cell_share` and `marker`, may fill all.
inline constexpr double kRandomPacking = 0.64;

/// Air per volume around an emitter, as the hats of [WSB25] Eq. 30 spread it, on a lattice of the
/// grid's spacing; coarser for places of more than 2²⁴ voxels.
template <int D>
class FractionAround {
  public:
    FractionAround(const Box<double, D>& place, double voxel);

    void add(const Point<D>& x, double volume);
    double at(const Point<D>& x) const;
    const Box<double, D>& reach() const { return reach_; }  ///< of what can be seen in the place

  private:
    /// Calls visit(index, weight) for the 2^D nodes around x that are stored.
    template <class Visit>
    void for_nodes(const Point<D>& x, Visit&& visit) const;

    double spacing_;
    Box<double, D> reach_;
    Index<D> nodes_{};
    std::vector<double> values_;
};

/// How much more air the open part of a place can take before its mean fraction is `most`, m³
/// (2D: m²), negative where there is more already. `open` are points spread evenly over that part,
/// `volume` is its size. With f the mean of what is there and 1/V that of one unit of air spread
/// over the place, the room is (most − f) V: V is the place's volume where it is large, that of the
/// hats where it is smaller than a voxel.
template <int D>
double room_for_air(const FractionAround<D>& air, const std::vector<Point<D>>& open, double volume,
                    double voxel, double most);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/physics/bulk/bulk.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/motion/advect.h"

namespace spume::guided {

/// Φ and u of a bulk on the tiles of a simulation. Remembers the last two answers: tiles and times
/// come again, and of tiles that changed only the new ones are asked for. Changes no bit.
template <int D>
class BulkWindow {
  public:
    BulkFields<D> at(const Bulk<D>& bulk, const typename Tiles<D>::Ptr& tiles, double time,
                     Context& context);

  private:
    BulkFields<D> last_[2];
};

/// Du/Dt of the bulk on faces over a time dt:
///
///   (u₁ − u₀) / dt + (ū·∇) ū,   ū = (u₀ + u₁) / 2
///
/// by central differences, cut to ± `limit` along each axis: where liquid hits liquid or a wall
/// within a frame the difference of two frames is no acceleration any more.
template <int D>
FaceField<double, D> material_acceleration(const BulkFields<D>& before, const BulkFields<D>& now,
                                           double dt, double limit, Context& context);

/// What differs from the bulk, d = u − u_bulk, carried for a time dt without pressure and bubbles.
/// With both flows' equations taken off each other,
///
///   ∂d/∂t + (u·∇) d = −(d·∇) u_bulk
///
/// so that a flow that is the bulk's stays the bulk's, whatever the errors of advection. Where no
/// tile is stored d = 0: what comes in is the bulk.
template <int D>
FaceField<double, D> moved_deviation(const FaceField<double, D>& water, const BulkFields<D>& bulk,
                                     const GridDomain<D>& domain, double dt, Advection scheme,
                                     Context& context);

}  // namespace spume::guided

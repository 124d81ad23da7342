// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>

#include "spume/particles/liquid.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solids.h"
#include "spume/surface/particle_surface.h"

namespace spume::constraint {

/// Signed distance at points of space, negative inside.
template <int D>
using DistanceTo = std::function<double(const Point<D>&)>;

/// Seeded particles lie at random, and a surface reconstructed from them has bumps of a sixth of a
/// voxel that run off as waves. Moves the particles of the last voxel along the normal of the
/// wanted surface until the one reconstructed from them is that surface, to a fiftieth of a voxel
/// in the mean and a tenth beside walls; next to solids they stay. `tiles` hold all particles.
template <int D>
void fit_surface(Liquid<D>& liquid, const typename Tiles<D>::Ptr& tiles,
                 const DistanceTo<D>& wanted, const PlacedSolids<D>& bodies,
                 const GridDomain<D>& domain, const ParticleSurface& how, Context& context);

}  // namespace spume::constraint

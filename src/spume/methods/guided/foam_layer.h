// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/guided/guided.h"
#include "spume/physics/foam/grid_surface.h"

namespace spume::guided {

// Foam on the bulk's surface during a substep, [WFS22] §§6–7. Two verbs, because what sinks must be
// among the bubbles before the tiles are built, and what rises must have met the new surface.

/// Foam that is there moves along the surface, ages and bursts; at edges it leaves, and what the
/// surface has gone away from is a bubble again or has left.
template <int D>
void move_foam(State<D>& state, World<D>& world, const PlacedSolids<D>& solids, Interval time,
               StepReport& report, Context& context);

/// Bubbles that reach the surface become foam, unless it is packed there; patches add theirs.
/// Without foam, bubbles above the surface have left. `phi` is Φ at the end of the substep on the
/// bubbles' tiles.
template <int D>
void surface_bubbles(State<D>& state, World<D>& world, const CellField<double, D>& phi,
                     const PlacedSolids<D>& solids, Interval time, Context& context);

/// Patches of the scene that begin with it.
template <int D>
void first_foam(State<D>& state, const World<D>& world, Context& context);

/// The surface around foam, as far as its cover and normals need it.
template <int D>
SurfaceFields<D> surface_under_foam(const State<D>& state, const World<D>& world, Context& context);

/// What foam asks of the length of a substep.
template <int D>
StepLimit foam_max_dt(const State<D>& state, const World<D>& world, const Reach& reach,
                      Context& context);

}  // namespace spume::guided

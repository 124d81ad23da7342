// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/bodies.h"
#include "spume/methods/constraint/rows.h"

namespace spume::constraint {

/// Warns once of what a scene's author will want to know at once: no liquid, blocked sources.
template <int D>
void warn_of_emptiness(const State<D>& state, const World<D>& world, const PlacedSolids<D>& solids,
                       double time, StepReport& report);

/// What the pressure solve came to: the largest error of a region's volume, warnings of squeezed
/// compartments, failure where solids press on liquid that fills a closed space or a value is not
/// finite. Writes the regions' pressures. False: the substep ends.
template <int D>
bool judge_solve(State<D>& state, const Params& params, const World<D>& world,
                 const PlacedSolids<D>& solids, const AirBoundary<D>& air,
                 const BodySolve<D>& solved, StepReport& report, Context& context);

}  // namespace spume::constraint

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/constraint.h"
#include "spume/methods/constraint/ground.h"

namespace spume::constraint {

/// Adds the change that viscosity makes in a substep to the velocity before the pressure solve.
///
/// Viscosity acts on the flow u = P u* as it will be under pressure, not on u* itself: gravity
/// alone makes u* even, and nothing would hold back the flow that the pressure makes of it, however
/// thick the liquid. With V the implicit viscous step and Δ = V P u* − P u*, the solve that follows
/// ends at P (u* + Δ) = P V P u*, and its pressure is the whole one.
template <int D>
void add_viscous_stress(State<D>& s, const Params& p, World<D>& w, const Ground<D>& ground,
                        const Bodies<D>& solids, const AirRegions<D>& regions,
                        std::span<const SurfaceFace> faces, std::span<const RegionRow> rows,
                        const LiquidForces<D>& forces, StepReport& report, Context& context);

}  // namespace spume::constraint

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/constraint.h"
#include "spume/methods/constraint/rows.h"

namespace spume::constraint {

/// Adds the change that viscosity makes in a substep to the velocity before the pressure solve, and
/// brings the pressure near that of the sum.
///
/// Viscosity acts on the flow as it is under pressure, and pressure on what viscosity leaves of it:
/// unsteady Stokes flow [LBB17]. With P the projection, which adds to its linear part P₀ what
/// solids, tension and growth ask for, N = Δt M⁻¹ K the stress and V = (1 + N)⁻¹ the implicit
/// viscous step (physics/free_surface/liquid_viscosity.h), wanted is
///
///   u = P (u* + Δ),   Δ = −N u
///
/// Each once is the start, Δ₁ = V P u* − P u*. Away from surfaces and walls that it sticks to P₀
/// and V commute, and it is the answer; beside them P₀ V P₀ is too weak, and by ever more the
/// longer the substep. What is left over of the stress is t₁ = V P₀ N (Δ₁ − P₀ Δ₁), and
///
///   V P₀ (1 + N P₀) x = t₁,   Δ = Δ₁ + x
///
/// is solved by conjugate residuals: the eigenvalues of P₀ V P₀ (1 + N) P₀ are one but for the flow
/// near surfaces and walls, so that each direction leaves a tenth to a quarter of the
/// residual, whatever the viscosity. It costs two pressure solves and a viscous one, all of them
/// rough. Δ is −N u but for a part that the pressure takes back whole, so that the pressure of u* +
/// Δ lacks that part's.
template <int D>
void add_viscous_stress(State<D>& s, const Params& p, World<D>& w,
                        const SubstepGeometry<D>& geometry, const CellField<float, D>& fraction,
                        const PlacedSolids<D>& solids, const AirBoundary<D>& air,
                        const LiquidForces<D>& forces, StepReport& report, Context& context);

}  // namespace spume::constraint

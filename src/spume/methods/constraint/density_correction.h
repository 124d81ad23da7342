// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/bodies.h"
#include "spume/methods/constraint/rows.h"
#include "spume/methods/constraint/whitewater.h"

namespace spume::constraint {

// Volumes are corrected by a displacement d, which moves particles and surface and is no velocity,
// [KLTB21]:
//
//   d = −∇q,   ∇·d = k e in the liquid
//   ∫ d·n = k_r (V_r − V_r⁰) over the surface of region r, n into it
//
// e is the density error (methods/constraint/density_error.h), V_r⁰ the rest volume. Put into the
// velocity instead, what a surface gains by the noise of its particles becomes a jet. Each substep
// ends with the d of its own errors; the next one applies it once, along with the flow:
//
//   dx/dt = u(x) + d(x)/Δt   over its Δt, whatever that is

/// How many particles a voxel of liquid holds, in the mean over all of it and over `more` volume
/// that it seems to have.
template <int D>
double full_count(const State<D>& state, const World<D>& world, double more = 0);

/// Volume that the particles in a cell stand for less what the surface around them encloses there
/// (density_error.h), the room of small bubbles left out.
template <int D>
CellField<float, D> density_error_in(const RebuiltGeometry<D>& geometry, const State<D>& state,
                                     const World<D>& world, const BubblesOnGrid<D>& bubbles,
                                     Context& context);

/// The displacement d in metres, on the faces that the projection knows and two layers beyond: half
/// a voxel at most. Without tiles where nothing is to be corrected; floats, since particles and
/// both fields are held at once. The solver is spared the set-up if it holds the matrix of
/// `projected`, the projection of the same geometry, rows and forces; the result is the same.
template <int D>
FaceField<float, D> density_correction(const State<D>& state, const Params& params,
                                       const SubstepGeometry<D>& geometry,
                                       const AirBoundary<D>& air,
                                       const CellField<float, D>& density_error,
                                       const LiquidForces<D>& forces, const BodySolve<D>& projected,
                                       PressureSolver<D>& solver, StepReport& report,
                                       Context& context);

/// Cells well inside the liquid with few particles get some from full cells, or new ones where all
/// around is thin; cells with far too many lose the youngest. Before it the particles are sorted as
/// `particles` has them.
template <int D>
void repopulate(State<D>& state, const Params& params, const World<D>& world,
                const ParticleCells<D>& particles, const BubblesOnGrid<D>& bubbles,
                const CellField<float, D>& density_error, const PlacedSolids<D>& solids,
                Context& context);

}  // namespace spume::constraint

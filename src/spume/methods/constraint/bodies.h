// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/rows.h"

namespace spume::constraint {

/// What the projection has left besides velocity and pressure.
template <int D>
struct BodySolve {
    BubbleSolve solve;
    std::vector<double> solid_flux;    ///< of each region, with the solids' final velocities
    bool boundary_moves = false;       ///< some closed face has a velocity
    MatrixTag matrix;                  ///< of the solve if free bodies had no unknowns in it
    FaceField<std::uint8_t, D> valid;  ///< faces that got a velocity
};

/// The projection of [GB17] Eqs. 5–8 with free bodies in it: rewrites velocity and pressure, and
/// the bodies' velocities in state, solids and geometry. Bodies that would enter a wall or another
/// solid within the substep are stopped, and the liquid is projected once more around bodies that
/// move as they then do.
template <int D>
BodySolve<D> project_with_bodies(State<D>& state, const Params& params, const World<D>& world,
                                 SubstepGeometry<D>& geometry, PlacedSolids<D>& solids,
                                 const AirBoundary<D>& air, const LiquidForces<D>& forces,
                                 PressureSolver<D>& solver, StepReport& report, Context& context);

}  // namespace spume::constraint

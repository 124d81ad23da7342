// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/substep_geometry.h"

namespace spume::constraint {

/// Lets the free bodies drift for the substep, stops them at walls, and adds gravity and forces to
/// their velocities; returns all solids at the end of the interval.
template <int D>
PlacedSolids<D> moved_solids(State<D>& state, const World<D>& world, Interval time);

template <int D>
struct BodySolve {
    BubbleSolve solve;
    std::vector<double> solid_flux;  ///< of each region, with the solids' final velocities
    MatrixTag matrix;                ///< of the solve if free bodies had no unknowns in it
};

/// The projection of [GB17] Eqs. 5–8 with free bodies in it. Bodies that would enter a wall or
/// another solid within the substep are stopped, and the liquid is projected once more around
/// bodies that move as they then do.
template <int D>
BodySolve<D> project_with_bodies(State<D>& state, const Params& params, World<D>& world,
                                 SubstepGeometry<D>& geometry, PlacedSolids<D>& solids, const AirRegions<D>& regions,
                                 std::span<const SurfaceFace> faces,
                                 std::span<const RegionRow> rows, const LiquidForces<D>& forces,
                                 FaceField<std::uint8_t, D>& valid, Interval time,
                                 StepReport& report, Context& context);

}  // namespace spume::constraint

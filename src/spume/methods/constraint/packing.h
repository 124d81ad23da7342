// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/rows.h"

namespace spume::constraint {

// Volumes are led back by a flow of their own, which moves the particles and gives them no
// velocity, [KLTB21]:
//
//   w = −∇q,   ∇·w = k e / Δt in the liquid
//   ∫ w·n = k_r (V_r − V_r⁰) / Δt over the surface of region r, n into it
//
// e is the crowding (physics/packing.h), V_r⁰ the rest volume. Put into the velocity instead, what
// a surface gains by the noise of its particles becomes a jet.

/// How many particles a voxel of liquid holds, in the mean over all of it.
template <int D>
double full_count(const State<D>& state, const World<D>& world, Context& context);

/// How the particles crowd, by the surface that is laid around them.
template <int D>
CellField<float, D> crowding_in(const Ground<D>& ground, const State<D>& state,
                                const World<D>& world, Context& context);

/// The flow w, on the faces that the projection knows and two layers beyond. The solver has to be
/// that of the projection before. Without tiles where nothing is to be led; floats, since particles
/// and both flows are held at once.
template <int D>
FaceField<float, D> packing_flow(const State<D>& state, const Params& params, World<D>& world,
                                 const Ground<D>& ground, const Bodies<D>& solids,
                                 const AirRows& rows, const std::vector<RegionMeasure>& laid,
                                 std::span<const SurfaceFace> faces, const LiquidForces<D>& forces,
                                 StepReport& report, Context& context);

/// Cells well inside the liquid with few particles get some from full cells, or new ones where all
/// around is thin; cells with far too many lose the youngest. Before it the particles are sorted as
/// the ground has them.
template <int D>
void repopulate(State<D>& state, const Params& params, const World<D>& world,
                const Ground<D>& ground, const Bodies<D>& solids, Context& context);

}  // namespace spume::constraint

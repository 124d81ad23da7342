// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/domain/solids.h"
#include "spume/solve/pressure.h"
#include "spume/surface/regions.h"

namespace spume::constraint {

// The air of [GB17] has no velocity. Where it is wanted, for smoke in bubbles (§6), it is found
// once the liquid is done, with the liquid as its boundary: on faces between liquid and air it
// moves with the liquid, on solids with the solid, and inside it is free of divergence. A closed
// region whose volume is being corrected expands evenly. Air at rest in pressure lies beyond open
// sides of the box and beyond the stored tiles.

struct AirFlowReport {
    SolveReport solve;
    double divergence = 0;  ///< largest |∇·u − mean of the region| Δt of an air cell
};

/// A flow that is known on the `valid` faces.
template <int D>
struct LiquidVelocity {
    const FaceField<double, D>& velocity;
    const FaceField<std::uint8_t, D>& valid;
};

/// `air`: the whole flow of the substep before in, of this one out: the liquid's velocity where
/// that is valid, the air's between air cells. Both live on the tiles of `phase`.
template <int D>
AirFlowReport flow_air(FaceField<double, D>& air, const LiquidVelocity<D>& liquid,
                       const CellField<std::uint8_t, D>& phase, const AirRegions<D>& regions,
                       const CutCells<D>& open, const GridDomain<D>& domain, double dt,
                       PressureSolver<D>& solver, const SolverOptions& options, Context& context);

}  // namespace spume::constraint

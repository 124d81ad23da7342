// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <vector>

#include "spume/core/report.h"
#include "spume/physics/two_fluid/two_fluid.h"
#include "spume/solve/pressure.h"

namespace spume {

/// Makes the mixture incompressible, [WSB25] Eqs. 24–26 and 47–48 (with the corrected right side):
///
///   Gᵀ (θ Φ_b/ρ_b + Φ_w/ρ_w) G P = Gᵀ (Φ_b Ū_b + Φ_w Ū_w) / Δt,   u_w = ū_w − Δt/ρ_w G P
///
/// with the open area fraction on every face, and solids pushing through the closed part.
/// `deviation` holds the first guess and receives p′; `water` receives the new velocity.
template <int D>
struct ProjectionReport {
    SolveReport solve;
    double divergence = 0;  ///< largest |∇·(φ_b û_b + φ_w u_w)| Δt beyond what is wanted
    /// φ_b û_b + φ_w u_w, and where a solid covers part of a face the mean with its velocity.
    FaceField<double, D> mixed;
};
/// The system of a projection, for the next one in the same loop: what the two share is not made
/// again. The mixture and the openings must be the same.
template <int D>
struct ProjectionSystem {
    PressureSystem<D> system;
    std::vector<std::uint8_t> full;  ///< per active tile: are all its cells fluid?
    bool solved = false;
};
template <int D>
ProjectionReport<D> project(FaceField<double, D>& water, CellField<double, D>& deviation,
                            const Prediction<D>& prediction, const MixtureFaces<D>& mixture,
                            const CutCells<D>& open, const Coupling<D>& coupling,
                            ProjectionSystem<D>& last, PressureSolver<D>& solver,
                            const SolverOptions& options, Context& context);
/// A single one.
template <int D>
ProjectionReport<D> project(FaceField<double, D>& water, CellField<double, D>& deviation,
                            const Prediction<D>& prediction, const MixtureFaces<D>& mixture,
                            const CutCells<D>& open, const Coupling<D>& coupling,
                            PressureSolver<D>& solver, const SolverOptions& options,
                            Context& context) {
    ProjectionSystem<D> alone;
    return project(water, deviation, prediction, mixture, open, coupling, alone, solver, options,
                   context);
}

}  // namespace spume

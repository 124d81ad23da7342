// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>

#include "spume/core/report.h"
#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {

// Viscosity of the mixture, which [WSB25] has in its drag only: a force density
//
//   f^μ = ∇·μ(∇u + ∇uᵀ),   u = φ_b u_b + φ_w u_w,   μ = φ_b μ_b + φ_w μ_w
//
// shared by the phases like surface tension (Eq. 6), so that u gains Δt (φ_b/ρ_b + φ_w/ρ_w) f^μ. It
// is taken at the end of a backward Euler step of that gain, and so is stable at any Δt.
//
// Weight, the last pressure gradient and surface tension are in u before that step, as in [VK86]:
// they balance the viscous stress of slow flow, and in faces with light air each alone would make
// ρ_w g Δt / ρ_b of speed in a substep, which the next one would find as flow.

template <int D>
struct ViscosityLaw {
    double water = 0, air = 0;             ///< μ, Pa·s
    bool sticky_wall[D] = {};              ///< no slip along the two walls across an axis
    std::function<bool(Point<D>)> sticky;  ///< no slip along the solid at this point; empty: slip
};

template <int D>
struct ViscousForce {
    FaceField<double, D> force;  ///< N/m³
    SolveReport solve;
};
/// What else pushes the mixture besides its weight, from before the projection; no tiles: nothing.
template <int D>
struct KnownForces {
    FaceField<double, D> gradient;  ///< ∇p of the last substep
    FaceField<double, D> force;     ///< f^σ
};
template <int D>
ViscousForce<D> viscous_force(const FaceField<double, D>& water, const Bubbles<D>& bubbles,
                              const MixtureFaces<D>& mixture, const TileRanges<D>& ranges,
                              const CutCells<D>& open, const GridDomain<D>& domain,
                              const ViscosityLaw<D>& law, const Coupling<D>& coupling,
                              const KnownForces<D>& known, double tolerance, Context& context);

}  // namespace spume::mixture

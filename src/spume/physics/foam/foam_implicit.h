// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/foam/sph_foam.h"

namespace spume {

/// Pressure and viscosity of foam by backward Euler: with B the rate of density of velocities,
/// (Bv)_p = Σ m_q (v_p − v_q)·∇W_pq, the velocity v at the end of a step Δt solves
///
///   M (v − v̂)/Δt = −Bᵀ s − C v,   s_p = m_p P_p/ρ_p²,   P = max(κ (ρ + Δt Bv − ρ_f), 0)
///
/// where v̂ has all other forces and C v are the dampers of [WFS22] Eq. 42 between pairs that
/// approach at v. Kernels are those of the beginning. Both switches are found by Newton's method:
/// each round is a symmetric positive system, solved by conjugate gradients. κ and μ are what they
/// are explicitly. The forces of pairs at the solution are then applied as ever, so that momentum
/// stays to round-off however well the system was solved.
template <int D>
struct ImplicitFoam {
    Array<Vec<double, D>> acceleration;  ///< of pressure, viscosity and cohesion
    int iterations = 0;                  ///< of conjugate gradients
    int rounds = 0;                      ///< of Newton
};
/// `other` are accelerations that are known: all but those of pairs of foam. `normal`: those of the
/// surface, [WFS22] Eq. 56.
template <int D>
ImplicitFoam<D> implicit_acceleration(const Foam<D>& foam, std::span<const Vec<double, D>> other,
                                      std::span<const Vec<double, D>> normal,
                                      const FoamPairs<D>& pairs, const FoamStates& states,
                                      const WetFoam& law, double dt, Context& context);

}  // namespace spume

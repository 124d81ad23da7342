// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/core/step_limit.h"
#include "spume/physics/foam/foam_near.h"
#include "spume/physics/foam/foam_pairs.h"
#include "spume/scene/wet_foam.h"

namespace spume {

// Foam as a viscous fluid, [WFS22] §§6.2–6.5. With h_pq = β (r_p + r_q) / 2, m = ρ_0 V and
// ρ_0 = ρ_f / η(β), so that packed spheres have the density ρ_f:
//
//   ρ_p = Σ m_q W_pq                                                 Eq. 40
//   P_p = max(κ (ρ_p − ρ_f), 0)                                      Eq. 36, at rest when packed
//   a_p = −Σ m_q (P_p/ρ_p² + P_q/ρ_q² + Π_pq) ∇W_pq                  Eqs. 39, 41
//         −C Σ V_q D_pq/h^c_pq W(x_pq, h^c_pq)                       Eq. 43, with V_q
//   Π_pq = −μ 2h_pq/(ρ_p + ρ_q) (v_pq·x_pq)₋ / (|x_pq|² + ξ²)        Eq. 42, ξ = h/10
//
// Each term is central and its factor the same from both sides to the last bit, so that momentum
// and angular momentum stay to the round-off of the sums.

/// The larger of the supports of a particle of radius 1: how far the search must reach.
double foam_reach(const WetFoam& law);

/// Particles as the loops over pairs read them.
struct FoamStates {
    Array<FoamRecord> records;
    double quantum = 0;  ///< of the places in the records, m

    double density(std::size_t i) const { return double(records[i].density); }  ///< ρ_p
};
template <int D>
FoamStates foam_states(const Foam<D>& foam, const FoamPairs<D>& pairs, const WetFoam& law,
                       Context& context);

/// a_p of pressure, viscosity and cohesion.
template <int D>
Array<Vec<double, D>> foam_acceleration(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                        const FoamStates& states, const WetFoam& law,
                                        Context& context);

/// The same with P_p/ρ_p² as they are given.
template <int D>
Array<Vec<double, D>> foam_acceleration(const Foam<D>& foam, const FoamPairs<D>& pairs,
                                        const FoamStates& states, const Array<float>& stress,
                                        const WetFoam& law, Context& context);

/// Adds Δt a_p to the velocities: no memory is needed for a_p.
template <int D>
void push_foam(Foam<D>& foam, const FoamPairs<D>& pairs, const FoamStates& states,
               const WetFoam& law, double dt, Context& context);

/// P_p, Pa.
double foam_pressure(double density, const WetFoam& law);

/// The longest step that pressure, viscosity and cohesion allow to foam with a smallest radius and
/// a mean one: κ by the time a wave takes through the support, μ and C by the stiffness of a packed
/// layer, of the smallest. If pressure and viscosity are implicit: κ by the mean radius, for
/// accuracy, and μ not at all.
template <int D>
StepLimit foam_limit(const WetFoam& law, double smallest, double mean);

}  // namespace spume

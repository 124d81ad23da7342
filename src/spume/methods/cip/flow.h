// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/cip/phases.h"

namespace spume::cip {

/// Carries the velocity along itself. `before` and `after` are the level set and the water parts
/// when it was and will be; consistently, water and air each carry a velocity that goes on evenly
/// beyond their surface, and faces take both by mass.
template <int D>
void advect_velocity(State<D>& state, const CipField<double, D>& before, const Phases<D>& after,
                     const World<D>& world, const Params& params, double dt, Context& context);

/// Voxels on both sides of the surface in which φ is a distance; beyond it is flat.
inline constexpr double kBand = 6;

/// Carries the level set by the scheme that the parameters name; returns the feet of its cells.
template <int D>
Feet<double, D> carry_surface(State<D>& state, const World<D>& world, const Params& params,
                              double dt, Context& context);

/// The same by [EFFM02]: WENO5 and markers on both sides of the surface, in steps of half a voxel;
/// φ is a distance then. Markers are sown where there are none yet.
template <int D>
void carry_with_markers(State<D>& state, const World<D>& world, double dt, Context& context);
/// Markers that something else than the flow has put on the other side of the surface leave, and
/// those in solids; `before`: the level set as the flow left it.
template <int D>
void drop_stale_markers(State<D>& state, const DenseField<double, D>& before, const World<D>& world,
                        const PlacedSolids<D>& solids, Context& context);

/// Carries the ink along the feet of the level set. It is limited: no more and no less of it than
/// there was.
template <int D>
void carry_ink(State<D>& state, const Feet<double, D>& feet, const Params& params,
               Context& context);

/// u += Δt (g + forces of the scene + σ κ ∇H / ρ), [SSK05] §4.2. ∇H is (H_i − H_{i−1}) / h on
/// faces, as the pressure's gradient: constant κ makes no motion.
template <int D>
void add_forces(State<D>& state, const Phases<D>& phases, const DenseCutCells<D>& open,
                const World<D>& world, const Params& params, Interval time, Context& context);

/// ρ (u − u*) = Δt ∇·(2 μ D(u)), implicit, all components at once, by conjugate gradients.
template <int D>
SolveReport add_viscosity(State<D>& state, const Phases<D>& phases, const DenseCutCells<D>& open,
                          const World<D>& world, const Params& params, double dt, Context& context);

/// ∇·(∇p/ρ) = ∇·u/Δt, u −= Δt ∇p/ρ, [SSK05] Eqs. 10–13. Returns the largest divergence left times
/// Δt in `divergence`.
template <int D>
SolveReport project(State<D>& state, const Phases<D>& phases, const DenseCutCells<D>& open,
                    const World<D>& world, const Params& params, double dt, double& divergence,
                    Context& context);

/// The same with free bodies, whose velocities are unknowns of the solve ([BBB07]) in place of
/// [SSK05] Eqs. 23–24; what stands against walls or other bodies stops there, and the fluid is
/// projected once more around it.
template <int D>
SolveReport project_with_bodies(State<D>& state, const Phases<D>& phases, SolidGeometry<D>& solids,
                                const World<D>& world, const Params& params, double dt,
                                double& divergence, Context& context);

/// Free bodies as the paper has them, [SSK05] §6.3: fluid fills the cells they cover too, but may
/// not flow into them; after the projection its pressure pushes them.
template <int D>
SolveReport project_with_marked_bodies(State<D>& state, const Phases<D>& phases,
                                       SolidGeometry<D>& solids, const World<D>& world,
                                       const Params& params, double dt, double& divergence,
                                       Context& context);
/// [SSK05] Eqs. 23–24, gravity left out: F = −Σ p n ΔS of the state's pressure, and its moment. The
/// fluid answers a change of the body's velocity only in the next substep: a body lighter than the
/// fluid that moves with it swings.
template <int D>
void push_marked_bodies(State<D>& state, const World<D>& world, const PlacedSolids<D>& bodies,
                        double dt);

}  // namespace spume::cip

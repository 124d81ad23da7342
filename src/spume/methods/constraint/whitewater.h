// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/methods/constraint/substep_geometry.h"
#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::constraint {

// Bubbles smaller than a voxel in the liquid, two-way coupled in the projection that also holds
// trapped air and free bodies. Both phases answer pressure linearly on every face, drag between
// them eliminated (physics/two_fluid/predict.cpp):
//
//   u_b = ū_b − Δt/ρ̂_b ∇p,   u_w = ū_w − Δt/ρ̂_w ∇p
//
// so that what has to be free of divergence, m = φ_b u_b + φ_w u_w ([WFS22] Eq. 3), answers as one
// liquid would whose density is the inverse of
//
//   β = φ_b/ρ̂_b + φ_w/ρ̂_w,   m = m̄ − Δt β ∇p
//
// and the projection of a liquid of several densities does it all. With m projected, ∇p follows on
// every face, and from it the liquid's own velocity.

/// Are bubbles smaller than a voxel simulated?
template <int D>
bool has_whitewater(const Params& params, const World<D>& world) {
    return (world.scene.whitewater.on || params.small_bubbles) &&
           params.bubbles != BubbleMode::kOff;
}

/// Does the liquid itself make bubbles, [emission]?
template <int D>
bool has_entrainment(const Params& params, const World<D>& world) {
    return world.scene.emission.on && has_whitewater(params, world);
}

/// Is it to be known what the liquid was a while ago?
template <int D>
bool keeps_history(const Params& params, const World<D>& world) {
    return world.scene.output.aeration || has_entrainment(params, world);
}

/// The bubbles as the grid sees them in a substep; empty where there are none.
template <int D>
struct BubblesOnGrid {
    TileRanges<D> ranges;
    MixtureFaces<D> mixture;
    CellField<double, D> fraction;  ///< φ_b
    double excess = 0;              ///< m³ (2D: m²) of theirs beyond `max_fraction`

    bool any() const { return ranges.tiles != nullptr; }
};
/// Sorts the bubbles and spreads them on the faces.
template <int D>
BubblesOnGrid<D> bubbles_on_grid(State<D>& state, const World<D>& world, Context& context);

/// A projection of liquid and bubbles together, from before to after.
template <int D>
struct CoupledVelocities {
    Prediction<D> free;                      ///< ū and ρ̂ of both phases
    FaceField<double, D> mixed;              ///< m̄
    Array<Vec<double, D>> bubbles_at_start;  ///< their velocities before the substep's forces
};

/// Puts m̄ in the place of the liquid's velocity and ρ₀β in that of the forces' inverse density
/// ratio. `before` is the velocity without the substep's forces, which is what drag is linearised
/// about, with the pressure of the substep before. What drag gives to liquid beyond the faces that
/// carry any, or beyond `max_fraction`, goes to the faces around.
template <int D>
CoupledVelocities<D> couple_bubbles(State<D>& state, const World<D>& world,
                                    const BubblesOnGrid<D>& bubbles,
                                    const FaceField<double, D>& before,
                                    const SubstepGeometry<D>& geometry, LiquidForces<D>& forces,
                                    Context& context);

/// From the projected m to the liquid's velocity and the pressure's gradient, on `valid` faces.
template <int D>
void part_phases(State<D>& state, const World<D>& world, const CoupledVelocities<D>& coupled,
                 const LiquidForces<D>& forces, FaceField<std::uint8_t, D> valid, Context& context);

/// The bubbles' velocities at the end of the substep, in the liquid as it then moves.
template <int D>
void answer_bubbles(State<D>& state, const World<D>& world, const BubblesOnGrid<D>& bubbles,
                    const CoupledVelocities<D>& coupled, double dt, Context& context);

/// New bubbles from emitters, which move with the liquid, once those that are there have moved.
/// Returns what is to be said about it.
template <int D>
std::vector<std::string> emit_bubbles(State<D>& state, const Params& params, const World<D>& world,
                                      const FaceField<double, D>& flow,
                                      const PlacedSolids<D>& solids, Interval time,
                                      Context& context);

/// New bubbles where the liquid entrains air at the end of a substep; those in kill zones leave.
template <int D>
void entrain_bubbles(State<D>& state, const Params& params, const World<D>& world,
                     const BubblesOnGrid<D>& bubbles, const PlacedSolids<D>& solids, Interval time,
                     Context& context);

}  // namespace spume::constraint

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/bubbles.h"
#include "spume/physics/drag.h"
#include "spume/physics/follow_bubbles.h"

namespace spume {

// Regions of air that became too small for the grid live on as round bubbles: particles that the
// liquid carries and that slip upwards at the speed where drag balances buoyancy, C_D = 24/Re + 1
// ([WSB25] Eq. 36). Drag is then the same force upwards on the liquid: they lift it. They take
// up room: the liquid's surface encloses their volume too. Their air is given back to the region
// they reach. Their own momentum, a thousandth of the liquid's, is left out.

/// Makes a bubble of the rest volume of every region that was lost; returns the volume.
template <int D>
double hand_over(Bubbles<D>& bubbles, std::span<const LostRegion> lost, double air_density,
                 Context& context);

/// Speed at which drag balances buoyancy.
double slip_speed(const DragLaw& law, double radius, double air_density, double gravity);

/// Carries the bubbles for one substep and pushes them out of solids.
template <int D>
void carry(Bubbles<D>& bubbles, const FaceField<double, D>& velocity, const Bodies<D>& bodies,
           const Basin<D>& basin, const Vec<double, D>& gravity, const DragLaw& law,
           double air_density, double dt, Context& context);

/// Adds −(ρ_w − ρ_a) V g Δt of each bubble to the momentum of the faces around it.
template <int D>
void lift(FaceField<double, D>& velocity, const Bubbles<D>& bubbles, const Vec<double, D>& gravity,
          const DragLaw& law, double air_density, double dt, Context& context);

/// Bubbles that are in air give it their volume: a region's rest volume grows; what reaches the
/// outside counts as burst.
template <int D>
void rejoin(Bubbles<D>& bubbles, FollowedBubbles<D>& followed, const Transform<D>& transform,
            Context& context);

/// Without such bubbles: the air of each lost region joins what air stands above it in the liquid,
/// where it would have risen to, and its event says so. It stays lost where a solid or the end of
/// the tiles comes first.
template <int D>
void rise_at_once(std::span<const LostRegion> lost, FollowedBubbles<D>& followed,
                  const CellField<std::uint8_t, D>& phase, const Vec<double, D>& gravity,
                  std::vector<BubbleEvent>& events);

}  // namespace spume

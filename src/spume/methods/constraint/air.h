// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/substep_geometry.h"
#include "spume/physics/air/coalescence.h"

namespace spume::constraint {

/// Tracers in every hollow of the scene, 2^D a cell, each with its share of the volume.
template <int D>
Tracers<D> in_hollows(const World<D>& world, const PlacedSolids<D>& solids);

/// What small bubbles leave for later in a substep: momentum for the liquid, and air for regions.
template <int D>
struct SmallDebts {
    std::vector<Impulse<D>> owed;
    std::vector<CoalescedAir> coalesced;
};

/// Markers and smoke go with the flow of the substep before, small bubbles by their own velocity;
/// clusters of those make room in the liquid to become regions again. `before` are the solids when
/// the substep began.
template <int D>
SmallDebts<D> advance_air(State<D>& state, const Params& params, const World<D>& world,
                          const PlacedSolids<D>& solids, const PlacedSolids<D>& before,
                          const Carrier<D>& carrier, double dt, Context& context);

/// Lets the markers correct the surface reconstructed from the liquid's particles.
template <int D>
void correct_with_markers(State<D>& state, const CellRanges<D>& liquid_cells,
                          const CellField<std::uint8_t, D>& open, const World<D>& world,
                          Context& context);

/// Matches the regions with those before ([GB17] §4.2). Air that became too small for the grid
/// rises at once, or goes on as small bubbles; those that reached air join it, or float as foam.
/// `debts` gets the momentum that the liquid gives and takes for that. `carrier` has moved all
/// since then; a region that is lost has the velocity of its flow.
template <int D>
void track_air(State<D>& state, const Params& params, const World<D>& world,
               const AirRegions<D>& regions, const RebuiltGeometry<D>& geometry,
               const Carrier<D>& carrier, const PlacedSolids<D>& solids, Interval time,
               std::vector<BubbleEvent>& events, SmallDebts<D>& debts, Context& context);

/// The air's own flow, with the liquid as its boundary: [GB17] §6. `valid` as the projection left
/// it.
template <int D>
void update_air_velocity(State<D>& state, const Params& params, World<D>& world,
                         const SubstepGeometry<D>& geometry, const AirRegions<D>& regions,
                         const PlacedSolids<D>& solids, const FaceField<std::uint8_t, D>& valid,
                         double dt, StepReport& report, Context& context);

}  // namespace spume::constraint

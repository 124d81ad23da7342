// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/particle_level_set/particle_level_set.h"
#include "spume/surface/trapped_air.h"

namespace spume::particle_level_set {

/// What solids leave of the level set's cells. Without solids all is empty.
template <int D>
struct SolidLattice {
    DenseField<std::uint8_t, D> solid;  ///< 1: the centre lies inside one
    DenseField<float, D> open;          ///< part of each cell that none covers
};
template <int D>
SolidLattice<D> solid_lattice(const World<D>& world, const PlacedSolids<D>& solids,
                              Context& context);

/// Surface and markers go with the state's velocity, in steps of their own, [G04] §3.2–3.3; what
/// escapes joins the state's list. Returns the time that they reached: before the end of the
/// interval where liquid met liquid, since the flow, which does not know of it, would squeeze it.
template <int D>
double carry_surface_with_flow(State<D>& state, const Params& params, const World<D>& world,
                               Interval time, Context& context);

/// The rest of the surface's last step: drops, solids, trapped air that turns into liquid, [G04]
/// §4.2, distances, compensation. `first` of the escaped markers left in this step.
template <int D>
void settle_among_solids(State<D>& state, const Params& params, const World<D>& world,
                         const PlacedSolids<D>& solids, Interval time, std::size_t first,
                         StepReport& report, Context& context);

/// At the begin of a frame: forgets who escaped before it, sorts the markers, and now and then puts
/// their numbers right.
template <int D>
void begin_frame(State<D>& state, const Params& params, const World<D>& world,
                 const PlacedSolids<D>& solids, double time, Context& context);

/// m³ (2D: m²) that the surface encloses.
template <int D>
double volume_of(const DenseField<float, D>& phi, const SolidLattice<D>& solids,
                 const World<D>& world, Context& context);

/// The level set goes on into solids as it is beside them, so that the surface meets them at right
/// angles.
template <int D>
void continue_into_solids(DenseField<float, D>& phi, const World<D>& world,
                          const PlacedSolids<D>& solids, const SolidLattice<D>& lattice,
                          Context& context);

/// Air that the liquid encloses, [G04] §4.2.
template <int D>
TrappedAir<D> trapped_air(const State<D>& state, const World<D>& world,
                          const SolidLattice<D>& solids, Context& context);

/// Voxels of the level set from which on a pocket stays a region with a pressure of its own.
template <int D>
double region_voxels(const Params& params, const World<D>& world);

/// What a drop stands for at most: its marker's part of a cell, m³ (2D: m²).
template <int D>
double most_of_a_drop(const World<D>& world);

template <int D>
double volume_of(const Drops<D>& drops, Context& context);

/// Markers of liquid that escaped, from the `first` in the state's list on, become drops: `lost` of
/// the liquid, m³ (2D: m²), shared evenly, but no drop is larger than its marker's part of a cell.
template <int D>
void add_drops(State<D>& state, const World<D>& world, std::size_t first, double lost, double time);

/// Drops fall; those that meet the liquid give it their volume back.
template <int D>
void move_drops(State<D>& state, const World<D>& world, const PlacedSolids<D>& solids,
                const SolidLattice<D>& lattice, double dt, Context& context);

/// Takes markers out of solids.
template <int D>
void remove_covered(Markers<D>& markers, const PlacedSolids<D>& solids, Context& context);

}  // namespace spume::particle_level_set

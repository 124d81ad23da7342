// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/particle_level_set/particle_level_set.h"

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

/// Surface and markers go with the state's velocity for the interval, in steps of their own;
/// trapped air turns into liquid, and what escapes joins the state's list, [G04] §3.2–4.2.
template <int D>
void move_surface(State<D>& state, const Params& params, const World<D>& world,
                  const PlacedSolids<D>& solids, Interval time, StepReport& report,
                  Context& context);

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

/// Takes markers out of solids.
template <int D>
void remove_covered(Markers<D>& markers, const PlacedSolids<D>& solids, Context& context);

}  // namespace spume::particle_level_set

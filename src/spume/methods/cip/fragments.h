// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>

#include "spume/methods/cip/phases.h"

namespace spume::cip {

// Drops and bubbles too small for the grid, [SSK05] §5: found, moved, given back.
//
// Volumes are those that ∫H_ε over the grid loses when a fragment is taken from it, so that water
// on the grid plus drops minus bubbles and foam is kept by every verb below; what a verb cannot put
// back in its place goes to the level of all water through the compensation (Eqs. 20–22).

/// Takes isolated regions of a cell or two from the level set, and those that only its values near
/// zero betray ([SSK05] Fig. 4 a and b).
template <int D>
void find_fragments(State<D>& state, const DenseCutCells<D>& open, const World<D>& world,
                    const Params& params, Context& context);

/// Drops and bubbles from cells that no back-trace refers to, [SSK05] §5.1: never more than
/// advection lost, and only where they come to lie in the other phase. `lost`: water's volume
/// before minus after, in voxels.
template <int D>
void rescue_unreferred(State<D>& state, const CipField<double, D>& before,
                       const Feet<double, D>& feet, double lost, const DenseCutCells<D>& open,
                       const World<D>& world, const Params& params, double dt, Context& context);

/// [SSK05] Eq. 16 with implicit drag and added mass; the grid gets the opposite impulse and what
/// the place of a fragment, filled with the other phase on the grid, lacks: V (∇p − ρ_c g).
/// Fragments of one kind that overlap merge.
template <int D>
void move_fragments(State<D>& state, const Phases<D>& phases, const World<D>& world,
                    const Params& params, const SolidGeometry<D>& solids, double dt,
                    Context& context);

/// Gives back fragments that grew large ([SSK05] Eq. 17) and those that reached their own phase
/// (inverse of Eqs. 14–15); bubbles at the surface become foam for a while (§5.4).
template <int D>
void restitute(State<D>& state, const DenseCutCells<D>& open, const World<D>& world,
               const Params& params, Context& context);

/// Radius of a fragment's ball (2D: disc) in metres.
template <int D>
double fragment_radius(double volume);

/// Σ volume of one kind, m³ (2D: m²).
template <int D>
double fragment_volume(const Fragments<D>& fragments, FragmentKind kind);

/// Density on a face across an axis, by its place, kg/m³.
template <int D>
using FaceDensity = std::function<double(int axis, std::size_t face)>;

/// Gives momentum (kg m/s) to the faces around a point, more of it to heavier ones: the sum over
/// faces is exact, and light ones beside heavy ones do not fly off.
template <int D>
void push_faces(State<D>& state, const World<D>& world, const FaceDensity<D>& density,
                const Point<D>& x, const Vec<double, D>& impulse);

}  // namespace spume::cip

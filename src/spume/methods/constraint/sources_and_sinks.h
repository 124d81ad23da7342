// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/substep_geometry.h"

namespace spume::constraint {

// Sources and sinks on the grid. A source is a body of its own velocity without a pressure: its
// front lets liquid out, all other faces are shut. Its cells are a staircase; the velocity in its
// front is scaled so that it lets out what the shape's own front would (physics/domain/liquid_flow.h). A
// sink cuts its shape out of the liquid, and what is there is the outside, of zero pressure.

/// Closes the faces of source cells and gives them their velocities.
template <int D>
void open_sources(SubstepGeometry<D>& geometry, const World<D>& world, const PlacedSolids<D>& solids);

/// The sources' velocities again, on a flow that was continued past them.
template <int D>
void keep_sources(FaceField<double, D>& velocity, const SubstepGeometry<D>& geometry);

/// Cuts the sinks out of the liquid.
template <int D>
void cut_sinks(LevelSet<D>& phi, const LiquidFlow<D>& flow, Context& context);

/// The same after the surface `reconstructed` was moved: where that was a sink's own it stays.
template <int D>
void keep_sinks(LevelSet<D>& phi, const LevelSet<D>& reconstructed, const LiquidFlow<D>& flow,
                Context& context);

/// Liquid that crossed an open side, a source or a sink. Its volume is that of the flow: the number
/// of particles in a voxel changes on the way, so theirs is not known.
struct LiquidExchange {
    double asked = 0;    ///< what the scene asks its sources for
    double filled = 0;   ///< to fill sources that opened
    double outflow = 0;  ///< through open sides, into sinks, and where these opened

    double net_volume() const { return asked + filled - outflow; }
};
template <int D>
LiquidExchange exchange_liquid(State<D>& state, const World<D>& world, const PlacedSolids<D>& solids,
                       Interval time, Context& context);

/// Volume of liquid that leaves through open sides and into sinks, m³/s.
template <int D>
double outflow_of(const FaceField<double, D>& velocity, const SubstepGeometry<D>& geometry,
                  std::span<const SurfaceFace> faces, const World<D>& world);

}  // namespace spume::constraint

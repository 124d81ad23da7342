// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/physics/domain/liquid_flow.h"
#include "spume/surface/level_set.h"

namespace spume {

// Sources and sinks on the grid. A source is a body of its own velocity without a pressure: its
// front lets liquid out, all other faces are shut. Its cells are a staircase; the velocity in its
// front is scaled so that it lets out what the shape's own front would (carried_out). A sink cuts
// its shape out of the liquid, and what is there is the outside, of zero pressure.

/// A face of a source's cell, and its velocity.
struct SourceFace {
    int axis = 0;
    std::size_t face = 0;
    double velocity = 0;
};

/// Closes the faces of source cells, which lose their pressure, and gives them their velocities.
/// Returns these faces.
template <int D>
std::vector<SourceFace> open_sources(CutCells<D>& open, const LiquidFlow<D>& flow,
                                     const PlacedSolids<D>& solids, const GridDomain<D>& domain);

/// The sources' velocities again, on a flow that was extrapolated past them.
template <int D>
void keep_sources(FaceField<double, D>& velocity, std::span<const SourceFace> faces);

/// Cuts the sinks out of the liquid.
template <int D>
void cut_sinks(LevelSet<D>& phi, const LiquidFlow<D>& flow, Context& context);

/// The same after the surface `reconstructed` was moved: where that was a sink's own it stays.
template <int D>
void keep_sinks(LevelSet<D>& phi, const LevelSet<D>& reconstructed, const LiquidFlow<D>& flow,
                Context& context);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/core/context.h"
#include "spume/particles/cell_ranges.h"
#include "spume/physics/domain/solids.h"

namespace spume::constraint {

// Single particles that fly outside the liquid's surface meet no pressure: they fall freely. The
// projection knows nothing of the faces around them, and what is continued from the liquid does not
// reach far; so those faces keep the velocity that the particles brought and gravity has changed.
//
// A film that is too thin for the grid flies so too, for the grid, but it lies on its wall. A
// particle stands for liquid half a voxel wide; one that is no farther from a wall touches it, and
// the faces around it do not approach the wall:
//
//   u ← u − n min(0, (u − u_wall)·n)
//
// Else gravity would add to their speed for ever, since the wall stops particles and not faces.

/// A face around particles in flight.
struct BallisticFace {
    std::uint32_t face = 0;  ///< place in its component
    std::int32_t axis = 0;
    std::int32_t wall = 0;  ///< 1: closed, and they fly below it; −1: above it; 0: open
    double velocity = 0;    ///< before the projection
};

/// All faces that particles in the cells with `detached` > 0 see: none belongs to a liquid cell.
template <int D>
std::vector<BallisticFace> ballistic_faces(const FaceField<double, D>& velocity,
                                           const CellField<float, D>& detached,
                                           const CellField<std::uint8_t, D>& phase,
                                           const FaceField<float, D>& area, Context& context);

/// Stops those around particles that touch a wall.
template <int D>
void stop_at_walls(std::vector<BallisticFace>& faces, const FaceField<double, D>& velocity,
                   const CellField<float, D>& detached, std::span<const Point<D>> positions,
                   const CellRanges<D>& cells, const PlacedSolids<D>& solids,
                   const GridDomain<D>& domain, Context& context);

/// Before the velocity is continued: gives the faces their velocities and makes them known.
template <int D>
void fix_ballistic(FaceField<double, D>& velocity, FaceField<std::uint8_t, D>& valid,
                   std::span<const BallisticFace> faces);

/// Once closed faces move with their walls: these stop what flies into them and hold nothing back.
template <int D>
void release_from_walls(FaceField<double, D>& velocity, std::span<const BallisticFace> faces);

}  // namespace spume::constraint

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/core/context.h"
#include "spume/grid/field.h"

namespace spume::constraint {

// Single particles that fly outside the liquid's surface meet no pressure: they fall freely. The
// projection knows nothing of the faces around them, and what is continued from the liquid does not
// reach far; so those faces keep the velocity that the particles brought and gravity has changed.

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

/// Before the velocity is continued: gives the faces their velocities and makes them known.
template <int D>
void fix_ballistic(FaceField<double, D>& velocity, FaceField<std::uint8_t, D>& valid,
                   std::span<const BallisticFace> faces);

/// Once closed faces move with their walls: these stop what flies into them and hold nothing back.
template <int D>
void release_from_walls(FaceField<double, D>& velocity, std::span<const BallisticFace> faces);

}  // namespace spume::constraint

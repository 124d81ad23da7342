// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/grid/field.h"

namespace spume {

/// Φ and u of a liquid at one time on a set of tiles.
template <int D>
struct BulkFields {
    double time = 0;           ///< s, of the scene
    CellField<double, D> phi;  ///< m, negative in the liquid; continued through solids and walls
    FaceField<double, D> velocity;  ///< m/s, extrapolated beyond the surface
};

}  // namespace spume

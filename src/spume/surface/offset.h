// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/surface/level_set.h"
#include "spume/surface/regions.h"

namespace spume {

/// The region of air on whose side of the liquid a cell lies: that of the cell itself, of the
/// nearest one for liquid cells up to three faces away from air, −1 elsewhere. No way leads through
/// closed faces.
template <int D>
CellField<std::int32_t, D> nearest_regions(const AirRegions<D>& regions, const LevelSet<D>& phi,
                                           const FaceField<float, D>& area, Context& context);

/// Moves the surface of each region into the liquid by its own way, in metres.
template <int D>
void widen(LevelSet<D>& phi, const CellField<std::int32_t, D>& nearest, std::span<const double> way,
           Context& context);

/// Area of the surface of each region, m² (2D: m): ∫ of a hat of two voxels over φ, times the room.
template <int D>
std::vector<double> surface_areas(const LevelSet<D>& phi, const CellField<std::int32_t, D>& nearest,
                                  const CellField<float, D>& room, std::size_t regions,
                                  Context& context);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>

#include "spume/core/context.h"
#include "spume/grid/field.h"

namespace spume {

/// The smallest ball that cannot fall between the centres of cells: r_h = √D/2 · voxel, [WSB25] §7.
template <int D>
double surfacing_radius(double voxel);

/// 1 for particles that are part of a connected body of air, 0 for isolated ones, [WSB25] §6: the
/// union of balls of r_h around all particles is eroded by r_h, made a distance again, and dilated
/// by r_h; what it then no longer covers is isolated. The body must be thicker than a single layer
/// of particles to survive. `grid` is the simulation's.
template <int D>
Array<std::int32_t> connected(std::span<const Point<D>> positions, const Transform<D>& grid,
                              Context& context);

}  // namespace spume

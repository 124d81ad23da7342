// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/free_surface/bubble_pressure.h"

namespace spume {

/// Cells of air beside the liquid hold some of it, since the surface passes through them or soon
/// will: their faces towards the air get velocities with which nothing is made or lost in them,
/// ∇·u = 0, as the surface cells of [HW65] have. `known` are the faces that the pressure has set,
/// the others hold what was continued to them and change as little as they can. Cells between two
/// fronts that close up are left alone: what they lose is air.
template <int D>
void close_surface_cells(FaceField<double, D>& velocity, const FaceField<std::uint8_t, D>& known,
                         std::span<const SurfaceFace> faces, const CutCells<D>& open,
                         Context& context);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <vector>

#include "spume/grid/field.h"
#include "spume/physics/foam/foam_motion.h"
#include "spume/physics/foam/grid_surface.h"

namespace spume {

/// The bubbles that reach, with their own size and a voxel to spare, to the surface. Φ may be
/// missing where it is farther than a cell from all bubbles.
template <int D>
std::vector<std::uint32_t> near_surface(const Bubbles<D>& bubbles, const CellField<double, D>& phi,
                                        Context& context);

/// Those of the chosen bubbles that reach the surface at `time` come back as foam on it, unless it
/// is packed there among `foam` ([WFS22] §7). `on(tiles)` says what the liquid is there.
template <int D>
struct SurfacedFoam {
    Foam<D> foam;
    double left = 0, pruned = 0;  ///< air, m³ (2D: m²)
};
template <int D>
SurfacedFoam<D> surfaced_foam(
    Bubbles<D>& bubbles, const std::vector<std::uint32_t>& chosen, const Foam<D>& foam,
    const FoamSetting<D>& setting, double time,
    const std::function<SurfaceFields<D>(const typename Tiles<D>::Ptr&)>& on, Context& context);

}  // namespace spume

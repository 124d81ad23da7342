// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <limits>

#include "spume/grid/field.h"
#include "spume/particles/bubbles.h"
#include "spume/surface/ellipsoids.h"

namespace spume {

/// How bubbles become a surface, [WSB25] §6.
struct Surfacing {
    int scale = 2;         ///< voxels of the surface a voxel of the simulation: 1, 2 or 3
    int smoothing = 3;     ///< passes of averaging over the level set before it is made a distance
    double radius = 1.45;  ///< of a connected particle, in r_h: makes up for what smoothing takes
    /// kg/m³; what is denser is no air and has no part in the surface.
    double heaviest = std::numeric_limits<double>::infinity();
    Anisotropy anisotropy;
};

/// Connected air as a level set, isolated bubbles as they are.
template <int D>
struct BubbleSurface {
    Array<std::int32_t> type;       ///< by particle: 1 connected, 0 isolated
    CellField<float, D> level_set;  ///< of connected air, a distance up to `band`, negative inside
    double band = 0;                ///< m
};

/// The surface of bubbles over a simulation grid: particles are classified (connected.h), the
/// connected ones drawn as a union of ellipsoids [YT13] on a grid `scale` times as fine, which
/// shares its origin. A connected particle counts as a ball of 1.45 r_h at least, so that a body
/// filled with particles has no holes; its neighbours are those within 2 r_h.
template <int D>
BubbleSurface<D> surface_of(const Bubbles<D>& bubbles, const Transform<D>& grid,
                            const Surfacing& surfacing, Context& context);

}  // namespace spume

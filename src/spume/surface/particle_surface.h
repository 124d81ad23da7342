// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/cell_ranges.h"
#include "spume/surface/level_set.h"
#include "spume/surface/parting.h"

namespace spume {

/// How a surface is reconstructed from particles; lengths in voxels.
struct ParticleSurface {
    /// The surface is closed with balls of this size: hollows that none fits into are filled.
    double closing = 0.35;
    /// How far it lies beyond the outermost particles. With 2^D particles a cell, one at random in
    /// each of its 2^D parts, a flat surface then lies where the liquid ends.
    double beyond = 0.26;
    /// Passes S of the filter (1 2 1)/4 along each axis; 2S − S² is applied, which leaves long
    /// waves and round bubbles where they are.
    int smoothing = 2;
};

/// The signed distance to the surface of the particles: the union of balls around them, closed and
/// smoothed. `open` marks cells whose centre is not inside a solid, `area` is the open part of the
/// faces; inside solids the level set continues as a mirror image, so that the surface meets walls
/// at a right angle and no cell next to a wall looks half empty. Particles beyond a wall that parts
/// do not count.
template <int D>
LevelSet<D> liquid_surface(std::span<const Point<D>> positions, const CellRanges<D>& cells,
                           const CellField<std::uint8_t, D>& open, const FaceField<float, D>& area,
                           const ParticleSurface& how, Context& context,
                           const Parting<D>* parting = nullptr);

/// Where a film may lie that covers a solid by less than a voxel.
template <int D>
struct Films {
    const CellRanges<D>& cells;              ///< the particles
    const CellField<std::uint8_t, D>& open;  ///< cells that solids leave some of, centre or not
};

/// Replaces the values of closed cells within D layers of open ones by the mean of what is next to
/// them. Cells that solids cut hear only of what lies beyond an open face, not behind the wall.
/// Where that is air and particles are on either side of the face, such a cell may hold a film: it
/// continues the slope of the air.
template <int D>
void extrapolate_into_solids(LevelSet<D>& phi, const CellField<std::uint8_t, D>& open,
                             const FaceField<float, D>& area, Context& context,
                             std::type_identity_t<const Films<D>*> films = nullptr);

/// (1 2 1)/4 along each axis; a closed neighbour, or one beyond a wall that parts, counts as the
/// cell itself.
template <int D>
void smooth(LevelSet<D>& phi, const CellField<std::uint8_t, D>& open, Context& context,
            const Parting<D>* parting = nullptr);

}  // namespace spume

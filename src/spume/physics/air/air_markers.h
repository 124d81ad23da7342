// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/cell_ranges.h"
#include "spume/particles/liquid.h"
#include "spume/physics/air/track_bubbles.h"
#include "spume/physics/motion/tracers.h"

namespace spume {

// Passive particles in trapped air that keep the surface of thin and small bubbles, [GB17] §5,
// similar to the particle level set method [EFFM02]. Laying a surface around the liquid's particles
// fills hollows that are as narrow as the gaps between them; a marker tells a hollow from a gap.
// The middle of a cell that is nearer to a marker than to any particle of the liquid is in the air,
// and the surface passes halfway between the two.

/// Raises the level set to (distance to the nearest particle − distance to the nearest marker) / 2
/// where that is positive and no particle is nearer than a quarter of a voxel. Both sets must be
/// sorted.
template <int D>
void correct_surface(LevelSet<D>& phi, const Tracers<D>& markers, const CellRanges<D>& marker_cells,
                     const Liquid<D>& liquid, const CellRanges<D>& liquid_cells,
                     const CellField<std::uint8_t, D>& open, Context& context);

/// Removes markers that the liquid has swallowed, that are far from it or in air that is not
/// trapped, and puts 2^D into each cell of trapped air near the surface that has none. Regions of
/// less than two cells get none: they may be gaps.
template <int D>
void renew_markers(Tracers<D>& markers, const LevelSet<D>& phi, const BubbleTracker<D>& air,
                   const GridDomain<D>& domain, Context& context);

}  // namespace spume

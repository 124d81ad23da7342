// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/geometry/moving_body.h"
#include "spume/particles/bubbles.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solids.h"
#include "spume/physics/foam/grid_surface.h"
#include "spume/scene/wet_foam.h"

namespace spume {

/// What a patch is about to get.
template <int D>
struct PatchAsk {
    const FoamPatch& patch;
    const PlacedBody<D>& body;
    double cover = 0;  ///< part of the surface
    std::uint64_t seed = 1;
    std::uint32_t moment = 0;  ///< tells repeated calls apart
    std::uint32_t number = 0;  ///< of the patch
    double air_density = 1;
};

/// Bubbles on the surface inside a patch, with the velocity of the liquid there and no names yet: a
/// cell gets ⌊λ⌋ of them and one more with the probability of the rest, λ = cover · area of the
/// surface in the cell / mean area of a bubble's disc. Tiles must hold the patch; places are put on
/// the surface.
template <int D>
Bubbles<D> patch_bubbles(const PatchAsk<D>& ask, const SurfaceFields<D>& fields,
                         const GridDomain<D>& domain, const PlacedSolids<D>& solids,
                         Context& context);

/// Does a place belong to the strands of a patch? Borders between random cells of the size
/// `streaks`, as sea foam has: `sharpness` of the area is holes, roughly.
template <int D>
bool in_strands(const Point<D>& x, const FoamPatch& patch, std::uint64_t seed);

}  // namespace spume

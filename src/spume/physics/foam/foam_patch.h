// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <vector>

#include "spume/geometry/moving_body.h"
#include "spume/particles/bubbles.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/physics/domain/solids.h"
#include "spume/physics/foam/foam_motion.h"
#include "spume/physics/foam/grid_surface.h"

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

/// Foam of all patches of a scene that begin within an interval, and what they give in it with a
/// rate; its ids go on from `next_id`. `on(tiles)` says what the liquid is there at its end.
template <int D>
struct PatchFoam {
    Foam<D> foam;
    double air = 0, left = 0;  ///< of all that was made; of what found no surface
};
template <int D>
PatchFoam<D> foam_of_patches(
    const FoamSetting<D>& setting, const std::vector<PlacedBody<D>>& bodies,
    const PlacedSolids<D>& solids, Interval time, std::uint64_t& next_id,
    const std::function<SurfaceFields<D>(const typename Tiles<D>::Ptr&)>& on, Context& context);

/// Does a place belong to the strands of a patch? Borders between random cells of the size
/// `streaks`, as sea foam has: `sharpness` of the area is holes, roughly.
template <int D>
bool in_strands(const Point<D>& x, const FoamPatch& patch, std::uint64_t seed);

}  // namespace spume

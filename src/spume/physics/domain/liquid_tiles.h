// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "spume/core/context.h"
#include "spume/physics/domain/liquid_flow.h"

namespace spume {

/// Cells that may be stored: `beyond` more on each open side, for what is about to leave.
template <int D>
Box<int, D> storable(const GridDomain<D>& domain, int beyond);

/// The middle of a tile, in the world.
template <int D>
Point<D> tile_centre(const Index<D>& key, const Transform<D>& transform) {
    return transform.to_world(key.template as<double>() * kTileSide<D> +
                              Point<D>::filled(0.5 * kTileSide<D>));
}

/// Is a box of tiles outside all solids, by their centres, or inside of one? Nothing: a surface may
/// pass between.
template <int D>
std::optional<bool> outside_solids(const PlacedSolids<D>& solids, const Box<int, D>& keys,
                                   const Transform<D>& transform);

/// Tiles of the particles and `margin` cells around them, and of open sources; given `walls`, also
/// those that a surface of them may cross, so that air cannot leak where no cell is stored.
template <int D>
std::vector<Index<D>> wanted_tiles(std::span<const Point<D>> particles, int margin,
                                   const LiquidFlow<D>& flow, const PlacedSolids<D>* walls,
                                   const GridDomain<D>& domain, Context& context);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <vector>

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/surface/far_tiles.h"

namespace spume {

/// What fills a cell.
enum Phase : std::uint8_t { kSolidPhase = 0, kLiquidPhase = 1, kAirPhase = 2 };

/// Connected sets of air cells, and the closed compartments they share with the liquid.
template <int D>
struct AirRegions {
    struct Region {
        int compartment = 0;
        bool outside = false;  ///< reaches an open side of the box or a vent
        double far_cells = 0;  ///< cells of it in tiles that are not stored
    };
    CellField<std::int32_t, D> label;  ///< region of an air cell, −1 elsewhere
    std::vector<Region> regions;       ///< numbered along the tiles
    int compartments = 0;              ///< sets of cells, air or liquid, joined by open faces
};

/// The box of cells that can hold anything, and which of its sides are no wall.
template <int D>
struct OpenBox {
    Box<int, D> cells{};
    bool open[D][2] = {};
    /// Cells whose air is outside air too, as that of a sink: boxes to look in, and which of
    /// theirs.
    std::vector<Box<int, D>> vents{};
    std::function<bool(const Index<D>& cell)> is_vent{};
};

/// Air cells that share an open face are one region: a wall thinner than a cell still parts what
/// it separates, since it closes the faces it covers. [GB17] §4.2. Tiles of the box that are not
/// stored are asked a box of them at a time: the cost goes with the stored tiles.
template <int D>
AirRegions<D> find_air_regions(const CellField<std::uint8_t, D>& phase,
                               const FaceField<float, D>& area, const OpenBox<D>& box,
                               const BoxIsAir<D>& is_air, Context& context);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "spume/core/report.h"
#include "spume/physics/domain/solids.h"
#include "spume/physics/motion/carrier.h"
#include "spume/surface/level_set.h"
#include "spume/surface/regions.h"

namespace spume {

/// h³, in 2D h²: the volume of a bubble is a number of these.
template <int D>
double cell_volume(const Tiles<D>& tiles) {
    double r = 1;
    for (int a = 0; a < D; ++a) r *= tiles.voxel();
    return r;
}

/// A region of air from one substep to the next. Members of one size, so that no padding reaches a
/// checkpoint.
struct AirBubble {
    std::uint64_t id = 0;       ///< given once, never reused
    std::uint64_t outside = 0;  ///< 1: joined with the air outside, so without a volume of its own
    double volume = 0;          ///< as the surface encloses it now, m³ (2D: m²)
    double rest = 0;            ///< as it should be, of a compressible one at the pressure outside
    double pressure = 0;        ///< Pa, over that of the oldest region of its compartment
    Vec<double, 3> centre{};    ///< mean of its cells, m
};

/// A region that became too small for the grid.
struct LostRegion {
    Vec<double, 3> centre{};
    double volume = 0;  ///< that it should have had
    std::uint64_t id = 0;
    Vec<double, 3> velocity{};  ///< of what closed over it, where someone asks
};

template <int D>
struct BubbleTracker {
    std::vector<AirBubble> bubbles;    ///< one a region, in the order of the regions
    CellField<std::int32_t, D> label;  ///< place in `bubbles` of an air cell, −1 elsewhere
    std::uint64_t next_id = 0;
    double born = 0, burst = 0, lost = 0;  ///< rest volumes since the start
};

struct RegionMeasure {
    double volume = 0;        ///< m³ (2D: m²)
    Vec<double, 3> centre{};  ///< mean of its stored cells
};

/// Sizes of regions: the part of each cell that is neither solid nor liquid. The air in a liquid
/// cell belongs to the region of the neighbour farthest from the liquid. `open_fraction` is the
/// open part of each cell.
template <int D>
std::vector<RegionMeasure> measured(const AirRegions<D>& regions, const LevelSet<D>& phi,
                                    const CellField<float, D>& liquid,
                                    const CellField<float, D>& open_fraction, Context& context);

/// Open part of each cell: the mean over its faces.
template <int D>
CellField<float, D> open_fractions(const CutCells<D>& open, Context& context);

/// Matches the regions found now with those before: a cell belonged to the region at the place from
/// which the carrier has moved it. Rest volumes flow along: an old one is shared out among the
/// new regions it reaches by how much of its volume each holds; what comes from outside counts as
/// it is. In a closed box rest volumes and what was lost keep their sum.
/// `events` gets what happened. Returns the regions that were lost.
template <int D>
std::vector<LostRegion> track(BubbleTracker<D>& tracker, const AirRegions<D>& regions,
                              const std::vector<RegionMeasure>& sizes,
                              const std::type_identity_t<Carrier<D>>& carrier,
                              const Clamp<D>& clamp, Interval time,
                              std::vector<BubbleEvent>& events, Context& context);

/// Writes the pressures of a solve into the bubbles, for reports. The solve's datum in a closed
/// compartment is whichever region it left out, which changes from substep to substep; here it is
/// the region of the lowest id. In a compartment that reaches the outside it is the air there.
template <int D>
void set_pressures(std::vector<AirBubble>& bubbles, const AirRegions<D>& regions,
                   std::span<const double> pressure);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/liquid.h"
#include "spume/physics/air/small_bubbles.h"

namespace spume {

/// A cluster of small bubbles that fills a ball of at least this radius, in voxels, becomes a
/// region of air again: such a one the grid can hold.
inline constexpr double kCoalescenceRadius = 2;
/// Only bubbles of at least so many voxels do, as regions leave them behind: a cloud of finer ones
/// is whitewater, however dense.
inline constexpr double kCoalescingVolume = 0.125;

/// Air of small bubbles that the grid takes back.
struct CoalescedAir {
    Vec<double, 3> centre{};
    double volume = 0;
};

/// Takes away the bubbles of every cluster, two or more of the larger ones within
/// kCoalescenceRadius of one of them, and the particles of the liquid in the ball that their air
/// fills, so that the surface leaves it out. `owed` gets their momentum. Their air is the caller's.
template <int D>
std::vector<CoalescedAir> coalesce(Bubbles<D>& bubbles, Liquid<D>& liquid, double voxel,
                                   std::vector<Impulse<D>>& owed, Context& context);

/// Gives the air of the clusters that no new region was found to hold, `left` in all, to the
/// regions at their places; where there is none, it goes on as one bubble each. Returns what was
/// given.
template <int D>
double settle_coalesced(std::span<const CoalescedAir> coalesced, double left, Bubbles<D>& bubbles,
                        BubbleTracker<D>& tracker, double air_density, Context& context);

}  // namespace spume

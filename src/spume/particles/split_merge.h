// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/particles/bubbles.h"

namespace spume {

/// Which sizes bubbles should have where.
struct SplitMergeRule {
    double reach = 0;      ///< m; within it a bubble's neighbours are counted
    double crowded = 0.3;  ///< share of air around a bubble above which it is in a body of air
    double lonely = 0.15;  ///< … below which it is on its own; the parts of one bubble of r_h come
                           ///< to 0.13 at most (2D) when the reach is two voxels
    double merged_radius = 0;  ///< m; in a body of air bubbles merge up to about this
    double split_radius = 0;   ///< m; on their own they split down to about this
    double heaviest = 0;       ///< kg/m³; what is denser is no air and stays as it is
    std::uint64_t seed = 0;
};

struct SplitMergeReport {
    std::size_t merged = 0, split = 0;  ///< pairs made one, bubbles made two
};

/// One round: in bodies of air each bubble joins its nearest neighbour where they are nearest to
/// each other and small enough together; bubbles on their own that are twice too large halve. What
/// [WSB25] §8 leaves to the future. The share of air around a bubble leaves out the bubble itself
/// and does not change when others merge or split, so that no bubble goes to and fro.
///
/// Volume, mass and momentum are kept: velocities are chosen for the masses as stored, and what a
/// radius or density loses when it is rounded to float goes to the next pair, so that sums are off
/// by the rounding of one bubble. The larger of a pair keeps its id (of equals the older id), half
/// of a split bubble keeps its own.
template <int D>
SplitMergeReport split_and_merge(Bubbles<D>& bubbles, const SplitMergeRule& rule, Context& context);

}  // namespace spume

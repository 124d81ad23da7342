// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/physics/foam/bubble_cluster.h"

namespace spume {

/// Which bubbles run together where they meet; [G04] §4.5 leaves them apart.
enum class Merging { kNever, kBelow, kEverywhere };

/// Bubbles whose centres are nearer than `depth` (r_i + r_j) become one: volumes are added, place,
/// velocity and exposure are the means by volume, it keeps the id of the larger one. `kBelow`: only
/// where both are below the surface. Of several partners the deepest is taken, and both must want
/// each other; the rest waits for the next call. Returns how many went.
template <int D>
std::size_t merge_bubbles(ClusterBubbles<D>& bubbles, Merging merging, double depth,
                          Context& context);

}  // namespace spume

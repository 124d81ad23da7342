// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/guided/guided.h"

namespace spume::guided {

// Only foam is simulated, over bubbles that an earlier run has written: each is where it was then
// until it becomes foam here. Then it is this run's own: if it sinks again it drifts through the
// bulk, and what the earlier run has of it is no longer looked at.

/// Ids that foam and bubbles of this run's own patches begin with: no earlier run comes so far.
inline constexpr std::uint64_t kFirstOwnId = std::uint64_t(1) << 62;

/// The bubbles at the end of a substep. Those that are new count as emitted, those that the earlier
/// run has no more as left.
template <int D>
void replay_bubbles(State<D>& state, World<D>& world, const PlacedSolids<D>& solids, Interval time,
                    Context& context);

/// Remembers which of the bubbles named `before` are no longer among them: they came up here.
template <int D>
void remember_taken(State<D>& state, const Array<std::uint64_t>& before);

/// Those of the earlier run get their velocities back, `told` in the order of now.
template <int D>
void restore_velocities(State<D>& state, const Array<Vec<double, D>>& told, Context& context);

}  // namespace spume::guided

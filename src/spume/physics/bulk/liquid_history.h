// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/context.h"
#include "spume/core/visit_state.h"
#include "spume/physics/bulk/aeration.h"
#include "spume/scene/scene.h"

namespace spume {

/// What a liquid was in the last τ of its own run, for [output] aeration and for bubbles that it
/// entrains itself; empty if neither is wanted. It is state: a run that is resumed goes on with it.
template <int D>
struct LiquidHistory {
    std::vector<BulkFields<D>> past;  ///< in order of time; the last one is now
};

/// Adds how the liquid is now. Kept are the ends of frames, and enough between them, until the next
/// one is also older than τ.
template <int D>
void remember(LiquidHistory<D>& history, const BulkFields<D>& now, const Scene& scene);

/// Aeration at the last time remembered. u(t − τ) is interpolated between the times on either side,
/// each continued beyond the liquid of its time as far as τ carries it. Zero where the run is
/// younger than τ.
template <int D>
CellField<double, D> aeration(const LiquidHistory<D>& history, const Scene& scene,
                              Context& context);

/// The liquid at that time with its aeration.
template <int D>
AeratedBulk<D> aerated(const LiquidHistory<D>& history, const Scene& scene, Context& context);

template <int D>
void describe_history(LiquidHistory<D>& history, const Transform<D>& transform,
                      StateVisitor& visitor);

}  // namespace spume

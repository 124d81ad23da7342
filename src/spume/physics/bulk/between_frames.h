// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>

#include "spume/physics/bulk/bulk.h"
#include "spume/physics/bulk/bulk_frame.h"

namespace spume {

/// A frame's part in the liquid at some time.
template <int D>
struct FrameShare {
    std::shared_ptr<const BulkFrame<D>> frame;
    double later = 0;   ///< s; how long after the frame that time is
    double weight = 1;  ///< of all shares together one
};

/// Φ and u between frames, along the motion: with the velocity ū of the frames' mean, each where
/// it is known,
///     φ(x, t) = Σ w φ_f(x − (t − t_f) ū(x)),  u likewise,
/// which for two frames T apart and s of the way is (1 − s) φ₀(x − sTū) + s φ₁(x + (1 − s)Tū).
/// Second order in T; plain blending of the frames would make a drop vanish that goes farther than
/// its size. On all stored tiles of the bulk's own lattice; without `velocity` that stays empty.
template <int D>
BulkFields<D> between_frames(std::span<const FrameShare<D>> shares, const BulkSetting<D>& setting,
                             const typename Tiles<D>::Ptr& tiles, bool velocity, Context& context);

}  // namespace spume

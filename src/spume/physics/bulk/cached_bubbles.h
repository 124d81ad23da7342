// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <vector>

#include "spume/frame/point_frames.h"
#include "spume/particles/bubbles.h"
#include "spume/scene/scene.h"

namespace spume {

/// Bubbles that an earlier run has written, at any time: on cubics through their places with their
/// velocities. One that is in the next frame only is there from its birth on and was where its
/// velocity brings it back to; one that is in the last frame only goes on straight up to the next.
template <int D>
class CachedBubbles {
  public:
    CachedBubbles(std::shared_ptr<const PointFrames> frames, const Scene& scene);

    /// Those at a time of the scene but those whose ids are in `without`, which ascends. Their own
    /// ids ascend.
    Bubbles<D> at(double time, std::span<const std::uint64_t> without);

  private:
    using Part = std::shared_ptr<const Bubbles<D>>;
    /// The bubbles of a frame by ascending id; none before the first.
    Part frame(int number);

    std::shared_ptr<const PointFrames> frames_;
    int start_ = 1;
    struct Kept {
        int number = -1;
        Part bubbles;
    };
    Kept kept_[2];  ///< read last; decides nothing
};

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

namespace spume {

/// How long the rest of a run takes, judged by its last frames: the first ones, before there is
/// much in the water, say little.
class RemainingTime {
  public:
    /// `busy_from`: the frame by which everything the scene switches on has begun.
    RemainingTime(int last_frame, int busy_from) : last_frame_(last_frame), busy_from_(busy_from) {}

    void finished(int frame, double seconds);

    struct Guess {
        double seconds = 0;
        bool at_least = true;  ///< work grows, may grow, or is yet to begin
    };
    /// With `share` of `frame` done, 0 to 1, which took `spent` seconds so far.
    Guess left(int frame, double share = 1, double spent = 0) const;

  private:
    int last_frame_, busy_from_;
    std::vector<double> seconds_;  ///< of each frame done by this run
};

}  // namespace spume

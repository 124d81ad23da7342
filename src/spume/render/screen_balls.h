// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spume/core/parallel.h"
#include "spume/frame/frame.h"
#include "spume/render/camera.h"

namespace spume {

/// A ball on the screen, in samples.
struct ScreenBall {
    float x, y, radius, depth;
    float metres;          ///< its true radius
    float opacity;         ///< below one for balls drawn larger than they are
    std::uint32_t source;  ///< index into the points
};

/// The balls of all point sets, and for each square of the screen those that touch it from near to
/// far. The order depends on the balls alone, never on the threads.
class ScreenBalls {
  public:
    /// `samples`: width and height of the screen; squares have `square` samples a side. Radii come
    /// from the column pscale; sets without it use `default_radius`.
    ScreenBalls(const std::vector<PointSet>& sets, const Projection& projection,
                Vec<int, 2> samples, int square, double default_radius, Arena& arena);

    std::span<const ScreenBall> balls() const { return balls_; }
    std::vector<ScreenBall> in_square(std::size_t square) const;
    float largest() const { return largest_; }  ///< radius in samples

  private:
    void place(const PointSet& set, std::size_t first, const Projection& projection,
               double default_radius, Arena& arena);
    void sort_into_squares(Vec<int, 2> samples, int square, Arena& arena);

    std::vector<ScreenBall> balls_;
    std::vector<std::size_t> begin_;  ///< of each square in order_, one more at the end
    std::vector<std::uint32_t> order_;
    float largest_ = 0;
};

}  // namespace spume

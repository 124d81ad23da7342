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

/// A ball on the screen, in samples; or an ellipsoid, whose outline is an ellipse.
struct ScreenBall {
    float x, y, radius, depth;  ///< radius: the longer one
    float metres;               ///< its true radius
    float opacity;              ///< below one for balls drawn larger than they are
    std::uint32_t source;       ///< index into the points
    Vec<float, 2> along{1, 0};  ///< where the longer one points, to the right and down
    float longer = 1;           ///< the longer one in shorter ones

    /// A point of the screen, in radii from the middle, where the ball's picture is looked up.
    Vec<float, 2> on_ball(float u, float v) const {
        const float across = (longer - 1) * (u * -along[1] + v * along[0]);
        return {u - across * along[1], v + across * along[0]};
    }
};

/// The balls of all point sets, and for each square of the screen those that touch it from near to
/// far. The order depends on the balls alone, never on the threads.
class ScreenBalls {
  public:
    /// `samples`: width and height of the screen; squares have `square` samples a side. Radii come
    /// from the column pscale; sets without it use `default_radius`. Points that are drawn out, by
    /// `scale` and `axis`, are ellipses.
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

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/box.h"
#include "spume/core/vec.h"

namespace spume {

/// Where a picture is taken from. y is up.
struct PreviewCamera {
    Vec<double, 3> position{0, 0.5, 3};
    Vec<double, 3> target{0, 0.5, 0};
    double field_of_view = 40;  ///< degrees, vertical
    double view_height = 0;     ///< > 0: parallel projection that shows so many metres (2D frames)
};

/// A camera that shows all of `box` in an image of the given width / height: in 3D from a little
/// above and to the side, in 2D straight on.
PreviewCamera automatic_camera(const Box<double, 3>& box, int dimensions, double aspect,
                               double field_of_view = 40);

/// The camera's axes and its map to pixels.
class Projection {
  public:
    Projection(const PreviewCamera& camera, int width, int height);

    struct OnScreen {
        double x, y;       ///< pixels from the upper left corner
        double depth;      ///< metres along the line of sight; ≤ 0: behind
        double per_metre;  ///< pixels a metre covers there
    };
    OnScreen project(const Vec<double, 3>& world) const;

    struct Ray {
        Vec<double, 3> origin,
            direction;  ///< direction has depth 1: origin + z·direction is at depth z
    };
    Ray ray(double x, double y) const;

    /// Elevation of the line of sight through the middle of row y, radians.
    double elevation(double y) const;
    const Vec<double, 3>& forward() const { return forward_; }
    const Vec<double, 3>& right() const { return right_; }

  private:
    Vec<double, 3> origin_, right_, up_, forward_;
    double focal_ = 1;  ///< pixels a metre covers at depth 1, or at any depth when parallel
    bool parallel_ = false;
    double center_x_, center_y_;
};

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/box.h"
#include "spume/render/camera.h"
#include "spume/render/image.h"

namespace spume {

/// Light coming from a direction under water: a bright window overhead (the sky, squeezed into
/// 97 degrees by refraction), blue from the sides, nearly nothing from below. x is the camera's
/// right, y up, z towards the camera, all level.
Colour water_light(const Vec<double, 3>& direction);

/// Water between the eye and things: what is far away fades to the background, red first.
class Water {
  public:
    Water(const Box<double, 3>& domain, const Projection& projection);

    /// Part of the light that reaches the eye from this depth.
    Colour clearness(double depth) const;
    /// Part of the daylight that reaches this height.
    float daylight(double y) const;

  private:
    double near_, thickness_, top_, height_;
};

/// Open water behind everything, at a pixel: darker downwards, with faint shafts of light.
Colour open_water(double x, double y, int width, int height);

}  // namespace spume

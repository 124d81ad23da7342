// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>
#include <vector>

#include "spume/render/environment.h"
#include "spume/render/float_image.h"

namespace spume {

/// A picture of all directions (latitude and longitude): its left edge and its right one look along
/// −z, its middle along +z, its upper edge up; turned around y by `turn` radians. Directions can be
/// drawn by how bright it is there.
class EnvironmentImage {
  public:
    /// Values that are negative or not finite count as none.
    EnvironmentImage(FloatImage image, double turn);

    Colour light(const Vec<double, 3>& direction) const;

    struct Sample {
        Vec<double, 3> direction{};
        double density = 0;  ///< 1/sr
    };
    Sample sample(double u, double v) const;
    double density(const Vec<double, 3>& direction) const;  ///< of sample(), 1/sr

    /// Takes a small spot that outshines the rest out of the picture: photons and shadows need to
    /// know where it is. None where there is none.
    std::optional<Sun> take_sun();

    double mean_luminance() const;  ///< over the sphere

  private:
    Vec<double, 3> direction(double x, double y) const;  ///< x, y in pixels
    Vec<double, 2> pixel(const Vec<double, 3>& direction) const;
    double solid_angle(int row) const;  ///< of a pixel
    void weigh();

    FloatImage image_;
    double turn_ = 0;
    std::vector<double> rows_;     ///< summed weights of all rows up to here
    std::vector<double> columns_;  ///< of each row: of its pixels up to here
};

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <vector>

#include "spume/core/vec.h"

namespace spume {

/// Linear light: red, green, blue, 1 is white.
using Colour = Vec<float, 3>;

/// 8-bit sRGB, rows from top to bottom.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;

    Image() = default;
    Image(int w, int h, Vec<std::uint8_t, 3> fill = {0, 0, 0});
    std::uint8_t* pixel(int x, int y) {
        return rgb.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                 static_cast<std::size_t>(x));
    }
    const std::uint8_t* pixel(int x, int y) const { return const_cast<Image*>(this)->pixel(x, y); }

    /// Paints over with the given opacity; outside the image nothing happens.
    void blend(int x, int y, Vec<std::uint8_t, 3> colour, float opacity);
    /// An anti-aliased line between pixel positions (0.5 is the middle of the first pixel).
    void line(Vec<double, 2> from, Vec<double, 2> to, double width, Vec<std::uint8_t, 3> colour,
              float opacity = 1);
    void fill(int x0, int y0, int x1, int y1, Vec<std::uint8_t, 3> colour, float opacity = 1);
};

/// Linear light to the 8-bit values of a screen.
class ScreenEncoder {
  public:
    ScreenEncoder();
    /// `nudge` in (−½, ½), in steps of the result, hides the steps of a gradient.
    std::uint8_t encode(float linear, float nudge = 0) const;

  private:
    std::vector<float> table_;
};

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/render/image.h"

namespace spume {

/// Linear light, rows from top to bottom.
struct FloatImage {
    int width = 0, height = 0;
    std::vector<Colour> pixels;

    FloatImage() = default;
    FloatImage(int w, int h)
        : width(w),
          height(h),
          pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), Colour{}) {}
    Colour& at(int x, int y) {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
    const Colour& at(int x, int y) const { return const_cast<FloatImage*>(this)->at(x, y); }
};

/// Brings linear light of any strength to a screen: exposure, then a curve that bends highlights
/// instead of cutting them.
Image developed(const FloatImage& light, double exposure);

}  // namespace spume

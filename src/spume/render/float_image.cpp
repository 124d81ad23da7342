// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/float_image.h"

#include <algorithm>

#include "spume/core/math.h"

namespace spume {

namespace {

/// Straight up to the knee, then towards one with a continuous slope.
float compressed(float x) {
    constexpr float kKnee = 0.55f;
    if (x <= kKnee) return x;
    return 1 - (1 - kKnee) * static_cast<float>(math::exp(-(x - kKnee) / (1 - kKnee)));
}

}  // namespace

Image developed(const FloatImage& light, double exposure) {
    const ScreenEncoder encoder;
    Image image(light.width, light.height);
    for (std::size_t i = 0; i < light.pixels.size(); ++i) {
        Colour c = light.pixels[i] * static_cast<float>(exposure);
        // Very bright colours turn white, as on film.
        const float most = std::max({c[0], c[1], c[2]});
        if (most > 1) c += (Colour::filled(most) - c) * (0.6f * (1 - 1 / most));
        for (int k = 0; k < 3; ++k)
            image.rgb[3 * i + static_cast<std::size_t>(k)] = encoder.encode(compressed(c[k]));
    }
    return image;
}

}  // namespace spume

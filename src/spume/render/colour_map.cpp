// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/colour_map.h"

#include <algorithm>
#include <array>

namespace spume {

Colour ramp_colour(double s) {
    // Linear light at even steps, chosen so that the relative lightness rises in a straight line.
    constexpr std::array<Colour, 6> kSteps{{{0.055f, 0.006f, 0.105f},
                                            {0.045f, 0.070f, 0.260f},
                                            {0.017f, 0.185f, 0.275f},
                                            {0.030f, 0.370f, 0.225f},
                                            {0.270f, 0.600f, 0.070f},
                                            {0.950f, 0.810f, 0.035f}}};
    const double at = std::clamp(s, 0.0, 1.0) * (kSteps.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), kSteps.size() - 2);
    return kSteps[i] +
           (kSteps[i + 1] - kSteps[i]) * static_cast<float>(at - static_cast<double>(i));
}

Colour kind_colour(int kind) {
    constexpr std::array<Colour, 8> kKinds{{{0.10f, 0.45f, 0.80f},
                                            {0.85f, 0.35f, 0.06f},
                                            {0.12f, 0.55f, 0.20f},
                                            {0.75f, 0.14f, 0.32f},
                                            {0.80f, 0.65f, 0.10f},
                                            {0.40f, 0.22f, 0.70f},
                                            {0.08f, 0.60f, 0.58f},
                                            {0.60f, 0.60f, 0.60f}}};
    const int n = static_cast<int>(kKinds.size());
    return kKinds[static_cast<std::size_t>((kind % n + n) % n)];
}

}  // namespace spume

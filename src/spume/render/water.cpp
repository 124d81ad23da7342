// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/water.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"

namespace spume {

namespace {

double smooth_step(double from, double to, double x) {
    const double s = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return s * s * (3 - 2 * s);
}

Colour mix(const Colour& a, const Colour& b, double s) {
    return a + (b - a) * static_cast<float>(s);
}

double lobe(double cosine, double sharpness) {
    return cosine > 0 ? math::exp(sharpness * (cosine - 1)) : 0;
}

}  // namespace

Colour water_light(const Vec<double, 3>& direction) {
    const double up = direction[1];
    constexpr Colour kBelow{0.003f, 0.016f, 0.032f}, kLevel{0.030f, 0.165f, 0.250f},
        kAbove{0.20f, 0.62f, 0.78f}, kWindow{1.25f, 1.65f, 1.70f};
    Colour light = mix(kBelow, kLevel, smooth_step(-0.75, 0.1, up));
    light = mix(light, kAbove, smooth_step(0.05, 0.75, up));
    light = mix(light, kWindow, smooth_step(0.60, 0.74, up));
    // The sun stands high, to the left and behind the viewer: highlights sit at the upper left.
    const Vec<double, 3> sun{-0.40, 0.80, 0.447};
    const double toward = dot(direction, sun);
    const double glare = 14 * lobe(toward, 260) + 1.2 * lobe(toward, 24);
    // Light scattered forwards by the water behind draws a bright line around every bubble.
    const double from_behind = lobe(-0.97 * direction[2] + 0.24 * up, 11);
    return light + Colour{1.0f, 0.98f, 0.92f} * static_cast<float>(glare) +
           Colour{0.20f, 0.52f, 0.62f} * static_cast<float>(from_behind);
}

Water::Water(const Box<double, 3>& domain, const Projection& projection)
    : near_(1e300), thickness_(0), top_(domain.hi[1]), height_(domain.size()[1]) {
    double far = 0;
    for (int corner = 0; corner < 8; ++corner) {
        Vec<double, 3> x{};
        for (int i = 0; i < 3; ++i) x[i] = corner >> i & 1 ? domain.hi[i] : domain.lo[i];
        const double depth = projection.project(x).depth;
        near_ = std::min(near_, depth), far = std::max(far, depth);
    }
    near_ = std::max(near_, 0.0);
    // A flat domain has no depth to look through.
    thickness_ = std::max(far - near_, 1e-3 * height_);
}

Colour Water::clearness(double depth) const {
    const double through = std::max(depth - near_, 0.0) / thickness_;
    return {static_cast<float>(math::exp(-2.1 * through)),
            static_cast<float>(math::exp(-1.25 * through)),
            static_cast<float>(math::exp(-1.0 * through))};
}

float Water::daylight(double y) const {
    return static_cast<float>(math::exp(-0.75 * std::clamp((top_ - y) / height_, 0.0, 1.5)));
}

Colour open_water(double x, double y, int width, int height) {
    const double u = x / width - 0.5, v = 1 - y / height;
    constexpr Colour kDeep{0.0010f, 0.0085f, 0.0210f}, kMiddle{0.0028f, 0.0360f, 0.0700f},
        kShallow{0.0200f, 0.1750f, 0.2500f};
    Colour c = mix(kDeep, kMiddle, smooth_step(0, 0.65, v));
    c = mix(c, kShallow, smooth_step(0.45, 1.15, v));
    // Shafts fan out from a point above the picture.
    const double aside = (u + 0.12) * width / height, down = 1.55 - v;
    const double angle = aside / down;
    const double shafts = 0.65 * math::sin(17 * angle + 1.3) + 0.35 * math::sin(39 * angle + 4.1);
    const double glow = math::exp(-3.0 * angle * angle) * smooth_step(0.0, 1.1, v);
    const double light = 0.55 * glow * (1 + 0.28 * shafts);
    const double edge =
        1 - 0.35 * smooth_step(0.35, 0.75, std::sqrt(u * u + (v - 0.5) * (v - 0.5)));
    return (c + Colour{0.010f, 0.085f, 0.110f} * static_cast<float>(light)) *
           static_cast<float>(edge);
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/environment.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/render/optics.h"

namespace spume {

namespace {

double smooth_step(double from, double to, double x) {
    const double s = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return s * s * (3 - 2 * s);
}

Colour mix(const Colour& a, const Colour& b, double s) {
    return a + (b - a) * static_cast<float>(s);
}

double lobe(double cosine, double sharpness) { return math::exp(sharpness * (cosine - 1)); }

Colour sky(const Environment& e, const Vec<double, 3>& d) {
    constexpr Colour kZenith{0.16f, 0.32f, 0.62f}, kHorizon{0.82f, 0.90f, 0.98f},
        kGround{0.20f, 0.19f, 0.17f};
    const double up = d[1];
    Colour c = mix(kHorizon, kZenith, 1 - math::exp(-3.2 * std::max(up, 0.0)));
    c = mix(c, kGround, smooth_step(0.0, -0.06, up));
    const double toward = dot(d, e.sun.direction);
    if (e.sun.cosine < 1)
        c += Colour{1.0f, 0.93f, 0.80f} *
             static_cast<float>(0.9 * lobe(toward, 40) + 3.5 * lobe(toward, 900));
    // A large soft window behind the camera and to its left gives wet things a highlight.
    const Vec<double, 3> right{e.toward[2], 0, -e.toward[0]};
    const Vec<double, 3> box = right * -0.55 + Vec<double, 3>{0, 0.55, 0} + e.toward * 0.63;
    return c + Colour::filled(static_cast<float>(1.1 * smooth_step(0.90, 0.94, dot(d, box))));
}

/// Light under water seen along d: the window of the sky above, edges blurred by ripples.
Colour window(const Environment& e, const Vec<double, 3>& d) {
    constexpr Colour kSky{2.9f, 3.6f, 3.8f}, kUnder{0.025f, 0.16f, 0.25f};
    const double critical = std::sqrt(1 - 1 / (kWaterIndex * kWaterIndex));
    Colour c = mix(kUnder, kSky, smooth_step(critical - 0.16, critical + 0.12, d[1]));
    const double toward = dot(d, e.sun.direction);
    return c + Colour{1.0f, 0.97f, 0.90f} *
                   static_cast<float>(1.6 * lobe(toward, 14) + 14 * lobe(toward, 160));
}

}  // namespace

Colour Environment::haze(const Vec<double, 3>& d) const {
    if (kind != Kind::kWater) return light(d);
    constexpr Colour kBelow{0.0010f, 0.008f, 0.021f}, kLevel{0.007f, 0.062f, 0.118f},
        kAbove{0.08f, 0.36f, 0.50f};
    Colour c = mix(kBelow, kLevel, smooth_step(-0.85, 0.35, d[1]));
    c = mix(c, kAbove, smooth_step(-0.25, 0.95, d[1]));
    // Water scatters forwards: it glows on the sun's side, which is behind what is looked at.
    const Vec<double, 3> level{sun.direction[0], 0.25, sun.direction[2]};
    const double along = dot(d, level) / length(level);
    return c + Colour{0.022f, 0.130f, 0.165f} * static_cast<float>(lobe(along, 5));
}

Colour Environment::light(const Vec<double, 3>& d) const {
    switch (kind) {
        case Kind::kSky:
            return sky(*this, d);
        case Kind::kWater:
            return d[1] > 0 ? window(*this, d) : haze(d);
        case Kind::kUniform:
            break;
    }
    return colour;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/environment.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/render/environment_image.h"
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

/// Slopes of a rippled surface, a few waves in directions that never repeat together.
Vec<double, 3> slope_at(double x, double z) {
    struct Wave {
        double along_x, along_z, phase, steepness;
    };
    constexpr Wave kWaves[] = {{6.3, 1.9, 0.4, 0.055},
                               {-3.1, 8.7, 2.1, 0.050},
                               {11.9, -7.3, 4.4, 0.040},
                               {9.1, 17.7, 1.2, 0.030}};
    Vec<double, 3> slope{};
    for (const Wave& w : kWaves) {
        const double turn = w.along_x * x + w.along_z * z + w.phase;
        // Bent crests: straight ones look like corrugated iron.
        const double c = w.steepness * math::cos(turn + 0.9 * math::sin(0.37 * turn + w.phase * z));
        const double size = std::hypot(w.along_x, w.along_z);
        slope += Vec<double, 3>{w.along_x / size, 0, w.along_z / size} * c;
    }
    return slope;
}

/// Light under water seen along d: the window of the sky above, broken up by ripples.
Colour window(const Environment& e, const Vec<double, 3>& from, const Vec<double, 3>& d) {
    constexpr Colour kSky{2.9f, 3.6f, 3.8f}, kUnder{0.025f, 0.16f, 0.25f};
    const double critical = std::sqrt(1 - 1 / (kWaterIndex * kWaterIndex));
    double up = d[1], toward = dot(d, e.sun.direction);
    if (e.ripple > 0) {
        const Vec<double, 3> x = from + d * e.distance(from, d);
        // Where a ripple fills less than a pixel or so it is seen by its mean.
        const double sharp = smooth_step(0.02, 0.25, d[1]);
        const Vec<double, 3> slope = slope_at(x[0] / e.ripple, x[2] / e.ripple) * sharp;
        up -= dot(d, slope);
        const Vec<double, 3> bent = d - slope * 0.33;
        toward = dot(bent, e.sun.direction) / length(bent);
    }
    Colour c = mix(kUnder, kSky, smooth_step(critical - 0.16, critical + 0.12, up));
    return c + Colour{1.0f, 0.97f, 0.90f} *
                   static_cast<float>(1.6 * lobe(toward, 14) + 14 * lobe(toward, 160));
}

/// Shafts of light fan out from the sun: brighter and darker stripes around its direction.
double shafts(const Environment& e, const Vec<double, 3>& d) {
    const Vec<double, 3>& sun = e.sun.direction;
    const Vec<double, 3> level{sun[2], 0, -sun[0]};
    const double size = length(level);
    if (!(size > 1e-6)) return 1;
    const Vec<double, 3> a = level / size, b = cross(sun, a);
    const double p = dot(d, a), q = dot(d, b), aside = p * p + q * q;
    if (!(aside > 1e-9)) return 1;
    const double angle = math::atan2(p, -q);
    const double stripes = 0.45 * math::sin(13 * angle + 0.7) + 0.35 * math::sin(29 * angle + 2.9) +
                           0.20 * math::sin(61 * angle + 5.1);
    // They lose themselves in the deep and close to the sun, where all of them meet.
    return 1 + 0.55 * stripes * smooth_step(-0.45, 0.25, d[1]) * smooth_step(0.0, 0.2, aside);
}

}  // namespace

Colour Environment::haze(const Vec<double, 3>& d) const {
    if (kind != Kind::kWater) return light({}, d);
    constexpr Colour kBelow{0.0010f, 0.008f, 0.021f}, kLevel{0.007f, 0.062f, 0.118f},
        kAbove{0.08f, 0.36f, 0.50f};
    Colour c = mix(kBelow, kLevel, smooth_step(-0.85, 0.35, d[1]));
    c = mix(c, kAbove, smooth_step(-0.25, 0.95, d[1]));
    // Water scatters forwards: it glows on the sun's side, which is behind what is looked at.
    const Vec<double, 3> level{sun.direction[0], 0.25, sun.direction[2]};
    const double along = dot(d, level) / length(level);
    return c +
           Colour{0.022f, 0.130f, 0.165f} * static_cast<float>(lobe(along, 5) * shafts(*this, d));
}

Colour Environment::light(const Vec<double, 3>& from, const Vec<double, 3>& d) const {
    switch (kind) {
        case Kind::kSky:
            return sky(*this, d);
        case Kind::kWater:
            return d[1] > 0 ? window(*this, from, d) : haze(d);
        case Kind::kImage:
            return image->light(d) * colour[0];
        case Kind::kUniform:
            break;
    }
    return colour;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/beauty_light.h"

#include "spume/core/math.h"

namespace spume {

Environment beauty_light(const BeautyOptions& options, const Vec<double, 3>& toward,
                         const Vec<double, 3>& center, bool deep, double size) {
    using Vec3 = Vec<double, 3>;
    Environment e;
    const Vec3 right{toward[2], 0, -toward[0]};
    e.toward = toward;
    if (deep) {
        e.kind = Environment::Kind::kWater;
        e.surface = options.domain.hi[1] - center[1] + 0.35 * options.domain.size()[1];
        e.ripple = 0.3 * size;
        // High, behind what is looked at and a little to the left: bubbles shine at their rims.
        const Vec3 sun = toward * -0.42 - right * 0.30 + Vec3{0, 0.86, 0};
        e.sun = {sun / length(sun), 0.995, Colour{60, 58, 52}};
        return e;
    }
    constexpr Colour kSun{560, 520, 450};
    constexpr double kDisc = 0.9990;  // cosine of its radius: wider than the sun's, for less noise
    e.kind = Environment::Kind::kSky;
    const Vec3 sun = toward * 0.25 - right * 0.60 + Vec3{0, 0.76, 0};
    e.sun = {sun / length(sun), kDisc, kSun};
    if (options.sky) {
        e.kind = Environment::Kind::kImage;
        e.image = options.sky->image;
        e.colour = Colour::filled(static_cast<float>(options.sky->strength));
        e.sun = options.sky->sun;
        e.sun.radiance *= static_cast<float>(options.sky->strength);
    }
    if (options.sun) {
        const double turn = options.sun->azimuth * math::kPi / 180,
                     up = options.sun->elevation * math::kPi / 180, level = math::cos(up);
        e.sun = {{level * math::sin(turn), math::sin(up), level * math::cos(turn)},
                 kDisc,
                 kSun * static_cast<float>(options.sun->strength)};
    }
    return e;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "render/box_surface.h"
#include "spume/core/math.h"
#include "spume/render/optics.h"
#include "spume/render/path_tracer.h"

// The sun in flat water: a path that may reach it by a reflection follows both ways, so that a few
// paths show it without specks.

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

constexpr double kAngle = 0.6, kLight = 500;

/// Deep water under the sun, which stands at kAngle from the vertical, and a layer of air in it.
World sunny(bool layer) {
    World w;
    w.media = {Medium{}, Medium{.index = kWaterIndex, .absorption = {}, .glow = {}}};
    w.materials = {Material{.priority = Priority::kLiquid, .medium = 1},
                   Material{.priority = Priority::kBubble, .medium = 0}};
    w.surfaces = {box_surface({-50, -100, -50}, {50, 0, 50}, 0)};
    if (layer) w.surfaces.push_back(box_surface({-40, -90, -40}, {40, -2, 40}, 1));
    w.environment.colour = {0, 0, 0};
    w.environment.sun = {
        {math::sin(kAngle), math::cos(kAngle), 0}, 0.9999, Colour::filled(float(kLight))};
    w.size = 10;
    return w;
}

Ray mirrored() {
    const Vec3 d{math::sin(kAngle), -math::cos(kAngle), 0};
    return {-d * 4, d, 0};
}

TEST(SunInWater, EveryPathShowsItsReflection) {
    const RayScene scene(sunny(false));
    const PathTracer tracer(scene, {});
    const double expected = kLight * fresnel(math::cos(kAngle), kWaterIndex);
    PixelSampler sampler(3, 1);
    for (std::uint32_t i = 0; i < 200; ++i) {
        sampler.begin(i);
        ASSERT_NEAR(tracer.radiance(mirrored(), {}, sampler)[1], expected, 1e-3 * expected) << i;
    }
}

// Between the surface and the layer light goes to and fro. With F of the surface seen from either
// side, which is the same, and 1 of the layer where it reflects all, or F again:
// L (F + (1 − F)² G / (1 − F G)).
TEST(SunInWater, SeveralReflectionsAddUp) {
    const RayScene scene(sunny(true));
    const PathTracer tracer(scene, {});
    const double f = fresnel(math::cos(kAngle), kWaterIndex);
    const double below =
        std::sqrt(1 - math::sin(kAngle) * math::sin(kAngle) / (kWaterIndex * kWaterIndex));
    const double g = fresnel(below, 1 / kWaterIndex);
    const double expected = kLight * (f + (1 - f) * (1 - f) * g / (1 - f * g));
    PixelSampler sampler(3, 2);
    double mean = 0, squared = 0;
    constexpr int kPaths = 4000;
    for (std::uint32_t i = 0; i < kPaths; ++i) {
        sampler.begin(i);
        const double x = tracer.radiance(mirrored(), {}, sampler)[1];
        mean += x / kPaths, squared += x * x / kPaths;
    }
    EXPECT_NEAR(mean, expected, 0.005 * expected);
    // By chance one path in twenty would find the sun, with a deviation of four times the mean.
    EXPECT_LT(std::sqrt(squared - mean * mean), 0.3 * mean);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/math.h"
#include "spume/render/optics.h"
#include "spume/render/photons.h"

// Light through a water surface on to the floor, against closed forms and against plain paths.

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

constexpr double kDepth = 2.535;

double height(double amplitude, double x) { return amplitude * math::cos(2 * math::kPi * x); }
double slope(double amplitude, double x) {
    return -2 * math::kPi * amplitude * math::sin(2 * math::kPi * x);
}

/// Waves over a floor; the sun stands overhead and gives an irradiance of one.
World waves(double amplitude, int columns = 1600) {
    World w;
    w.media = {Medium{}, Medium{.index = 1.333, .absorption = {}, .glow = {}}};
    w.materials = {Material{.priority = Priority::kLiquid, .medium = 1},
                   Material{.finish = Finish::kMatte, .colour = {1, 1, 1}}};
    Surface s;
    for (int i = 0; i <= columns; ++i)
        for (const float z : {-1.0f, 1.0f}) {
            const double x = -2 + 4.0 * i / columns;
            const Vec3 n{-slope(amplitude, x), 1, 0};
            s.begin.push_back({float(x), float(height(amplitude, x)), z});
            s.normals.push_back((n / length(n)).as<float>());
        }
    for (std::uint32_t i = 0; i < std::uint32_t(columns); ++i) {
        const std::uint32_t a = 2 * i;
        s.triangles.push_back({a, a + 1, a + 2});
        s.triangles.push_back({a + 1, a + 3, a + 2});
    }
    s.material = 0;
    w.surfaces = {s};
    w.floor = Floor{-kDepth, 1};
    w.environment.colour = {0, 0, 0};
    Sun& sun = w.environment.sun;
    sun.cosine = 1 - 1e-10;
    sun.radiance = Colour::filled(float(1 / (2 * math::kPi * (1 - sun.cosine))));
    w.size = 4;
    return w;
}

/// Where light that falls at x lands, and what part of it goes on.
double lands(double amplitude, double x, double& passed) {
    const double angle = std::atan(slope(amplitude, x));
    const double bend = angle - std::asin(std::sin(angle) / 1.333);
    passed = 1 - fresnel(std::cos(angle), 1.333);
    return x + (kDepth + height(amplitude, x)) * std::tan(bend);
}

/// Irradiance at X before the focus, where only one x leads to it.
double expected(double amplitude, double at) {
    double low = at - 0.6, high = at + 0.6, passed = 0;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (lands(amplitude, middle, passed) < at ? low : high) = middle;
    }
    const double e = 1e-5, x = (low + high) / 2;
    const double rise =
        (lands(amplitude, x + e, passed) - lands(amplitude, x - e, passed)) / (2 * e);
    lands(amplitude, x, passed);
    return passed / std::abs(rise);
}

Photons sent(const World& world, std::size_t count, double radius, int threads = 2) {
    const RayScene scene(world);
    Context context(threads);
    PhotonOptions options;
    options.count = count, options.radius = radius;
    return send_photons(scene, options, context);
}

/// Mean over a line along the crests.
double found(const PhotonMap& map, double x) {
    double sum = 0;
    constexpr int kPoints = 16;
    for (int i = 0; i < kPoints; ++i)
        sum += map.irradiance({x, -kDepth, -0.8 + 1.6 * (i + 0.5) / kPoints}, {0, 1, 0})[1];
    return sum / kPoints;
}

TEST(Caustics, FlatSurface) {
    const Photons p = sent(waves(0, 4), 200000, 0.05);
    const double passed = 1 - fresnel(1, 1.333);
    EXPECT_NEAR(p.landed / p.sent, passed, 2e-3);
    EXPECT_NEAR(p.sent, 8, 1e-3);
    for (double x = -1.5; x < 1.6; x += 0.25) EXPECT_NEAR(found(p.map, x), passed, 0.01 * passed);
    const Colour one = p.map.irradiance({0.1, -kDepth, 0.2}, {0, 1, 0});
    EXPECT_NEAR(one[0], passed, 0.05);
    EXPECT_EQ(p.map.irradiance({0.1, -kDepth, 0.2}, {0, -1, 0})[0], 0) << "the other side";
}

TEST(Caustics, SinusoidalSurfaceBeforeItsFocus) {
    EXPECT_NEAR(expected(0.02, 0), 1.975, 2e-3);
    EXPECT_NEAR(expected(0.02, 0.5), 0.655, 1e-3);
    const Photons p = sent(waves(0.02), 600000, 0.03);
    for (double x = -0.5; x < 0.51; x += 0.0625) {
        const double e = expected(0.02, x);
        EXPECT_NEAR(found(p.map, x), e, 0.02 * e) << x;
    }
}

// Beyond the focus several x reach the same point: means over bins, from a fine sum of the light
// that falls on equal pieces of the surface.
TEST(Caustics, SinusoidalSurfaceBeyondItsFocus) {
    constexpr double kAmplitude = 0.06;
    constexpr int kBins = 16;
    double bins[kBins] = {}, map_bins[kBins] = {}, all = 0, passed = 0;
    constexpr int kPieces = 400000;
    for (int i = 0; i < kPieces; ++i) {
        const double x = -1.5 + 3.0 * (i + 0.5) / kPieces, at = lands(kAmplitude, x, passed);
        if (at < -0.5 || at >= 0.5) continue;
        bins[int((at + 0.5) * kBins)] += passed * 3.0 / kPieces * kBins;
    }
    const Photons p = sent(waves(kAmplitude), 400000, 0.02);
    for (const Photon& photon : p.map.photons()) {
        if (photon.position[0] < -0.5f || photon.position[0] >= 0.5f) continue;
        map_bins[int((photon.position[0] + 0.5f) * kBins)] += photon.power[1] / 2 * kBins;
    }
    for (int i = 0; i < kBins; ++i) {
        EXPECT_NEAR(map_bins[i], bins[i], 0.02 * bins[i]) << i;
        all += bins[i] / kBins;
    }
    EXPECT_NEAR(all, 1 - fresnel(1, 1.333), 0.01);
}

TEST(Caustics, SameBitsForAnyNumberOfThreads) {
    const Photons one = sent(waves(0.04, 40), 20000, 0.05, 1);
    for (const int threads : {2, 5}) {
        const Photons other = sent(waves(0.04, 40), 20000, 0.05, threads);
        ASSERT_EQ(other.map.photons().size(), one.map.photons().size());
        for (std::size_t i = 0; i < one.map.photons().size(); ++i)
            ASSERT_TRUE(other.map.photons()[i].position == one.map.photons()[i].position &&
                        other.map.photons()[i].power == one.map.photons()[i].power);
    }
}

// A lamp over waves, seen from under water and from the air: the map and paths that find the lamp
// by chance agree, n² of the radiance and all.
TEST(Caustics, AgreeWithPlainPaths) {
    World w = waves(0.03, 200);
    w.environment.sun = {};
    w.lights = {AreaLight{.corner = {-0.7, 1.5, -0.7},
                          .edge_a = {1.4, 0, 0},
                          .edge_b = {0, 0, 1.4},
                          .radiance = {1, 1, 1}}};
    const RayScene scene(w);
    Context context(2);
    PhotonOptions options;
    options.count = 300000, options.radius = 0.3;  // the lamp blurs all structure
    const Photons photons = send_photons(scene, options, context);
    // The lamp shines downwards: its normal is edge_a × edge_b = −y.
    for (const Vec3& from : {Vec3{0.2, -1, 0.1}, Vec3{0.2, 0.8, 0.1}}) {
        const Nest around = scene.around(from, 0);
        const auto brightness = [&](LightPaths light, int paths) {
            const PathTracer tracer(
                scene, {.diffuse = light == LightPaths::kPhotons ? 2 : 3, .light = light},
                light == LightPaths::kPhotons ? &photons.map : nullptr);
            double sum = 0;
            for (int i = 0; i < paths; ++i) {
                PixelSampler sampler(1, static_cast<std::uint64_t>(i));
                sampler.begin(0);
                const Vec3 d{0.05 * std::sin(0.1 * i), -1, 0.05 * std::cos(0.1 * i)};
                sum +=
                    tracer.radiance({from, d / length(d), 0}, around, sampler)[0] / double(paths);
            }
            return sum;
        };
        const double map = brightness(LightPaths::kPhotons, 10000);
        EXPECT_NEAR(map, brightness(LightPaths::kByChance, 100000), 0.03 * map) << from[1];
        EXPECT_GT(map, 0.005);
    }
}

// Shadow rays that go straight through a flat surface bring the light that photons bring: they lie
// beside each other where a sea is lit by photons only around the domain.
TEST(Caustics, StraightLinesAgreeUnderAFlatSurface) {
    for (const double tilt : {0.0, 30.0}) {
        World w = waves(0, 4);
        const double angle = tilt * math::kPi / 180;
        w.environment.sun.direction = {math::sin(angle), math::cos(angle), 0};
        const RayScene scene(w);
        Context context(2);
        PhotonOptions options;
        options.count = 200000, options.radius = 0.1;
        const Photons photons = send_photons(scene, options, context);
        const auto brightness = [&](LightPaths light) {
            const PathTracer tracer(scene, {.diffuse = 1, .light = light},
                                    light == LightPaths::kPhotons ? &photons.map : nullptr);
            double sum = 0;
            constexpr int kPaths = 4000;
            for (int i = 0; i < kPaths; ++i) {
                PixelSampler sampler(1, static_cast<std::uint64_t>(i));
                sampler.begin(0);
                const Vec3 d{0.05 * std::sin(0.1 * i), -1, 0.05 * std::cos(0.1 * i)};
                sum += tracer.radiance({{0.1, 0.8, 0.1}, d / length(d), 0}, {}, sampler)[0];
            }
            return sum / kPaths;
        };
        const double map = brightness(LightPaths::kPhotons);
        EXPECT_GT(map, 0.1);
        EXPECT_NEAR(brightness(LightPaths::kStraight), map, 0.03 * map) << tilt;
    }
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/fog.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spume/render/beauty.h"
#include "spume/render/path_tracer.h"

// Smoke whose effect on light is known in closed form.

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

/// Density of a cube of cells 0.1 m wide around the origin, 2.4 m a side, by a function of place.
template <class Density>
Volume block(const Density& density) {
    Volume v;
    v.name = "smoke";
    v.kind = VolumeKind::kFog;
    v.voxel = 0.1;
    std::vector<Vec<int, 3>> tiles;
    std::vector<float> values;
    for (int i = -16; i < 16; i += 8)
        for (int j = -16; j < 16; j += 8)
            for (int k = -16; k < 16; k += 8) {
                tiles.push_back({i, j, k});
                for (int a = 0; a < 8; ++a)
                    for (int b = 0; b < 8; ++b)
                        for (int c = 0; c < 8; ++c)
                            values.push_back(static_cast<float>(density(Vec3{
                                0.1 * (i + a + 0.5), 0.1 * (j + b + 0.5), 0.1 * (k + c + 0.5)})));
            }
    v.tiles = Array<Vec<int, 3>>(std::span<const Vec<int, 3>>(tiles));
    v.values = {Array<float>(std::span<const float>(values))};
    return v;
}

Volume even_block() {
    return block([](const Vec3&) { return 1.0; });
}

World smoky_world(const Volume& volume, double extinction, float albedo) {
    World w;
    w.media[0].smoky = true;
    w.fog.emplace(volume, extinction, Colour::filled(albedo), Vec3{});
    w.size = 4;
    return w;
}

double seen_through(const World& world, const Ray& ray) {
    const RayScene scene(world);
    const PathTracer tracer(scene, {});
    constexpr int kPaths = 40000;
    double sum = 0;
    PixelSampler sampler(3, 5);
    for (int i = 0; i < kPaths; ++i) {
        sampler.begin(static_cast<std::uint32_t>(i));
        sum += tracer.radiance(ray, {}, sampler)[0] / kPaths;
    }
    return sum;
}

constexpr double kNoise = 4 * 0.0025;  // four standard errors of a share of 40000 paths, at most

TEST(Fog, InterpolatesBetweenCells) {
    const Volume ramp = block([](const Vec3& x) { return 2 + x[1]; });
    const Fog fog(ramp, 3, {1, 1, 1}, {0.5, 0, 0});
    for (const double y : {-1.2, -0.77, 0.0, 0.31, 1.4})
        EXPECT_NEAR(fog.extinction_at({-0.37, y, 0.52}), 3 * (2 + y), 1e-6) << y;
    EXPECT_EQ(fog.extinction_at({-0.5, 5, 0}), 0);
    EXPECT_EQ(fog.extinction_at({NAN, 0, 0}), 0);
}

// Light through a slab of thickness 1 between two black-free walls: exp(−σ t), by both estimators.
TEST(Fog, TransmittanceOfAnEvenSlab) {
    for (const double extinction : {0.2, 1.0, 3.0}) {
        // Cells −8 … 7 are two tiles: 1.6 m, and half a cell of ramp at both ends whose integral
        // is that of the part cut off.
        const Volume slab = block([](const Vec3& x) { return std::abs(x[2]) < 0.8 ? 1.0 : 0.0; });
        const double expected = std::exp(-extinction * 1.6);
        const World w = smoky_world(slab, extinction, 0);
        EXPECT_NEAR(seen_through(w, {{0, 0, 3}, {0, 0, -1}, 0}), expected, kNoise) << extinction;
        constexpr int kPaths = 20000;
        double open = 0;
        PixelSampler sampler(7, 1);
        for (int i = 0; i < kPaths; ++i) {
            sampler.begin(static_cast<std::uint32_t>(i));
            open += w.fog->open({0, 0, 3}, {0, 0, -1}, 0, 10, sampler) / kPaths;
        }
        EXPECT_NEAR(open, expected, kNoise) << extinction;
    }
}

TEST(Fog, TransmittanceOfUnevenSmokeIsThatOfItsIntegral) {
    const Volume ramp = block([](const Vec3& x) { return x[2] + 1.6; });
    const World w = smoky_world(ramp, 0.5, 0);
    // Only the stretch from z = 1 to z = −1: black walls are not needed, the estimator has limits.
    constexpr int kPaths = 40000;
    double open = 0, free = 0;
    PixelSampler sampler(11, 1);
    for (int i = 0; i < kPaths; ++i) {
        sampler.begin(static_cast<std::uint32_t>(i));
        open += w.fog->open({0, 0, 3}, {0, 0, -1}, 2, 4, sampler) / kPaths;
        if (!w.fog->collision({0, 0, 3}, {0, 0, -1}, 2, 4, sampler)) free += 1.0 / kPaths;
    }
    const double expected = std::exp(-0.5 * 3.2);
    EXPECT_NEAR(open, expected, kNoise);
    EXPECT_NEAR(free, expected, kNoise);
}

// White furnace: smoke that swallows nothing is invisible where light comes from everywhere alike,
// also within a bubble in water.
TEST(Fog, WhiteFurnace) {
    World w = smoky_world(even_block(), 4, 1);
    w.media[0].smoky = false;
    w.media[0].index = 1.333;
    w.media.push_back(Medium{.index = 1, .absorption = {}, .glow = {}, .smoky = true});
    w.materials = {Material{.priority = Priority::kBubble, .medium = 1}};
    w.balls = {Balls{.begin = {{0, 0, 0, 1}, {0.9f, 0.3f, 0, 0.5f}}, .end = {}, .material = 0}};
    const RayScene scene(std::move(w));
    Context context(2);
    TraceOptions options;
    options.width = options.height = 32;
    options.samples = 8;
    const Traced t =
        trace_picture(scene, {.position = {0.5, 1.5, 4}, .target = {0, 0, 0}}, options, context);
    for (const Colour& c : t.image.pixels)
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(c[k], 1, 2e-5);
}

// Only the medium that carries it holds smoke: here the bubble, 2 m across on the axis.
TEST(Fog, StaysInItsMedium) {
    World w = smoky_world(even_block(), 0.7, 0);
    w.media[0].smoky = false;
    w.media.push_back(Medium{.index = 1, .absorption = {}, .glow = {}, .smoky = true});
    w.materials = {Material{.priority = Priority::kBubble, .medium = 1}};
    w.balls = {Balls{.begin = {{0, 0, 0, 1}}, .end = {}, .material = 0}};
    EXPECT_NEAR(seen_through(w, {{0, 0, 3}, {0, 0, -1}, 0}), std::exp(-0.7 * 2), kNoise);
    EXPECT_NEAR(seen_through(w, {{0, 1.1, 3}, {0, 0, -1}, 0}), 1, 1e-6);
}

// A lamp seen by a white floor through smoke: weakened by exp(−σ t) of the way through it.
TEST(Fog, WeakensTheLightOfTheSun) {
    const Volume slab = block([](const Vec3& x) { return std::abs(x[1]) < 0.8 ? 1.0 : 0.0; });
    World w = smoky_world(slab, 0.8, 0);
    w.materials = {Material{.finish = Finish::kMatte, .colour = {1, 1, 1}}};
    w.floor = Floor{-2, 0};
    w.environment.colour = {0, 0, 0};
    const double cosine = 0.9999;
    w.environment.sun = {{0, 1, 0}, cosine, Colour{1000, 1000, 1000}};
    const double irradiance = 1000 * 2 * (1 - cosine);  // over π, times π of the albedo
    const double found = seen_through(w, {{0, -1, 3}, Vec3{0, -1, -3} / std::sqrt(10.0), 0});
    EXPECT_NEAR(found / irradiance, std::exp(-0.8 * 1.6), 0.01);
}

TEST(Fog, PicturesAreEqualForAnyNumberOfThreads) {
    Frame frame;
    frame.volumes = {block([](const Vec3& x) { return std::max(0.0, 1 - length(x)); })};
    // Water far below, so that the air around the smoke is air.
    NamedMesh water{"surface", {}};
    water.mesh.vertices = {{-1, -1, -1}, {1, -1, -1}, {0, -1, 1}, {0, -1.5, 0}};
    water.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    frame.meshes = {water};
    BeautyOptions options;
    options.width = 48, options.height = 32;
    options.samples = 4;
    options.domain = {{-1, -1.5, -1}, {1, 1, 1}};
    Context one(1);
    const FloatImage expected = render_beauty(frame, options, one).image;
    for (const int threads : {2, 3, 8}) {
        Context context(threads);
        EXPECT_TRUE(render_beauty(frame, options, context).image.pixels == expected.pixels)
            << threads;
    }
    options.smoke = 1e-6;
    EXPECT_FALSE(render_beauty(frame, options, one).image.pixels == expected.pixels)
        << "the smoke is seen";
}

}  // namespace
}  // namespace spume

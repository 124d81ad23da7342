// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "render/box_surface.h"
#include "spume/core/math.h"
#include "spume/render/beauty.h"
#include "spume/render/optics.h"

// Pictures with an answer that is known without a ray tracer.

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

World water_with_bubble(double radius) {
    World w;
    w.media = {Medium{.index = 1.333, .absorption = {}, .glow = {}}, Medium{}};
    w.materials = {Material{.priority = Priority::kBubble, .medium = 1}};
    w.balls = {Balls{.begin = {{0, 0, 0, static_cast<float>(radius)}}, .end = {}, .material = 0}};
    return w;
}

Colour mean(const FloatImage& image) {
    Vec3 sum{};
    for (const Colour& c : image.pixels) sum += c.as<double>();
    return (sum / static_cast<double>(image.pixels.size())).as<float>();
}

// White furnace: where the same light comes from everywhere, nothing that keeps energy is visible.
TEST(Tracer, WhiteFurnace) {
    World w;
    w.media = {Medium{}, Medium{.index = 1.333, .absorption = {}, .glow = {}}, Medium{},
               Medium{.index = 1.5, .absorption = {}, .glow = {}}};
    w.materials = {Material{.priority = Priority::kLiquid, .medium = 1},
                   Material{.priority = Priority::kBubble, .medium = 2, .film = true},
                   Material{.priority = Priority::kSolid, .medium = 3},
                   Material{.finish = Finish::kMatte, .colour = {1, 1, 1}}};
    Balls bubbles{.begin = {}, .end = {}, .material = 1};
    for (int i = 0; i < 40; ++i) {
        const Random random(3, static_cast<std::uint64_t>(i), 0, Purpose::kTest);
        const auto u = random.uniform_vec<3>(0);
        bubbles.begin.push_back({static_cast<float>(1.6 * u[0] - 0.8),
                                 static_cast<float>(1.6 * u[1] - 0.8),
                                 static_cast<float>(1.6 * u[2] - 0.8),
                                 static_cast<float>(0.05 + 0.15 * random.uniform(3))});
    }
    w.balls = {bubbles, Balls{.begin = {{0.7f, 0.6f, 0.5f, 0.4f}}, .end = {}, .material = 2},
               Balls{.begin = {{-0.7f, -0.6f, 0.5f, 0.3f}}, .end = {}, .material = 3}};
    Ellipsoids drawn_out;
    drawn_out.material = 1;
    for (int i = 0; i < 12; ++i) {
        const Random random(4, static_cast<std::uint64_t>(i), 0, Purpose::kTest);
        const auto u = random.uniform_vec<3>(0), n = random.uniform_vec<3>(3);
        const Vec3 axis = n - Vec3{0.5, 0.5, 0.5};
        drawn_out.begin.push_back((u * 1.6 - Vec3{0.8, 0.8, 0.8}).as<float>());
        drawn_out.axis.push_back((axis / length(axis)).as<float>());
        drawn_out.along.push_back(0.25f), drawn_out.across.push_back(0.1f);
    }
    w.ellipsoids = {drawn_out};
    w.surfaces = {box_surface({-1, -1, -1}, {1, 0.3, 1}, 0)};
    w.size = 4;
    const RayScene scene(std::move(w));
    Context context(2);
    TraceOptions options;
    options.width = options.height = 48;
    options.samples = 8;
    const Traced t =
        trace_picture(scene, {.position = {0.5, 1.5, 4}, .target = {0, 0, 0}}, options, context);
    for (const Colour& c : t.image.pixels)
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(c[k], 1, 2e-5);
}

// A matte white ball half absorbs: one bounce must return its albedo, more the geometric series.
TEST(Tracer, AlbedoInTheFurnace) {
    World w;
    w.materials = {Material{.finish = Finish::kMatte, .colour = {0.5f, 0.25f, 0.75f}}};
    w.balls = {Balls{.begin = {{0, 0, 0, 1}}, .end = {}, .material = 0}};
    w.size = 4;
    const RayScene scene(std::move(w));
    const PathTracer tracer(scene, {});
    PixelSampler sampler(1, 1);
    sampler.begin(0);
    const Colour c = tracer.radiance({{0, 0, 4}, {0, 0, -1}, 0}, {}, sampler);
    EXPECT_NEAR(c[0], 0.5, 1e-6);
    EXPECT_NEAR(c[1], 0.25, 1e-6);
    EXPECT_NEAR(c[2], 0.75, 1e-6);
}

/// A bright ceiling over dark water.
World flat_water() {
    World w;
    w.media = {Medium{}, Medium{.index = 1.333, .absorption = {10, 10, 10}, .glow = {}}};
    w.materials = {Material{.priority = Priority::kLiquid, .medium = 1}};
    w.surfaces = {box_surface({-50, -100, -50}, {50, 0, 50}, 0)};
    w.environment.colour = {0, 0, 0};
    w.lights = {AreaLight{.corner = {-1000, 10, -1000},
                          .edge_a = {2000, 0, 0},
                          .edge_b = {0, 0, 2000},
                          .radiance = {1, 1, 1}}};
    w.size = 10;
    return w;
}

// What a flat interface reflects and what it lets through add up to what arrives.
TEST(Tracer, FlatInterfaceKeepsEnergy) {
    const RayScene scene(flat_water());
    const PathTracer tracer(scene, {});
    for (const double degrees : {0.0, 45.0, 60.0, 80.0}) {
        const double a = degrees * math::kPi / 180;
        const Ray ray{
            {-4 * math::sin(a), 4 * math::cos(a), 0}, {math::sin(a), -math::cos(a), 0}, 0};
        constexpr int kPaths = 20000;
        double reflected_part = 0;
        PixelSampler sampler(5, static_cast<std::uint64_t>(degrees));
        for (int i = 0; i < kPaths; ++i) {
            sampler.begin(static_cast<std::uint32_t>(i));
            reflected_part += tracer.radiance(ray, {}, sampler)[0] / kPaths;
        }
        // The bright ceiling is seen by reflection alone; the rest went into the dark water.
        EXPECT_NEAR(reflected_part, fresnel(math::cos(a), 1.333), 1e-3) << degrees;
    }
}

TEST(Tracer, AbsorptionFollowsBeerAndLambert) {
    World w;
    w.media = {Medium{.index = 1, .absorption = {0.5f, 0.1f, 0}, .glow = {0.25f, 0.25f, 0.25f}}};
    w.materials = {Material{.finish = Finish::kMatte, .colour = {0, 0, 0}}};
    w.balls = {Balls{.begin = {{0, 0, -5, 1}}, .end = {}, .material = 0}};
    w.environment.colour = {0, 0, 0};
    w.size = 10;
    const RayScene scene(std::move(w));
    const PathTracer tracer(scene, {});
    PixelSampler sampler(1, 1);
    sampler.begin(0);
    const Colour c = tracer.radiance({{0, 0, 0}, {0, 0, -1}, 0}, {}, sampler);
    EXPECT_NEAR(c[0], 0.25 * (1 - std::exp(-0.5 * 4)), 1e-6);
    EXPECT_NEAR(c[1], 0.25 * (1 - std::exp(-0.1 * 4)), 1e-6);
    EXPECT_NEAR(c[2], 0, 1e-6);
}

/// True if the path at impact parameter b is turned back or aside without entering the bubble.
double entered_share(const RayScene& scene, double b) {
    const PathTracer tracer(scene, {.interfaces = 1, .diffuse = 1});
    // With one interface allowed a path that enters ends inside, where light is told by medium.
    constexpr int kPaths = 400;
    PixelSampler sampler(1, 7);
    double entered = 0;
    for (int i = 0; i < kPaths; ++i) {
        sampler.begin(static_cast<std::uint32_t>(i));
        entered += tracer.radiance({{b, 0, 4}, {0, 0, -1}, 0}, {}, sampler)[0] / kPaths;
    }
    return entered;
}

// [validation] bubbles shine by total reflection beyond b/R = 1/n = 0.750188.
TEST(Tracer, RimOfTotalReflection) {
    World w = water_with_bubble(1);
    w.media[1].absorption = {1e6f, 1e6f, 1e6f};  // whatever enters shines: the air glows
    w.media[1].glow = {1, 1, 1};
    w.environment.colour = {0, 0, 0};
    w.size = 4;
    const RayScene scene(std::move(w));
    double low = 0.5, high = 0.95;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (entered_share(scene, middle) > 0 ? low : high) = middle;
    }
    EXPECT_NEAR(low, 0.750188, 1e-5);
    EXPECT_GT(entered_share(scene, 0.74), 0.3);
    EXPECT_EQ(entered_share(scene, 0.76), 0);
}

/// Follows the refracted ray of a near-axis path through a ball of radius one; where it crosses the
/// axis again, from the centre.
double focal_length(double outside, double inside) {
    const double b = 1e-4;
    const Vec3 first{b, 0, std::sqrt(1 - b * b)};
    const Vec3 in = *refracted({0, 0, -1}, first, inside / outside);
    const double chord = -2 * dot(first, in);
    const Vec3 second = first + in * chord;
    const Vec3 out = *refracted(in, -second, outside / inside);
    return -(second + out * (-second[0] / out[0]))[2];
}

// A water ball in air focuses at 2.0015 R, an air ball in water spreads from -1.5015 R.
TEST(Tracer, FocalLengths) {
    EXPECT_NEAR(focal_length(1, 1.333), 2.0015, 5e-5);
    EXPECT_NEAR(focal_length(1.333, 1), -1.5015, 5e-5);
}

// The same through the tracer: a small lamp in the focus of a drop fills the drop's middle.
TEST(Tracer, DropFocusesOnALamp) {
    auto brightness = [](double distance) {
        World w;
        w.media = {Medium{}, Medium{.index = 1.333, .absorption = {}, .glow = {}}};
        w.materials = {Material{.priority = Priority::kLiquid, .medium = 1}};
        w.balls = {Balls{.begin = {{0, 0, 0, 1}}, .end = {}, .material = 0}};
        w.environment.colour = {0, 0, 0};
        const double s = 4e-4;
        w.lights = {AreaLight{.corner = {-s, -s, -distance},
                              .edge_a = {2 * s, 0, 0},
                              .edge_b = {0, 2 * s, 0},
                              .radiance = {1, 1, 1}}};
        w.size = 4;
        const RayScene scene(std::move(w));
        const PathTracer tracer(scene, {.interfaces = 3, .diffuse = 1});
        constexpr int kPaths = 200;
        double sum = 0;
        for (int i = 0; i < kPaths; ++i) {
            PixelSampler sampler(1, static_cast<std::uint64_t>(i));
            sampler.begin(0);
            const double b = 0.05 * (i + 0.5) / kPaths;
            sum += tracer.radiance({{b, 0, 3}, {0, 0, -1}, 0}, {}, sampler)[0] / kPaths;
        }
        return sum;
    };
    // Spherical aberration pulls the focus of rays at b = 0.05 in by 0.003 R.
    const double in_focus = brightness(2.0);
    EXPECT_GT(in_focus, 0.9);
    EXPECT_LT(brightness(1.9), 0.5 * in_focus);
    EXPECT_LT(brightness(2.1), 0.5 * in_focus);
}

// Overlapping surfaces: solid over bubble over liquid, and never two skins.
TEST(Tracer, PriorityOfNestedMedia) {
    Nest nest;
    nest.add({1, Priority::kLiquid, 1});
    nest.add({2, Priority::kBubble, 2});
    EXPECT_EQ(nest.top()->medium, 2);
    nest.add({3, Priority::kSolid, 3});
    EXPECT_EQ(nest.top()->medium, 3);
    nest.remove(2);
    EXPECT_EQ(nest.top()->medium, 3);
    nest.remove(3);
    EXPECT_EQ(nest.top()->medium, 1);

    // Glass half under water: along a ray that meets glass in the overlap, water's own surface
    // inside the glass must not be seen.
    World w = flat_water();
    w.media.push_back(Medium{.index = 1.5, .absorption = {}, .glow = {}});
    w.materials.push_back(Material{.priority = Priority::kSolid, .medium = 2});
    w.surfaces.push_back(box_surface({-1, -1, -1}, {1, 1, 1}, 1));
    const RayScene scene(std::move(w));
    const PathTracer tracer(scene, {.interfaces = 1, .diffuse = 1});
    // Straight down: air to glass 4 %; inside, water's surface at y = 0 is not there; with one
    // interface allowed, only the first reflection can reach the lamp.
    double seen = 0;
    PixelSampler sampler(2, 2);
    constexpr int kPaths = 20000;
    for (int i = 0; i < kPaths; ++i) {
        sampler.begin(static_cast<std::uint32_t>(i));
        seen += tracer.radiance({{0.3, 4, 0.2}, {0, -1, 0}, 0}, {}, sampler)[0] / kPaths;
    }
    EXPECT_NEAR(seen, 0.04, 1e-3);
}

TEST(Tracer, CameraUnderWaterIsNoticed) {
    World w = flat_water();
    w.materials.push_back(Material{.priority = Priority::kBubble, .medium = 0});
    w.balls = {Balls{.begin = {{0, -5, 0, 1}}, .end = {}, .material = 1}};
    const RayScene scene(std::move(w));
    EXPECT_EQ(scene.around({0, 5, 0}, 0).size(), 0);
    EXPECT_EQ(scene.around({3, -5, 0}, 0).size(), 1);
    EXPECT_EQ(scene.around({0, -5, 0}, 0).size(), 2);
}

TEST(Tracer, MotionBlurSpreadsAlongTheWay) {
    World w;
    w.materials = {Material{.finish = Finish::kMatte, .colour = {0, 0, 0}}};
    w.balls = {Balls{.begin = {{-1, 0, 0, 0.25f}}, .end = {{1, 0, 0, 0.25f}}, .material = 0}};
    w.size = 4;
    const RayScene scene(std::move(w));
    const PathTracer tracer(scene, {});
    // A black ball of width 0.5 passes a point for a quarter of its way of two.
    constexpr int kPaths = 4000;
    double light = 0;
    PixelSampler sampler(1, 1);
    for (int i = 0; i < kPaths; ++i) {
        sampler.begin(static_cast<std::uint32_t>(i));
        light += tracer.radiance({{0.1, 0, 4}, {0, 0, -1}, (i + 0.5) / kPaths}, {}, sampler)[0];
    }
    EXPECT_NEAR(light / kPaths, 0.75, 2e-3);
}

Frame cloud(int n) {
    Array<Vec3> position(static_cast<std::size_t>(n));
    Array<float> radius(static_cast<std::size_t>(n));
    Array<Vec<float, 3>> velocity(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        const Random random(9, static_cast<std::uint64_t>(i), 0, Purpose::kTest);
        const auto u = random.uniform_vec<3>(0);
        position.write()[static_cast<std::size_t>(i)] = {0.3 * u[0] - 0.15, u[1],
                                                         0.3 * u[2] - 0.15};
        radius.write()[static_cast<std::size_t>(i)] =
            static_cast<float>(0.004 + 0.01 * random.uniform(3));
        velocity.write()[static_cast<std::size_t>(i)] = {0, 0.3f, 0};
    }
    Frame frame;
    frame.points = {
        PointSet{"bubbles", position, {{"pscale", "m", radius}, {"v", "m/s", velocity}}}};
    return frame;
}

TEST(Tracer, SameBitsForAnyNumberOfThreads) {
    BeautyOptions options;
    options.width = 64, options.height = 48;
    options.samples = 4;
    options.blur = 0.02;
    options.walled_bottom = true;
    const Frame frame = cloud(3000);
    Context one(1);
    const FloatImage expected = render_beauty(frame, options, one).image;
    const Colour m = mean(expected);
    EXPECT_GT(m[2], m[0]) << "water is blue";
    for (const int threads : {2, 3, 5, 8}) {
        Context context(threads);
        const FloatImage found = render_beauty(frame, options, context).image;
        for (std::size_t i = 0; i < expected.pixels.size(); ++i)
            ASSERT_TRUE(found.pixels[i] == expected.pixels[i])
                << threads << " threads, pixel " << i;
    }
    options.seed = 2;
    EXPECT_FALSE(render_beauty(frame, options, one).image.pixels == expected.pixels);
}

TEST(Tracer, StopsSoonHoweverManySamples) {
    BeautyOptions options;
    options.width = options.height = 16;
    options.samples = 1000000;
    Context context(1);
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        context.stop.request();
    });
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(render_beauty(cloud(300), options, context).stopped);
    later.join();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Tracer, NoiseFallsAsItsEstimateSays) {
    const Frame frame = cloud(300);
    BeautyOptions options;
    options.width = options.height = 32;
    Context context(2);
    options.samples = 16;
    const Traced coarse = render_beauty(frame, options, context);
    options.seed = 77, options.samples = 1024;
    const Traced fine = render_beauty(frame, options, context);
    double squared = 0;
    for (std::size_t i = 0; i < fine.image.pixels.size(); ++i) {
        const Colour d = coarse.image.pixels[i] - fine.image.pixels[i];
        const double off = 0.2126 * d[0] + 0.7152 * d[1] + 0.0722 * d[2];
        squared += off * off;
    }
    const double measured = std::sqrt(squared / static_cast<double>(fine.image.pixels.size()));
    // The estimate takes samples for independent, which they are not, and has an error of its own.
    EXPECT_LT(measured, 1.5 * coarse.noise);
    EXPECT_GT(measured, 0.4 * coarse.noise);
}

// Spoilt points are left out, the rest is shown.
TEST(Tracer, ImpossiblePointsAreLeftOut) {
    Frame frame = cloud(50);
    Context context(2);
    BeautyOptions options;
    options.width = options.height = 16;
    options.samples = 1;
    options.camera = PreviewCamera{.position = {0, 0.5, 2}, .target = {0, 0.5, 0}};
    Frame spoilt = frame;
    const auto n = frame.points[0].size();
    spoilt.points[0].position.resize(n + 3);
    spoilt.points[0].position.write()[n] = {NAN, 0, 0};
    auto& radius = std::get<Array<float>>(spoilt.points[0].columns[0].values);
    auto& velocity = std::get<Array<Vec<float, 3>>>(spoilt.points[0].columns[1].values);
    radius.resize(n + 3), velocity.resize(n + 3);
    radius.write()[n] = 0.1f;
    radius.write()[n + 1] = -1;
    radius.write()[n + 2] = INFINITY;
    EXPECT_EQ(render_beauty(spoilt, options, context).image.pixels,
              render_beauty(frame, options, context).image.pixels);
}

}  // namespace
}  // namespace spume

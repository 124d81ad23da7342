// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/floating_foam.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/math.h"
#include "spume/render/beauty.h"
#include "spume/render/directions.h"
#include "spume/render/dome.h"
#include "spume/render/finish.h"
#include "spume/render/optics.h"

// Bubbles that float: domes as the tracer sees them, and far foam that sends back as much.

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

double volume_of(const Surface& s) {
    double six = 0;
    for (const auto& t : s.triangles)
        six += dot(s.begin[t[0]].as<double>(),
                   cross(s.begin[t[1]].as<double>(), s.begin[t[2]].as<double>()));
    return six / 6;
}

TEST(Domes, SurfacesAreClosedAndHoldTheirAir) {
    for (const double r : {0.8e-3, 3e-3, 12e-3}) {
        const FloatingBubble b = floating_bubble(r, 2.7e-3);
        const DomeSurfaces dome = dome_surfaces(b);
        // Flat facets lie inside of the round shape.
        EXPECT_NEAR(volume_of(dome.bubble) / b.volume(), 1, 0.02) << r;
        EXPECT_LT(volume_of(dome.bubble), b.volume());
        EXPECT_GT(volume_of(dome.meniscus), 0);
        for (const Surface* s : {&dome.bubble, &dome.meniscus}) {
            // Closed: the vector areas add up to nothing.
            Vec3 sum{};
            for (const auto& t : s->triangles) {
                const Vec3 a = s->begin[t[0]].as<double>();
                sum += cross(s->begin[t[1]].as<double>() - a, s->begin[t[2]].as<double>() - a);
            }
            EXPECT_LT(length(sum), 1e-4 * r * r) << r;
        }
    }
}

World one_dome(double radius) {
    FloatingOptions options;
    return foam_on_water(radius, 1, 1.9 * radius, options, FilmLaw::kMean);
}

TEST(Domes, StandInTheWaterAsYoungAndLaplaceSay) {
    const double r = 3e-3;
    const FloatingBubble b = floating_bubble(r, 2.7e-3);
    const RayScene scene(one_dome(r));
    ASSERT_EQ(scene.world().copies.size(), 1u);
    const Vec3 at = scene.world().copies[0].places[0].position.as<double>();
    // From above: the cap, then the bottom of the cavity.
    const Ray down{at + Vec3{1e-5, 0.05, 2e-5}, {0, -1, 0}, 0};
    const Hit cap = scene.nearest(down, 0);
    ASSERT_TRUE(cap.found);
    EXPECT_NEAR(cap.position[1], b.cap_at(0)[1], 0.01 * r);
    EXPECT_GT(cap.normal[1], 0.99);
    Hit hit = cap;
    double lowest = 1;
    for (int i = 0; i < 20 && hit.found; ++i) {
        if (hit.object == cap.object) lowest = hit.position[1];
        hit = scene.nearest(down, std::max(hit.distance, hit.seen) + scene.grain());
    }
    EXPECT_NEAR(lowest, -b.depth, 0.02 * r);
    // In the cavity, below the level, there is air.
    const Nest inside = scene.around(at + Vec3{1e-5, -0.4 * b.depth, 2e-5}, 0);
    ASSERT_TRUE(inside.top());
    EXPECT_EQ(inside.top()->priority, Priority::kBubble);
}

/// Mean radiance that comes from the foam along a direction, over its inner part.
double seen(const World& world, double inner, double cosine, int paths) {
    const RayScene scene(world);
    const PathTracer tracer(scene, {});
    PixelSampler sampler(5, 6);
    double sum = 0;
    for (int i = 0; i < paths; ++i) {
        sampler.begin(static_cast<std::uint32_t>(i));
        const double u = sampler.next(), v = sampler.next();
        const Vec3 x{inner * (u - 0.5), 0, inner * (v - 0.5)};
        const Vec3 up = around_axis({0, 1, 0}, cosine, sampler.next());
        const Colour c = tracer.radiance({x + up * (inner / cosine), -up, 0}, {}, sampler);
        sum += (c[0] + c[1] + c[2]) / 3.0 / paths;
    }
    return sum;
}

// Whatever light does in films, cavities and menisci, under an even sky over a white floor it comes
// out as it went in.
TEST(Domes, WhiteFurnace) {
    for (const double r : {0.4e-3, 3e-3}) {
        World w = foam_on_water(r, 0.7, 20 * r, {}, FilmLaw::kMean);
        w.materials[2].colour = {1, 1, 1};
        EXPECT_NEAR(seen(w, 8 * r, 0.8, 2000), 1, 2e-3) << r;
        EXPECT_NEAR(seen(w, 8 * r, 0.3, 2000), 1, 2e-3) << r;
    }
}

// As the camera goes away bubbles turn into veils, a few first, then all: what the patch sends back
// stays the same within 5 %.
TEST(FarFoam, SendsBackWhatItsBubblesDo) {
    constexpr int kPaths = 40000;
    for (const double r : {0.5e-3, 3e-3}) {
        FloatingOptions options;
        options.eye = {0, 1, 0};
        const double side = 40 * r, inner = 24 * r;
        const World near = foam_on_water(r, 0.4, side, options, FilmLaw::kMean);
        EXPECT_TRUE(near.veils.empty());
        options.veil_pixels = 1;
        for (const double across : {1.0, 0.1}) {
            if (r < 1e-3 && across > 0.5) continue;
            // Where the radius is as wide as the limit about half of them are veils.
            options.pixels = across / r;
            const World w = foam_on_water(r, 0.4, side, options, FilmLaw::kMean);
            ASSERT_EQ(w.veils.size(), 1u);
            EXPECT_EQ(across < 0.5, w.balls.empty() && w.copies.empty());
            for (const double cosine : {0.6, 0.9}) {
                const double traced = seen(near, inner, cosine, kPaths);
                EXPECT_GT(traced, 1.2 * fresnel(cosine, kWaterIndex));
                EXPECT_NEAR(seen(w, inner, cosine, kPaths) / traced, 1, 0.05)
                    << r << ' ' << cosine << ' ' << across;
            }
        }
    }
}

TEST(FarFoam, ThickRaftsOfSmallBubblesAreWhite) {
    EXPECT_EQ(raft_reflectance(0, 1e-3), 0);
    EXPECT_NEAR(raft_reflectance(4e-3, 0.5e-3), 0.58, 0.01);
    double last = 0;
    for (const double h : {1e-3, 3e-3, 1e-2, 3e-2, 1e-1}) {
        EXPECT_GT(raft_reflectance(h, 1e-3), last);
        last = raft_reflectance(h, 1e-3);
        EXPECT_GT(last, raft_reflectance(h, 2e-3));
        EXPECT_LT(last, 1);
    }
    EXPECT_GT(last, 0.9);
}

TEST(WetSolids, AreDarkerAboveTheWaterline) {
    EXPECT_NEAR(wet_albedo({1, 0.5f, 0})[0], 1, 1e-6);
    EXPECT_NEAR(wet_albedo({1, 0.5f, 0})[1], 0.345, 1e-3);
    // A wall that stands in water, under an even sky; the floor of the water is black.
    World w = foam_on_water(1e-3, 0, 0.02, {}, FilmLaw::kMean);
    w.environment.colour = {1, 1, 1};
    Surface wall;
    wall.begin = {{-1, -0.01f, -0.01f}, {1, -0.01f, -0.01f}, {1, 1, -0.01f}, {-1, 1, -0.01f}};
    wall.triangles = {{0, 1, 2}, {0, 2, 3}};
    wall.material = 3;
    w.surfaces.push_back(wall);
    const auto shade = [&](double height, double wet) {
        w.materials.resize(3);
        w.materials.push_back(
            Material{.finish = Finish::kMatte, .colour = {0.5f, 0.5f, 0.5f}, .wet = wet});
        const RayScene scene(w);
        const PathTracer tracer(scene, {});
        PixelSampler sampler(1, 1);
        double sum = 0;
        for (int i = 0; i < 4000; ++i) {
            sampler.begin(static_cast<std::uint32_t>(i));
            sum += tracer.radiance({{0, height, 0.05}, {0, 0, -1}, 0}, {}, sampler)[0] / 4000.0;
        }
        return sum;
    };
    const double wet = shade(0.001, 0.01), dry = shade(0.001, 0);
    EXPECT_LT(wet, 0.8 * dry);
    EXPECT_NEAR(shade(0.02, 0.01), shade(0.02, 0), 0.02);
}

}  // namespace
}  // namespace spume

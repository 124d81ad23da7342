// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/math.h"
#include "spume/render/beauty.h"

// A picture as the sky: how its directions are drawn, and the light it gives.

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

FloatImage evenly(int width, int height, float value) {
    FloatImage image(width, height);
    for (Colour& c : image.pixels) c = Colour::filled(value);
    return image;
}

TEST(EnvironmentImage, LooksWhereItShould) {
    FloatImage image = evenly(64, 32, 0);
    image.at(32, 16) = image.at(31, 16) = image.at(32, 15) = image.at(31, 15) = {1, 0, 0};
    image.at(48, 16) = image.at(47, 16) = image.at(48, 15) = image.at(47, 15) = {0, 1, 0};
    const EnvironmentImage e(image, 0);
    EXPECT_NEAR(e.light({0, 0, 1})[0], 1, 1e-5);
    EXPECT_NEAR(e.light({1, 0, 0})[1], 1, 1e-5);
    EXPECT_NEAR(e.light({0, 0, -1})[0], 0, 1e-6);
    const EnvironmentImage turned(image, math::kPi / 2);
    EXPECT_NEAR(turned.light({1, 0, 0})[0], 1, 1e-5);
}

TEST(EnvironmentImage, DensityOfDirections) {
    FloatImage image = evenly(32, 16, 0.2f);
    image.at(5, 4) = {30, 20, 10};
    image.at(20, 12) = {0, 8, 0};
    const EnvironmentImage e(image, 0.3);
    double whole = 0, flux = 0;
    constexpr int kSide = 200;
    for (int i = 0; i < kSide; ++i)
        for (int j = 0; j < kSide; ++j) {
            const auto s = e.sample((i + 0.5) / kSide, (j + 0.5) / kSide);
            EXPECT_NEAR(length(s.direction), 1, 1e-9);
            ASSERT_NEAR(e.density(s.direction) / s.density, 1, 1e-6);
            flux += e.light(s.direction)[1] / s.density / (kSide * kSide);
        }
    constexpr int kFine = 1000;
    for (int i = 0; i < kFine; ++i)
        for (int j = 0; j < kFine; ++j) {
            const double up = 1 - 2 * (i + 0.5) / kFine, turn = 2 * math::kPi * (j + 0.5) / kFine;
            const double level = std::sqrt(1 - up * up);
            whole += e.density({level * math::sin(turn), up, level * math::cos(turn)}) * 4 *
                     math::kPi / (double(kFine) * kFine);
        }
    EXPECT_NEAR(whole, 1, 0.01);
    double sum = 0;  // of the picture itself, by its pixels
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 32; ++x)
            sum += image.at(x, y)[1] * 2 * math::kPi / 32 *
                   (math::cos(math::kPi * y / 16) - math::cos(math::kPi * (y + 1) / 16));
    EXPECT_NEAR(flux / sum, 1, 0.03);
}

TEST(EnvironmentImage, SunIsTakenOut) {
    FloatImage image = evenly(360, 180, 0.5f);
    image.at(200, 40) = {90000, 80000, 70000};
    EnvironmentImage e(image, 0);
    const double before = e.mean_luminance();
    const auto sun = e.take_sun();
    ASSERT_TRUE(sun);
    const double up = math::cos(math::kPi * 40.5 / 180);
    EXPECT_NEAR(sun->direction[1], up, 1e-6);
    const double angle = 2 * math::kPi * (1 - sun->cosine);
    EXPECT_NEAR(
        before - e.mean_luminance(),
        angle *
            (0.2126 * sun->radiance[0] + 0.7152 * sun->radiance[1] + 0.0722 * sun->radiance[2]) /
            (4 * math::kPi),
        0.02 * before);
    EXPECT_FALSE(e.take_sun());
    EXPECT_FALSE(EnvironmentImage(evenly(16, 8, 1), 0).take_sun());
}

double floor_light(const std::shared_ptr<const EnvironmentImage>& image, int paths) {
    World w;
    w.materials = {Material{.finish = Finish::kMatte, .colour = {0.5f, 0.5f, 0.5f}}};
    w.floor = Floor{0, 0};
    w.environment.kind = Environment::Kind::kImage;
    w.environment.image = image;
    const RayScene scene(w);
    const PathTracer tracer(scene, {});
    PixelSampler sampler(3, 3);
    double sum = 0;
    for (int i = 0; i < paths; ++i) {
        sampler.begin(static_cast<std::uint32_t>(i));
        sum += tracer.radiance({{0, 1, 0}, {0, -1, 0}, 0}, {}, sampler)[1] / double(paths);
    }
    return sum;
}

// A matte floor sends back albedo times irradiance / π, whether the sky is even or one bright spot,
// and with few paths: no direction is left to chance.
TEST(EnvironmentImage, LightsAFloor) {
    EXPECT_NEAR(floor_light(std::make_shared<EnvironmentImage>(evenly(32, 16, 2), 0), 4000), 1,
                0.01);
    FloatImage spot = evenly(64, 32, 0);
    spot.at(10, 8) = {1000, 1000, 1000};
    double irradiance = 0;
    const EnvironmentImage e(spot, 0);
    constexpr int kSide = 800;
    for (int i = 0; i < kSide; ++i)
        for (int j = 0; j < kSide; ++j) {
            const double up = (i + 0.5) / kSide, turn = 2 * math::kPi * (j + 0.5) / kSide;
            const double level = std::sqrt(1 - up * up);
            irradiance += e.light({level * math::sin(turn), up, level * math::cos(turn)})[1] * up *
                          2 * math::kPi / (kSide * kSide);
        }
    EXPECT_NEAR(floor_light(std::make_shared<EnvironmentImage>(spot, 0), 4000) /
                    (0.5 * irradiance / math::kPi),
                1, 0.03);
}

TEST(BeautyAdvice, SaysWhatIsMissing) {
    Frame frame;
    frame.dimensions = 3;
    PointSet bubbles;
    bubbles.name = "bubbles";
    bubbles.position = Array<Vec3>(1, Vec3{0, 0.5, 0});
    frame.points.push_back(bubbles);
    BeautyOptions options;
    options.camera = PreviewCamera{.position = {0, 0.5, 1}, .target = {0, 0.5, 0}};
    options.blur = 0.02;
    const auto advice = beauty_advice(frame, options);
    ASSERT_EQ(advice.size(), 2u);
    EXPECT_NE(advice[0].find("no column 'pscale'"), std::string::npos);
    EXPECT_NE(advice[1].find("without motion blur"), std::string::npos);
    // No surface: what needs one is named, once for each flag.
    BeautyOptions lit = options;
    lit.sun = BeautyOptions::SunAt{};
    lit.lamps = {AreaLight{}};
    lit.photons = 1000;
    lit.smoke = 3;
    const auto unseen = beauty_advice(frame, lit);
    ASSERT_EQ(unseen.size(), 6u);
    EXPECT_NE(unseen[2].find("--sun is not seen"), std::string::npos);
    EXPECT_NE(unseen[4].find("--photons"), std::string::npos);
    EXPECT_NE(unseen[5].find("no volume 'smoke'"), std::string::npos);
    options.camera->position = {0, 0.5, 0.0005};
    EXPECT_EQ(beauty_advice(frame, options).size(), 3u);
    EXPECT_NE(beauty_advice(frame, options)[2].find("inside of one of the points"),
              std::string::npos);
}

// A liquid that nothing is left of is air, not water; one that no mesh was written of is water, and
// that is said.
TEST(BeautyAdvice, TellsNoLiquidFromNoMesh) {
    Frame frame;
    frame.free_surface = true;
    const BeautyOptions options;
    for (const int dimensions : {2, 3}) {
        frame.dimensions = dimensions;
        const auto advice = beauty_advice(frame, options);
        ASSERT_EQ(advice.size(), 1u);
        EXPECT_NE(advice[0].find(dimensions == 2 ? "--mode preview" : "write_mesh"),
                  std::string::npos);
        EXPECT_TRUE(beauty_under_water(frame, options));
    }
    frame.meshes.push_back({"surface", {}});
    EXPECT_TRUE(beauty_advice(frame, options).empty());
    EXPECT_FALSE(beauty_under_water(frame, options));
}

}  // namespace
}  // namespace spume

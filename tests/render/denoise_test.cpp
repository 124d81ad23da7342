// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/denoise.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spume/render/beauty.h"

namespace spume {
namespace {

double luminance(const Colour& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

/// Bubbles over a checker floor, some of them in the sun's way.
Frame bubbles() {
    Array<Vec<double, 3>> position(40);
    Array<float> radius(40);
    for (std::size_t i = 0; i < 40; ++i) {
        const Random random(5, i, 0, Purpose::kTest);
        position.write()[i] = random.uniform_vec<3>(0) - Vec<double, 3>{0.5, 0, 0.5};
        radius.write()[i] = static_cast<float>(0.03 + 0.08 * random.uniform(3));
    }
    Frame frame;
    frame.points = {PointSet{"grains", position, {{"pscale", "m", radius}}}};
    return frame;
}

struct Errors {
    double noisy = 0, smooth = 0, mean = 0, shift = 0;
};

Errors errors_of(int samples) {
    BeautyOptions options;
    options.width = 96, options.height = 64;
    options.camera = PreviewCamera{.position = {1.2, 1.1, 2.2}, .target = {0, 0.4, 0}};
    options.bare = true;
    options.samples = samples;
    Context context(2);
    const FloatImage noisy = render_beauty(bubbles(), options, context).image;
    options.denoise = true;
    const FloatImage smooth = render_beauty(bubbles(), options, context).image;
    options.denoise = false, options.seed = 99, options.samples = 512;
    const FloatImage truth = render_beauty(bubbles(), options, context).image;
    Errors e;
    const auto n = static_cast<double>(truth.pixels.size());
    for (std::size_t i = 0; i < truth.pixels.size(); ++i) {
        const double t = luminance(truth.pixels[i]), a = luminance(noisy.pixels[i]) - t,
                     b = luminance(smooth.pixels[i]) - t;
        e.noisy += a * a / n, e.smooth += b * b / n, e.mean += t / n, e.shift += b / n;
    }
    e.noisy = std::sqrt(e.noisy), e.smooth = std::sqrt(e.smooth);
    return e;
}

// The error against a long render falls, and the picture becomes neither brighter nor darker.
TEST(Denoise, ErrorFallsAndMeanStays) {
    const Errors e = errors_of(8);
    RecordProperty("noisy", std::to_string(e.noisy));
    RecordProperty("smooth", std::to_string(e.smooth));
    EXPECT_LT(e.smooth, 0.75 * e.noisy) << e.noisy;
    EXPECT_LT(std::abs(e.shift), 0.01 * e.mean);
}

TEST(Denoise, AnEvenPictureStaysAndEdgesStay) {
    FloatImage light(16, 16);
    PictureFeatures f{light, light, std::vector<float>(256, 1), std::vector<float>(256, 1e-3f)};
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) {
            light.at(x, y) = Colour::filled(x < 8 ? 0.2f : 0.3f);
            f.normal.at(x, y) = x < 8 ? Colour{0, 1, 0} : Colour{1, 0, 0};
        }
    Context context(3);
    const FloatImage result = denoised(light, f, context);
    for (std::size_t i = 0; i < 256; ++i)
        EXPECT_NEAR(result.pixels[i][1], light.pixels[i][1], 1e-6);
}

}  // namespace
}  // namespace spume

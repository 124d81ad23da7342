// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "spume/core/context.h"
#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/io/png.h"
#include "spume/render/beauty.h"
#include "spume/render/plot.h"
#include "spume/render/preview.h"

// Pictures are compared with stored ones, within a tolerance: a change of look must be seen and
// wanted. SPUME_WRITE_GOLDEN=1 in the environment writes the stored pictures anew; look at them
// before committing.

namespace spume {
namespace {

std::string path_of(const std::string& name) {
    return std::string(SPUME_SOURCE) + "/tests/golden/" + name + ".png";
}

void expect_golden(const Image& image, const std::string& name) {
    const std::string path = path_of(name);
    if (std::getenv("SPUME_WRITE_GOLDEN")) {
        std::ofstream out(path, std::ios::binary);
        out << encode_png(image.width, image.height, image.rgb);
        ASSERT_TRUE(out.good()) << path;
        return;
    }
    std::ifstream in(path, std::ios::binary);
    ASSERT_TRUE(in.good()) << path << " is missing";
    const std::string file{std::istreambuf_iterator<char>(in), {}};
    const DecodedPng stored =
        decode_png({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
    ASSERT_EQ(stored.width, image.width);
    ASSERT_EQ(stored.height, image.height);
    double sum = 0;
    int far_off = 0;
    for (std::size_t i = 0; i < image.rgb.size(); ++i) {
        const int difference = std::abs(image.rgb[i] - stored.rgb[i]);
        sum += difference;
        far_off += difference > 24 ? 1 : 0;
    }
    EXPECT_LT(sum / static_cast<double>(image.rgb.size()), 0.5) << name;
    EXPECT_LT(far_off, static_cast<int>(image.rgb.size() / 1000)) << name;
}

/// A leaning column of bubbles with radii of 0.5 to 5 mm, inverse-cubic ([WFS22] Eq. 34).
Frame column(int n, int dimensions) {
    Array<Vec<double, 3>> position(static_cast<std::size_t>(n));
    Array<Vec<float, 3>> velocity(static_cast<std::size_t>(n));
    Array<float> radius(static_cast<std::size_t>(n));
    auto p = position.write();
    auto v = velocity.write();
    auto r = radius.write();
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Random random(1, i, 0, Purpose::kTest);
        const auto u = random.uniform_vec<3>(0);
        const double angle = 2 * math::kPi * u[0], aside = 0.15 * std::sqrt(u[2]);
        p[i] = {aside * math::cos(angle) + 0.1 * (u[1] - 0.5), u[1],
                dimensions == 3 ? aside * math::sin(angle) : 0};
        const double lo = 0.5e-3, hi = 5e-3, s = random.uniform(5);
        // Flat frames hold fewer, larger discs.
        const double factor = dimensions == 2 ? 4 : 1;
        r[i] = static_cast<float>(factor / std::sqrt((1 - s) / (lo * lo) + s / (hi * hi)));
        v[i] = {0, static_cast<float>(0.3 * u[1]), 0.1f};
    }
    PointSet set;
    set.name = "bubbles";
    set.position = position;
    set.columns = {{"pscale", "m", radius}, {"v", "m/s", velocity}};
    Frame frame;
    frame.number = 24;
    frame.time = 1;
    frame.dimensions = dimensions;
    frame.points = {set};
    return frame;
}

PreviewOptions options_for(int width, int height) {
    PreviewOptions options;
    options.width = width, options.height = height;
    options.domain = {{-0.25, 0, -0.25}, {0.25, 1, 0.25}};
    return options;
}

TEST(Golden, BubblesInWater) {
    Context context(2);
    PreviewOptions options = options_for(320, 240);
    options.camera = PreviewCamera{.position = {0, 0.6, 0.9}, .target = {0, 0.6, 0}};
    expect_golden(render_preview(column(6000, 3), options, context), "preview_water");
}

TEST(Golden, SpeedsAndSolids) {
    Context context(2);
    PreviewOptions options = options_for(320, 320);
    options.colours = PreviewColours::kSpeed;
    options.solids.emplace_back(BodyShape<3>({.kind = BodyKind::kSphere, .radius = 0.1}),
                                rest_pose<3>({0.05, 0.5, 0.1}, {}), Twist{});
    options.solids.emplace_back(
        BodyShape<3>({.kind = BodyKind::kCylinder, .radius = 0.05, .height = 0.4}),
        rest_pose<3>({0, 0.8, 0}, {0, 30, 70}), Twist{});
    options.solids.emplace_back(
        BodyShape<3>(
            {.kind = BodyKind::kBox, .size = {0.5, 1, 0.5}, .shell = 0.02, .open_top = true}),
        rest_pose<3>({0, 0.5, 0}, {}), Twist{});
    expect_golden(render_preview(column(6000, 3), options, context), "preview_speed");
}

TEST(Golden, FlatFrame) {
    Context context(2);
    PreviewOptions options = options_for(240, 320);
    options.flat_solids.emplace_back(BodyShape<2>({.kind = BodyKind::kBox, .size = {0.2, 0.08, 0}}),
                                     rest_pose<2>({0.05, 0.4, 0}, {0, 0, 25}), Twist{});
    expect_golden(render_preview(column(500, 2), options, context), "preview_flat");
}

BeautyOptions beauty_for(int width, int height) {
    BeautyOptions options;
    options.width = width, options.height = height;
    options.samples = 32;
    options.domain = {{-0.25, 0, -0.25}, {0.25, 1, 0.25}};
    return options;
}

TEST(Golden, BubblesTraced) {
    Context context(2);
    BeautyOptions options = beauty_for(128, 96);
    options.walled_bottom = true;
    options.camera = PreviewCamera{.position = {0, 0.16, 0.8}, .target = {0, 0.14, 0}};
    options.solids.push_back(
        {PlacedBody<3>(BodyShape<3>({.kind = BodyKind::kSphere, .radius = 0.06}),
                       rest_pose<3>({0.16, 0.06, 0.1}, {}), Twist{}),
         rest_pose<3>({0.16, 0.06, 0.1}, {})});
    expect_golden(developed(render_beauty(column(3000, 3), options, context).image, 1),
                  "beauty_water");
}

/// A cube of water with bubbles, drops and a glass cup, on the checker floor.
TEST(Golden, TankTraced) {
    Context context(2);
    Frame frame = column(60, 3);
    for (Vec<double, 3>& x : frame.points[0].position.write()) x[1] *= 0.7;
    for (float& r : std::get<Array<float>>(frame.points[0].columns[0].values).write()) r *= 6;
    frame.points.push_back(frame.points[0]);
    frame.points[1].name = "spray";
    for (Vec<double, 3>& x : frame.points[1].position.write()) x[1] = 0.65 + 0.4 * x[1];
    const double a = 0.2, b = 0.6;
    NamedMesh surface{"surface", {}};
    surface.mesh.vertices = {{-a, 0, -a}, {a, 0, -a}, {a, 0, a}, {-a, 0, a},
                             {-a, b, -a}, {a, b, -a}, {a, b, a}, {-a, b, a}};
    surface.mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}, {0, 5, 1}, {0, 4, 5},
                              {1, 6, 2}, {1, 5, 6}, {2, 7, 3}, {2, 6, 7}, {3, 4, 0}, {3, 7, 4}};
    frame.meshes = {surface};
    BeautyOptions options = beauty_for(96, 128);
    options.camera = PreviewCamera{.position = {0.9, 0.9, 1.6}, .target = {0, 0.4, 0}};
    const BodyShape<3> cup(
        {.kind = BodyKind::kBox, .size = {0.44, 0.9, 0.44}, .shell = 0.03, .open_top = true});
    options.solids.push_back({PlacedBody<3>(cup, rest_pose<3>({0, 0.44, 0}, {}), Twist{}),
                              rest_pose<3>({0, 0.44, 0}, {})});
    expect_golden(developed(render_beauty(frame, options, context).image, 1), "beauty_tank");
}

TEST(Golden, ConvergencePlot) {
    Plot plot;
    plot.title = "Error of the pressure";
    plot.width = 480, plot.height = 360;
    plot.x = {.label = "cells a side", .logarithmic = true};
    plot.y = {.label = "largest error", .logarithmic = true};
    PlotSeries measured{.name = "measured", .x = {}, .y = {}};
    PlotSeries second{
        .name = "second order", .x = {}, .y = {}, .mark = PlotMark::kLine, .dashed = true};
    for (double n = 16; n <= 512; n *= 2) {
        measured.x.push_back(n), measured.y.push_back(3.3 / (n * n) * (1 + 2 / n));
        second.x.push_back(n), second.y.push_back(2 / (n * n));
    }
    plot.series = {measured, second};
    expect_golden(draw_plot(plot), "plot_convergence");
}

}  // namespace
}  // namespace spume

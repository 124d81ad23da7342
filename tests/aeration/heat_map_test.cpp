// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/heat_map.h"

#include <gtest/gtest.h>

namespace spume {
namespace {

/// A plane of 16 by 16 cells of 1/16 m with three values in it.
Volume three_values() {
    Volume v;
    v.name = "aeration";
    v.voxel = 1.0 / 16;
    v.origin = {0, 0, -v.voxel / 2};
    v.side = {16, 16, 1};
    v.tiles = Array<Vec<int, 3>>(1);
    v.values = {Array<float>(256)};
    auto a = v.values[0].write();
    a[4 * 16 + 4] = 0.5f;     // below the range
    a[12 * 16 + 4] = 10.0f;   // in it
    a[4 * 16 + 12] = 500.0f;  // above
    return v;
}

int brightness(const Image& image, double x, double y) {
    // 640 x 480: the plane is square, pixels a cell as in heat_map.cpp.
    const double gap = 0.02 * 640,
                 pixels = std::min((640 * 0.89 - 2 * gap) / 16, (480 - 2 * gap - 48) / 16);
    const int column = int(gap + x * 16 * pixels),
              row = int((480 - 16 * pixels) / 2 + (1 - y) * 16 * pixels);
    const std::uint8_t* p = image.pixel(column, row);
    return p[0] + p[1] + p[2];
}

TEST(HeatMap, ShowsWhereAValueIsLarge) {
    Frame frame;
    frame.dimensions = 2;
    HeatMapOptions options;
    options.width = 640, options.height = 480;
    options.domain = {{0, 0, 0}, {1, 1, 0}};
    options.range = {1, 100};
    const Image image = render_heat_map(frame, three_values(), nullptr, options);
    const int nothing = brightness(image, 0.5, 0.5), dim = brightness(image, 4.5 / 16, 4.5 / 16),
              bright = brightness(image, 12.5 / 16, 4.5 / 16),
              most = brightness(image, 4.5 / 16, 12.5 / 16);
    EXPECT_LT(nothing, dim);
    EXPECT_LT(dim, bright);
    EXPECT_LT(bright, most);
}

TEST(HeatMap, LiquidIsToldFromAir) {
    Frame frame;
    frame.dimensions = 2;
    HeatMapOptions options;
    options.width = 640, options.height = 480;
    options.domain = {{0, 0, 0}, {1, 1, 0}};
    Volume liquid = three_values();
    auto phi = liquid.values[0].write();
    for (std::size_t i = 0; i < phi.size(); ++i) phi[i] = i % 16 < 8 ? -1.0f : 1.0f;
    const Image image = render_heat_map(frame, three_values(), &liquid, options);
    EXPECT_GT(brightness(image, 0.5, 0.2), brightness(image, 0.5, 0.8));
}

}  // namespace
}  // namespace spume

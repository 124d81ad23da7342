// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <map>

#include <gtest/gtest.h>

#include "spume/render/contact_sheet.h"
#include "spume/render/font.h"

namespace spume {
namespace {

TEST(ContactSheet, ShowsEveryPictureWholeAndInOrder) {
    std::vector<SheetTile> tiles;
    for (int i = 0; i < 5; ++i) {
        const auto shade = static_cast<std::uint8_t>(40 + 40 * i);
        tiles.push_back({Image(64, 48, {shade, 0, 255}), "n = " + std::to_string(i)});
    }
    const SheetOptions options{"a study", 2, 64, 48};
    const Image sheet = contact_sheet(tiles, options);
    struct Spot {
        int count = 0, x0 = 1 << 30, y0 = 1 << 30, x1 = -1, y1 = -1;
    };
    std::map<int, Spot> spots;
    for (int y = 0; y < sheet.height; ++y)
        for (int x = 0; x < sheet.width; ++x) {
            const std::uint8_t* p = sheet.pixel(x, y);
            if (p[1] != 0 || p[2] != 255) continue;
            Spot& s = spots[p[0]];
            ++s.count;
            s = {s.count, std::min(s.x0, x), std::min(s.y0, y), std::max(s.x1, x),
                 std::max(s.y1, y)};
        }
    ASSERT_EQ(spots.size(), 5u);
    for (const auto& [shade, s] : spots) {
        EXPECT_EQ(s.count, 64 * 48) << shade;
        EXPECT_EQ(s.x1 - s.x0, 63);
        EXPECT_EQ(s.y1 - s.y0, 47);
    }
    // Left to right, then down.
    EXPECT_LT(spots[40].x1, spots[80].x0);
    EXPECT_EQ(spots[40].y0, spots[80].y0);
    EXPECT_LT(spots[80].y1, spots[120].y0);
    EXPECT_EQ(spots[40].x0, spots[120].x0);
    EXPECT_EQ(spots[200].x0, spots[40].x0);
}

TEST(ContactSheet, IsAboutSquareUnlessToldOtherwise) {
    EXPECT_EQ(sheet_columns(12, {"", 0, 100, 100}), 4);
    EXPECT_EQ(sheet_columns(12, {"", 0, 100, 300}), 6);
    EXPECT_EQ(sheet_columns(12, {"", 7, 100, 100}), 7);
    EXPECT_EQ(sheet_columns(2, {"", 7, 100, 100}), 2);
    EXPECT_EQ(sheet_columns(1, {"", 0, 10, 1000}), 1);
}

TEST(ContactSheet, LongLabelsStayUnderTheirOwnPicture) {
    const std::string words(200, 'W');
    const SheetOptions options{"", 2, 64, 8};
    const Image long_one = contact_sheet({{Image(64, 8), words}, {Image(64, 8), ""}}, options);
    const Image none = contact_sheet({{Image(64, 8), ""}, {Image(64, 8), ""}}, options);
    int right = 0, changed = 0;
    for (int y = 0; y < none.height; ++y)
        for (int x = 0; x < none.width; ++x)
            if (!std::equal(none.pixel(x, y), none.pixel(x, y) + 3, long_one.pixel(x, y))) {
                right = std::max(right, x);
                ++changed;
            }
    EXPECT_GT(changed, 50);
    EXPECT_LT(right, 8 + 64);
}

}  // namespace
}  // namespace spume

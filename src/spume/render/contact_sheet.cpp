// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/contact_sheet.h"

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/render/font.h"

namespace spume {
namespace {

constexpr int kGap = 8;
constexpr int kLabelHeight = 18;
constexpr int kTitleSize = 2;  // pixels a dot
constexpr Vec<std::uint8_t, 3> kPaper{14, 24, 32}, kInk{190, 222, 230};

/// ASCII stand-ins for what the font does not have, and no more letters than fit.
std::string fitting(const std::string& text, int width, int size) {
    std::string words;
    for (const char c : text)
        if (static_cast<signed char>(c) >= 0) words += c;
    if (text_width(words, size) <= width) return words;
    while (!words.empty() && text_width(words + "...", size) > width) words.pop_back();
    return words + "...";
}

void copy_into(Image& sheet, const Image& picture, int x, int y) {
    for (int row = 0; row < picture.height; ++row)
        std::copy_n(picture.pixel(0, row), std::size_t(3) * std::size_t(picture.width),
                    sheet.pixel(x, y + row));
}

}  // namespace

int sheet_columns(std::size_t tiles, const SheetOptions& options) {
    const int count = static_cast<int>(tiles);
    if (options.columns > 0) return std::max(1, std::min(options.columns, count));
    const double ideal =
        std::sqrt(double(count) * options.tile_height / std::max(1, options.tile_width));
    return std::clamp(static_cast<int>(std::ceil(ideal)), 1, std::max(1, count));
}

Image contact_sheet(const std::vector<SheetTile>& tiles, const SheetOptions& options) {
    const int columns = sheet_columns(tiles.size(), options);
    const int rows = (static_cast<int>(tiles.size()) + columns - 1) / columns;
    const int top = options.title.empty() ? kGap : 2 * kGap + kFontHeight * kTitleSize;
    const int step_x = options.tile_width + kGap;
    const int step_y = options.tile_height + kLabelHeight + kGap;
    Image sheet(kGap + columns * step_x, top + rows * step_y, kPaper);
    draw_text(sheet, kGap, kGap, fitting(options.title, sheet.width - 2 * kGap, kTitleSize), kInk,
              kTitleSize);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const int n = static_cast<int>(i);
        const int x = kGap + n % columns * step_x, y = top + n / columns * step_y;
        const Image& picture = tiles[i].picture;
        SPUME_CHECK(picture.width <= options.tile_width && picture.height <= options.tile_height);
        copy_into(sheet, picture, x, y);
        draw_text(sheet, x + 2, y + options.tile_height + (kLabelHeight - kFontHeight) / 2,
                  fitting(tiles[i].label, options.tile_width - 4, 1), kInk);
    }
    return sheet;
}

}  // namespace spume

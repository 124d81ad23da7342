// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>

#include "spume/render/image.h"

namespace spume {

/// A built-in bitmap font: ASCII, five by seven dots in cells of six by nine. Other bytes draw a
/// box.
inline constexpr int kFontAdvance = 6, kFontHeight = 7;

/// Draws with the upper left corner of the first letter at (x, y); each dot is `size` pixels wide.
void draw_text(Image& image, int x, int y, std::string_view text, Vec<std::uint8_t, 3> colour,
               int size = 1, float opacity = 1);
/// The same, turned a quarter to the left: reads from bottom to top, starting at (x, y).
void draw_text_upwards(Image& image, int x, int y, std::string_view text,
                       Vec<std::uint8_t, 3> colour, int size = 1);
int text_width(std::string_view text, int size = 1);

/// A number for an axis or legend: up to four digits, powers of ten when far from one.
std::string short_number(double value);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/colour_bar.h"

#include <algorithm>
#include <cmath>

#include "spume/render/colour_map.h"
#include "spume/render/font.h"
#include "spume/render/plot.h"

namespace spume {

void draw_colour_bar(Image& image, const Interval& range, const std::string& label) {
    constexpr Vec<std::uint8_t, 3> kInk{190, 222, 230};
    const ScreenEncoder encoder;
    const int size = std::max(1, image.height / 540);
    const int height = image.height / 2, width = 8 * size, x = image.width - 70 * size,
              y = image.height / 4;
    for (int j = 0; j < height; ++j) {
        const Colour c = ramp_colour(1 - (j + 0.5) / height);
        image.fill(x, y + j, x + width, y + j + 1,
                   {encoder.encode(c[0]), encoder.encode(c[1]), encoder.encode(c[2])});
    }
    for (const double value : plot_ticks(range.begin, range.end, false)) {
        const double s = (value - range.begin) / range.length();
        const int at = y + height - static_cast<int>(std::lround(s * height));
        image.fill(x + width, at, x + width + 3 * size, at + 1, kInk);
        draw_text(image, x + width + 5 * size, at - kFontHeight * size / 2, short_number(value),
                  kInk, size);
    }
    draw_text(image, std::min(x, image.width - text_width(label, size) - 4 * size), y - 14 * size,
              label, kInk, size);
}

}  // namespace spume

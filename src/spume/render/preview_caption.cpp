// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/preview_caption.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/render/colour_bar.h"
#include "spume/render/font.h"
#include "spume/render/guides.h"

namespace spume {

namespace {

constexpr Vec<std::uint8_t, 3> kInk{190, 222, 230}, kEdge{10, 24, 32};

std::string metres(double length) {
    if (length < 1e-2) return short_number(length * 1e3) + " mm";
    if (length < 1) return short_number(length * 1e2) + " cm";
    return short_number(length) + " m";
}

}  // namespace

void draw_caption(Image& image, const Frame& frame, const PreviewOptions& options,
                  const PointPaint& paint) {
    const int size = std::max(1, image.height / 540);
    std::vector<std::string> parts{fmt::format("frame {}", frame.number),
                                   fmt::format("t = {:.3f} s", frame.time)};
    for (const PointSet& set : frame.points)
        parts.push_back(fmt::format("{} {}", set.size(), set.name));
    if (options.guides) parts.push_back("grid " + metres(guide_spacing(options.domain)));
    std::string text;
    for (const std::string& part : parts) {
        const std::string longer = text.empty() ? part : fmt::format("{}   {}", text, part);
        if (text_width(longer, size) < image.width - 20 * size) text = longer;
    }
    const int x = 10 * size, y = image.height - 16 * size;
    // A dark edge around the letters, for bright ground.
    for (const Vec<int, 2>& by :
         {Vec<int, 2>{-1, 0}, Vec<int, 2>{1, 0}, Vec<int, 2>{0, -1}, Vec<int, 2>{0, 1}})
        draw_text(image, x + by[0], y + by[1], text, kEdge, size, 0.5f);
    draw_text(image, x, y, text, kInk, size, 0.55f);
    if (paint.has_scale()) draw_colour_bar(image, paint.range(), paint.label());
}

}  // namespace spume

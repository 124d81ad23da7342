// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/image.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"

namespace spume {

namespace {
constexpr int kTableSize = 4096;
}

Image::Image(int w, int h, Vec<std::uint8_t, 3> fill_colour)
    : width(w), height(h), rgb(3 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {
    for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = fill_colour[static_cast<int>(i % 3)];
}

void Image::blend(int x, int y, Vec<std::uint8_t, 3> colour, float opacity) {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    std::uint8_t* p = pixel(x, y);
    for (int k = 0; k < 3; ++k) {
        const float mixed = static_cast<float>(p[k]) +
                            (static_cast<float>(colour[k]) - static_cast<float>(p[k])) * opacity;
        p[k] = static_cast<std::uint8_t>(mixed + 0.5f);
    }
}

void Image::line(Vec<double, 2> from, Vec<double, 2> to, double line_width,
                 Vec<std::uint8_t, 3> colour, float opacity) {
    const double reach = line_width / 2 + 1;
    const Vec<double, 2> lo = min(from, to) - Vec<double, 2>::filled(reach),
                         hi = max(from, to) + Vec<double, 2>::filled(reach), along = to - from;
    const double squared = dot(along, along);
    const int x0 = static_cast<int>(std::clamp(lo[0], 0.0, double(width))),
              x1 = static_cast<int>(std::clamp(hi[0] + 1, 0.0, double(width))),
              y0 = static_cast<int>(std::clamp(lo[1], 0.0, double(height))),
              y1 = static_cast<int>(std::clamp(hi[1] + 1, 0.0, double(height)));
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
            const Vec<double, 2> p{x + 0.5, y + 0.5};
            const double s = squared > 0 ? std::clamp(dot(p - from, along) / squared, 0.0, 1.0) : 0;
            const double cover = line_width / 2 + 0.5 - length(p - from - along * s);
            if (cover > 0)
                blend(x, y, colour,
                      opacity * static_cast<float>(std::min({cover, 1.0, line_width})));
        }
}

void Image::fill(int x0, int y0, int x1, int y1, Vec<std::uint8_t, 3> colour, float opacity) {
    for (int y = std::max(y0, 0); y < std::min(y1, height); ++y)
        for (int x = std::max(x0, 0); x < std::min(x1, width); ++x) blend(x, y, colour, opacity);
}

ScreenEncoder::ScreenEncoder() : table_(kTableSize + 1) {
    for (int i = 0; i <= kTableSize; ++i) {
        // Spaced by square roots: the curve is steep near black.
        const double root = double(i) / kTableSize, x = root * root;
        const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * math::pow(x, 1 / 2.4) - 0.055;
        table_[static_cast<std::size_t>(i)] = static_cast<float>(255 * y);
    }
}

std::uint8_t ScreenEncoder::encode(float linear, float nudge) const {
    const float at = std::sqrt(std::clamp(linear, 0.0f, 1.0f)) * kTableSize;
    const auto i = std::min(static_cast<std::size_t>(at), table_.size() - 2);
    const float s = at - static_cast<float>(i);
    const float value = table_[i] + (table_[i + 1] - table_[i]) * s + nudge;
    return static_cast<std::uint8_t>(std::clamp(value + 0.5f, 0.0f, 255.0f));
}

}  // namespace spume

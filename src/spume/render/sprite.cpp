// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/sprite.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/render/water.h"

namespace spume {

namespace {

constexpr int kSlices = 9, kMiddle = kSlices / 2;
constexpr int kLargestSide = 128;
constexpr double kIndex = 1.333;  // water to air

/// One entry for a line of sight that meets the unit ball at distance b from its middle.
struct Meeting {
    Vec<double, 3> sight,
        outward;  ///< outward: from the middle towards where it meets, across sight
    double b;
};

Sprite::Texel bubble_texel(const Meeting& m) {
    const double cos_in = std::sqrt(std::max(0.0, 1 - m.b * m.b)), sin_out = kIndex * m.b;
    const Vec<double, 3> normal = m.outward * m.b - m.sight * cos_in;
    const Vec<double, 3> mirrored = m.sight + normal * (2 * cos_in);
    if (sin_out >= 1) {  // total reflection: the silver rim
        const Colour c = water_light(mirrored);
        return {c[0], c[1], c[2], 1};
    }
    const double cos_out = std::sqrt(1 - sin_out * sin_out);
    const double s = (kIndex * cos_in - cos_out) / (kIndex * cos_in + cos_out);
    const double p = (cos_in - kIndex * cos_out) / (cos_in + kIndex * cos_out);
    const double reflected = (s * s + p * p) / 2, through = (1 - reflected) * (1 - reflected);
    const double theta_in = math::atan2(m.b, cos_in), theta_out = math::atan2(sin_out, cos_out);

    Colour c = water_light(mirrored) * static_cast<float>(reflected);
    // What goes nearly straight through shows the things behind; the rest gathers light from
    // elsewhere, also after one and two reflections inside.
    const double bend = 2 * (theta_out - theta_in);
    const double clear = through * 0.85 * math::exp(-bend * bend / 0.12);
    double weight = through;
    for (int k = 0; k < 3; ++k) {
        const double turn = bend - k * (math::kPi - 2 * theta_out);
        const Vec<double, 3> d = m.sight * math::cos(turn) + m.outward * math::sin(turn);
        c += water_light(d) * static_cast<float>(k == 0 ? weight - clear : weight);
        weight *= reflected;
    }
    return {c[0], c[1], c[2], static_cast<float>(1 - clear)};
}

Sprite::Texel matte_texel(const Meeting& m) {
    const double cos_in = std::sqrt(std::max(0.0, 1 - m.b * m.b));
    const Vec<double, 3> normal = m.outward * m.b - m.sight * cos_in;
    const Vec<double, 3> sun{-0.40, 0.80, 0.447};
    const double lit = std::max(0.0, dot(normal, sun));
    const double shade = 0.30 + 0.18 * normal[1] + 0.62 * lit;
    const Vec<double, 3> mirrored = m.sight + normal * (2 * cos_in);
    const double glint = 0.35 * math::exp(40 * (dot(mirrored, sun) - 1));
    return {static_cast<float>(shade), static_cast<float>(glint), 0, 1};
}

/// The largest picture: each texel the mean of a few lines of sight, outside the ball nothing.
std::vector<Sprite::Texel> paint(SpriteKind kind, int side, double elevation) {
    const int fine = side < kLargestSide ? 2 : 1;
    const Vec<double, 3> sight{0, math::sin(elevation), -math::cos(elevation)}, right{1, 0, 0};
    const Vec<double, 3> up = cross(right, sight);
    const float part = 1.0f / static_cast<float>(fine * fine);
    std::vector<Sprite::Texel> texels(static_cast<std::size_t>(side) *
                                      static_cast<std::size_t>(side));
    for (int j = 0; j < side * fine; ++j)
        for (int i = 0; i < side * fine; ++i) {
            const double u = (i + 0.5) / (side * fine) * 2 - 1;
            const double v = 1 - (j + 0.5) / (side * fine) * 2;
            const double b = std::sqrt(u * u + v * v);
            if (b >= 1) continue;
            const Vec<double, 3> outward = b > 0 ? (right * u + up * v) / b : up;
            const Meeting meeting{sight, outward, b};
            const Sprite::Texel t =
                kind == SpriteKind::kBubble ? bubble_texel(meeting) : matte_texel(meeting);
            Sprite::Texel& sum = texels[static_cast<std::size_t>((j / fine) * side + i / fine)];
            sum.red += t.red * part, sum.green += t.green * part;
            sum.blue += t.blue * part, sum.opacity += t.opacity * part;
        }
    return texels;
}

std::vector<Sprite::Texel> halved(const std::vector<Sprite::Texel>& big, int side) {
    const int half = side / 2;
    std::vector<Sprite::Texel> small(static_cast<std::size_t>(half) *
                                     static_cast<std::size_t>(half));
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
            const Sprite::Texel& t = big[static_cast<std::size_t>(j * side + i)];
            Sprite::Texel& sum = small[static_cast<std::size_t>(j / 2 * half + i / 2)];
            sum.red += t.red / 4, sum.green += t.green / 4;
            sum.blue += t.blue / 4, sum.opacity += t.opacity / 4;
        }
    return small;
}

}  // namespace

Sprite::Sprite(SpriteKind kind, double largest, Interval elevations, Arena& arena)
    : elevations_(elevations), slices_(kSlices) {
    int side = 8;
    while (side < 2 * largest && side < kLargestSide) side *= 2;
    auto paint_slice = [&](std::size_t slice) {
        const double s = static_cast<double>(slice) / (kSlices - 1);
        auto& levels = slices_[slice];
        levels.push_back({side, paint(kind, side, elevations.begin + s * elevations.length())});
        while (levels.back().side > 1)
            levels.push_back(
                {levels.back().side / 2, halved(levels.back().texels, levels.back().side)});
    };
    arena.run(kSlices, paint_slice);
}

Sprite::View Sprite::view(double radius, double elevation) const {
    const double range = elevations_.length();
    const double place =
        range > 0 ? (elevation - elevations_.begin) / range * (kSlices - 1) : double(kMiddle);
    const long slice = std::clamp(std::lround(place), 0L, kSlices - 1L);
    const auto& levels = slices_[static_cast<std::size_t>(slice)];
    std::size_t level = 0;
    while (level + 1 < levels.size() && levels[level + 1].side >= 1.5 * radius) ++level;
    View view;
    view.texels_ = levels[level].texels.data();
    view.side_ = levels[level].side;
    return view;
}

Sprite::Texel Sprite::View::at(float u, float v) const {
    const float size = static_cast<float>(side_);
    const float x = (u + 1) * 0.5f * size - 0.5f, y = (1 - v) * 0.5f * size - 0.5f;
    const float fx = std::floor(x), fy = std::floor(y);
    const int i = static_cast<int>(fx), j = static_cast<int>(fy);
    const float s = x - fx, t = y - fy;
    Texel sum;
    for (int dj = 0; dj < 2; ++dj)
        for (int di = 0; di < 2; ++di) {
            const int p = i + di, q = j + dj;
            if (p < 0 || q < 0 || p >= side_ || q >= side_) continue;
            const float w = (di ? s : 1 - s) * (dj ? t : 1 - t);
            const Texel& texel = texels_[q * side_ + p];
            sum.red += w * texel.red, sum.green += w * texel.green;
            sum.blue += w * texel.blue, sum.opacity += w * texel.opacity;
        }
    return sum;
}

}  // namespace spume

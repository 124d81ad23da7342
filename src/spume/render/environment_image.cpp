// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/environment_image.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

double luminance(const Colour& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

/// Where in rising sums the value lies: the first entry beyond it.
std::size_t place_in(const double* begin, const double* end, double value) {
    return std::min(static_cast<std::size_t>(std::upper_bound(begin, end, value) - begin),
                    static_cast<std::size_t>(end - begin) - 1);
}

}  // namespace

EnvironmentImage::EnvironmentImage(FloatImage image, double turn)
    : image_(std::move(image)), turn_(turn) {
    for (Colour& c : image_.pixels)
        for (int k = 0; k < 3; ++k)
            if (!std::isfinite(c[k]) || c[k] < 0) c[k] = 0;
    weigh();
}

Vec3 EnvironmentImage::direction(double x, double y) const {
    const double around = 2 * math::kPi * (x / image_.width - 0.5) + turn_,
                 down = math::kPi * y / image_.height, s = math::sin(down);
    return {s * math::sin(around), math::cos(down), s * math::cos(around)};
}

Vec<double, 2> EnvironmentImage::pixel(const Vec3& d) const {
    double part = (math::atan2(d[0], d[2]) - turn_) / (2 * math::kPi) + 0.5;
    part -= std::floor(part);
    const double down = math::atan2(std::sqrt(d[0] * d[0] + d[2] * d[2]), d[1]);
    return {part * image_.width, down / math::kPi * image_.height};
}

double EnvironmentImage::solid_angle(int row) const {
    const double from = math::cos(math::kPi * row / image_.height),
                 to = math::cos(math::kPi * (row + 1) / image_.height);
    return (from - to) * 2 * math::kPi / image_.width;
}

void EnvironmentImage::weigh() {
    const auto width = static_cast<std::size_t>(image_.width);
    columns_.assign(image_.pixels.size(), 0);
    rows_.assign(static_cast<std::size_t>(image_.height), 0);
    // Between pixels light is interpolated: each counts as the brightest next to it.
    const auto bright = [&](int x, int y) {
        double most = 0;
        for (int j = std::max(0, y - 1); j <= std::min(image_.height - 1, y + 1); ++j)
            for (int i = -1; i <= 1; ++i)
                most =
                    std::max(most, luminance(image_.at((x + i + image_.width) % image_.width, j)));
        return most;
    };
    const double floor = 1e-3 * mean_luminance() + 1e-12;
    double all = 0;
    for (int y = 0; y < image_.height; ++y) {
        double sum = 0;
        for (int x = 0; x < image_.width; ++x) {
            sum += (bright(x, y) + floor) * solid_angle(y);
            columns_[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] = sum;
        }
        rows_[static_cast<std::size_t>(y)] = all += sum;
    }
}

Colour EnvironmentImage::light(const Vec3& d) const {
    const Vec<double, 2> at = pixel(d);
    const double x = at[0] - 0.5, y = std::clamp(at[1] - 0.5, 0.0, image_.height - 1.0);
    const int i = static_cast<int>(std::floor(x)), j = std::min(int(y), image_.height - 1);
    const auto u = static_cast<float>(x - i), v = static_cast<float>(y - j);
    const auto value = [&](int column, int row) {
        return image_.at((column + image_.width) % image_.width, std::min(row, image_.height - 1));
    };
    return (value(i, j) * (1 - u) + value(i + 1, j) * u) * (1 - v) +
           (value(i, j + 1) * (1 - u) + value(i + 1, j + 1) * u) * v;
}

EnvironmentImage::Sample EnvironmentImage::sample(double u, double v) const {
    const auto width = static_cast<std::size_t>(image_.width);
    const double target = u * rows_.back();
    const std::size_t row = place_in(rows_.data(), rows_.data() + rows_.size(), target);
    const double before = row == 0 ? 0 : rows_[row - 1];
    const double* line = &columns_[row * width];
    const double wanted = v * line[width - 1];
    const std::size_t column = place_in(line, line + width, wanted);
    const double left = column == 0 ? 0 : line[column - 1];
    // What is left of the numbers says where in the pixel: even in solid angle along its column.
    const double x = (wanted - left) / (line[column] - left),
                 y = (target - before) / (rows_[row] - before);
    const double top = math::cos(math::kPi * double(row) / image_.height),
                 bottom = math::cos(math::kPi * double(row + 1) / image_.height);
    const double up = top + (bottom - top) * std::clamp(y, 0.0, 1.0),
                 level = std::sqrt(std::max(0.0, 1 - up * up));
    const double around =
        2 * math::kPi * ((double(column) + std::clamp(x, 0.0, 1.0)) / image_.width - 0.5) + turn_;
    const Vec3 d{level * math::sin(around), up, level * math::cos(around)};
    return {d, (line[column] - left) / rows_.back() / solid_angle(static_cast<int>(row))};
}

double EnvironmentImage::density(const Vec3& d) const {
    const Vec<double, 2> at = pixel(d);
    const auto width = static_cast<std::size_t>(image_.width);
    const std::size_t column = std::min(static_cast<std::size_t>(at[0]), width - 1),
                      row = std::min(static_cast<std::size_t>(at[1]), rows_.size() - 1);
    const double* line = &columns_[row * width];
    const double left = column == 0 ? 0 : line[column - 1];
    return (line[column] - left) / rows_.back() / solid_angle(static_cast<int>(row));
}

double EnvironmentImage::mean_luminance() const {
    double sum = 0;
    for (int y = 0; y < image_.height; ++y)
        for (int x = 0; x < image_.width; ++x) sum += luminance(image_.at(x, y)) * solid_angle(y);
    return sum / (4 * math::kPi);
}

std::optional<Sun> EnvironmentImage::take_sun() {
    constexpr double kWidest = 0.01;   // sr; the sun with its aureole in a coarse picture
    constexpr double kOutshines = 50;  // times the mean
    double most = 0;
    for (const Colour& c : image_.pixels) most = std::max(most, luminance(c));
    const double mean = mean_luminance(), limit = 0.1 * most;
    if (!(most > kOutshines * mean)) return std::nullopt;
    Vec3 toward{}, flux{};
    double angle = 0;
    for (int y = 0; y < image_.height; ++y)
        for (int x = 0; x < image_.width; ++x) {
            const Colour& c = image_.at(x, y);
            if (luminance(c) < limit) continue;
            toward += direction(x + 0.5, y + 0.5) * (luminance(c) * solid_angle(y));
            flux += c.as<double>() * solid_angle(y);
            angle += solid_angle(y);
        }
    const double cosine = 1 - angle / (2 * math::kPi);
    // One spot, not several: their mean direction would be shorter.
    const double whole = luminance(flux.as<float>());
    if (angle > kWidest || length(toward) < 0.99 * whole) return std::nullopt;
    Sun sun{toward / length(toward), cosine, (flux / angle).as<float>()};
    for (Colour& c : image_.pixels)
        if (luminance(c) >= limit) c = c * static_cast<float>(mean / luminance(c));
    weigh();
    return sun;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#ifndef SPUME_WITH_OIDN

#include "spume/render/denoise.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/core/parallel.h"

namespace spume {
namespace {

constexpr int kReach = 5, kPatch = 1;  // pixels
constexpr double kStrength = 1;        // of the patches: how much of the variance is let pass
constexpr double kNormal = 0.3, kAlbedo = 0.12, kDepth = 0.06;  // differences that set apart

double luminance(const Colour& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

/// A few paths tell little of their own variance: means over 5 x 5 pixels.
std::vector<float> smoothed(const std::vector<float>& variance, int width, int height) {
    std::vector<float> result(variance.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            double sum = 0;
            int n = 0;
            for (int v = std::max(0, y - 2); v <= std::min(height - 1, y + 2); ++v)
                for (int u = std::max(0, x - 2); u <= std::min(width - 1, x + 2); ++u, ++n)
                    sum += variance[std::size_t(v) * std::size_t(width) + std::size_t(u)];
            result[std::size_t(y) * std::size_t(width) + std::size_t(x)] =
                static_cast<float>(sum / n);
        }
    return result;
}

struct Filter {
    const FloatImage& light;
    const PictureFeatures& features;
    std::vector<float> variance;

    std::size_t at(int x, int y) const {
        return std::size_t(y) * std::size_t(light.width) + std::size_t(x);
    }
    /// Squared difference of two patches in units of its expected value, less what noise explains.
    double patches(int px, int py, int qx, int qy) const {
        double sum = 0;
        int n = 0;
        for (int dy = -kPatch; dy <= kPatch; ++dy)
            for (int dx = -kPatch; dx <= kPatch; ++dx) {
                const int ax = px + dx, ay = py + dy, bx = qx + dx, by = qy + dy;
                if (std::min({ax, ay, bx, by}) < 0 || std::max(ax, bx) >= light.width ||
                    std::max(ay, by) >= light.height)
                    continue;
                const std::size_t a = at(ax, ay), b = at(bx, by);
                const double va = variance[a], vb = variance[b];
                const double d = luminance(light.pixels[a] - light.pixels[b]);
                sum +=
                    (d * d - (va + std::min(va, vb))) / (1e-8 + kStrength * kStrength * (va + vb));
                ++n;
            }
        return std::max(0.0, sum / n);
    }
    double apart(std::size_t p, std::size_t q) const {
        const auto squared = [](const Colour& a, const Colour& b) {
            return static_cast<double>(dot(a - b, a - b));
        };
        const double dp = features.depth[p], dq = features.depth[q];
        const double depth = dp == dq ? 0 : (dp - dq) / (kDepth * std::max(dp, dq));
        return squared(features.normal.pixels[p], features.normal.pixels[q]) / (kNormal * kNormal) +
               squared(features.albedo.pixels[p], features.albedo.pixels[q]) / (kAlbedo * kAlbedo) +
               depth * depth;
    }
    Colour pixel(int x, int y) const {
        const std::size_t p = at(x, y);
        Vec<double, 3> sum{};
        double weights = 0;
        for (int v = std::max(0, y - kReach); v <= std::min(light.height - 1, y + kReach); ++v)
            for (int u = std::max(0, x - kReach); u <= std::min(light.width - 1, x + kReach); ++u) {
                const std::size_t q = at(u, v);
                const double far = apart(p, q);
                if (far > 12) continue;
                const double w = math::exp(-far - patches(x, y, u, v));
                sum += light.pixels[q].as<double>() * w;
                weights += w;
            }
        return weights > 0 ? (sum / weights).as<float>() : light.pixels[p];
    }
};

}  // namespace

FloatImage denoised(const FloatImage& light, const PictureFeatures& features, Context& context) {
    Stage stage(context, "denoise");
    FloatImage result(light.width, light.height);
    const Filter filter{light, features, smoothed(features.variance, light.width, light.height)};
    for_range(context.arena, std::size_t(light.height), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y < end; ++y)
            for (int x = 0; x < light.width; ++x) result.at(x, int(y)) = filter.pixel(x, int(y));
    });
    return result;
}

}  // namespace spume

#endif

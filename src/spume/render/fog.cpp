// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/fog.h"

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/core/math.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

constexpr std::int64_t kMostTiles = std::int64_t{1} << 26;  // of the box around them

int floor_div(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

float usable(float density) { return std::isfinite(density) && density > 0 ? density : 0; }

}  // namespace

Fog::Fog(const Volume& density, double extinction, const Colour& albedo, const Vec3& center)
    : voxel_(density.voxel),
      extinction_(extinction),
      origin_(density.origin - center),
      side_(density.side),
      values_(density.values[0]),
      albedo_(albedo) {
    const std::size_t cells = static_cast<std::size_t>(side_[0]) * side_[1] * side_[2];
    std::vector<std::size_t> used;
    float most = 0;
    for (std::size_t t = 0; t < density.tiles.size(); ++t) {
        float here = 0;
        for (std::size_t i = 0; i < cells; ++i)
            here = std::max(here, usable(values_[t * cells + i]));
        if (here > 0) used.push_back(t);
        most = std::max(most, here);
    }
    if (used.empty()) return;
    const auto place = [&](std::size_t t) {
        Vec<int, 3> p{};
        for (int k = 0; k < 3; ++k) p[k] = floor_div(density.tiles[t][k], side_[k]);
        return p;
    };
    Vec<int, 3> last = first_ = place(used[0]);
    for (const std::size_t t : used) first_ = min(first_, place(t)), last = max(last, place(t));
    std::int64_t all = 1;
    for (int k = 0; k < 3; ++k) {
        count_[k] = last[k] - first_[k] + 1;
        all = std::min(all * count_[k], kMostTiles + 1);
    }
    if (all > kMostTiles)
        throw UserError("the tiles of the smoke lie too far apart to be drawn",
                        "is the file of this run?");
    table_.assign(static_cast<std::size_t>(all), -1);
    for (const std::size_t t : used) {
        const Vec<int, 3> p = place(t) - first_;
        table_[(static_cast<std::size_t>(p[0]) * count_[1] + p[1]) * count_[2] + p[2]] =
            static_cast<std::int32_t>(t);
    }
    // Interpolation reaches half a voxel beyond the cells' centres on either side.
    for (int k = 0; k < 3; ++k) {
        low_[k] = origin_[k] + (first_[k] * side_[k] - 0.5) * voxel_;
        high_[k] = origin_[k] + ((last[k] + 1) * side_[k] + 0.5) * voxel_;
    }
    densest_ = static_cast<double>(most) * extinction;
}

float Fog::cell(const Vec<int, 3>& c) const {
    Vec<int, 3> p{}, inside{};
    for (int k = 0; k < 3; ++k) {
        const int tile = floor_div(c[k], side_[k]);
        p[k] = tile - first_[k], inside[k] = c[k] - tile * side_[k];
        if (p[k] < 0 || p[k] >= count_[k]) return 0;
    }
    const std::int32_t t =
        table_[(static_cast<std::size_t>(p[0]) * count_[1] + p[1]) * count_[2] + p[2]];
    if (t < 0) return 0;
    const std::size_t row = (static_cast<std::size_t>(t) * side_[0] + inside[0]) * side_[1];
    return usable(values_[(row + inside[1]) * side_[2] + inside[2]]);
}

double Fog::extinction_at(const Vec3& x) const {
    if (table_.empty()) return 0;
    Vec<int, 3> base{};
    double part[3];
    for (int k = 0; k < 3; ++k) {
        const double at = (x[k] - origin_[k]) / voxel_ - 0.5, whole = std::floor(at);
        if (!(std::abs(whole) < 1e9)) return 0;
        base[k] = static_cast<int>(whole), part[k] = at - whole;
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1;
        Vec<int, 3> c = base;
        for (int k = 0; k < 3; ++k) {
            const int up = corner >> k & 1;
            c[k] += up, weight *= up ? part[k] : 1 - part[k];
        }
        if (weight > 0) sum += weight * static_cast<double>(cell(c));
    }
    return sum * extinction_;
}

bool Fog::clip(const Vec3& o, const Vec3& d, double& from, double& to) const {
    if (!(densest_ > 0)) return false;
    for (int k = 0; k < 3; ++k) {
        if (d[k] == 0) {
            if (o[k] < low_[k] || o[k] > high_[k]) return false;
            continue;
        }
        const double a = (low_[k] - o[k]) / d[k], b = (high_[k] - o[k]) / d[k];
        from = std::max(from, std::min(a, b)), to = std::min(to, std::max(a, b));
    }
    return from < to;
}

std::optional<double> Fog::collision(const Vec3& origin, const Vec3& direction, double from,
                                     double to, PixelSampler& sampler) const {
    if (!clip(origin, direction, from, to)) return std::nullopt;
    for (double t = from;;) {
        t -= math::log(1 - sampler.next()) / densest_;
        if (!(t < to)) return std::nullopt;
        if (sampler.next() * densest_ < extinction_at(origin + direction * t)) return t;
    }
}

double Fog::open(const Vec3& origin, const Vec3& direction, double from, double to,
                 PixelSampler& sampler) const {
    if (!clip(origin, direction, from, to)) return 1;
    double share = 1;
    for (double t = from;;) {
        t -= math::log(1 - sampler.next()) / densest_;
        if (!(t < to)) return share;
        share *= std::max(0.0, 1 - extinction_at(origin + direction * t) / densest_);
        if (share < 1e-4) return 0;
    }
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/sea.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

constexpr double kBorder = 0.15;  // of the domain's width: where the surface fades
constexpr int kColumns = 64;      // along each side, for the level

/// From the nearest of the four sides, as a part of the smaller width.
double from_side(const Vec3& x, const Box<double, 3>& domain) {
    const double width = std::min(domain.size()[0], domain.size()[2]);
    return std::min({x[0] - domain.lo[0], domain.hi[0] - x[0], x[2] - domain.lo[2],
                     domain.hi[2] - x[2]}) /
           width;
}

/// How far the water below reaches into the domain: not near the surface, however wide that is.
double overlap_below(const Sea& sea) {
    return std::min(sea.overlap, std::max(0.0, sea.level - sea.domain.lo[1]) / 4);
}

void add_block(World& world, const Box<double, 3>& box, const Vec3& center, int material) {
    Surface s;
    for (int corner = 0; corner < 8; ++corner) {
        Vec3 x{};
        for (int a = 0; a < 3; ++a) x[a] = (corner >> a & 1 ? box.hi : box.lo)[a] - center[a];
        s.begin.push_back(x.as<float>());
    }
    // Corner bits are x, y, z; counter-clockwise seen from outside.
    const std::array<std::array<std::uint32_t, 4>, 6> sides{
        {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
    for (const auto& q : sides) {
        s.triangles.push_back({q[0], q[1], q[2]});
        s.triangles.push_back({q[0], q[2], q[3]});
    }
    s.material = material;
    world.surfaces.push_back(std::move(s));
}

}  // namespace

double sea_level(const std::vector<Vec3>& vertices, const Box<double, 3>& domain) {
    std::vector<double> highest(4 * kColumns, -1e300);
    for (const Vec3& x : vertices) {
        if (from_side(x, domain) > kBorder / 3) continue;
        const double to[4] = {x[0] - domain.lo[0], domain.hi[0] - x[0], x[2] - domain.lo[2],
                              domain.hi[2] - x[2]};
        const auto side = std::size_t(std::min_element(to, to + 4) - to);
        const int along = side < 2 ? 2 : 0;
        const double part = (x[along] - domain.lo[along]) / domain.size()[along];
        const int column = std::clamp(int(part * kColumns), 0, kColumns - 1);
        double& top = highest[side * kColumns + std::size_t(column)];
        top = std::max(top, x[1]);
    }
    std::erase_if(highest, [](double y) { return y < -1e299; });
    if (highest.empty()) return domain.lo[1];
    const auto middle = highest.begin() + std::ptrdiff_t(highest.size() / 2);
    std::nth_element(highest.begin(), middle, highest.end());
    return *middle;
}

void fade_to_level(std::vector<Vec3>& vertices, const Sea& sea) {
    const double bottom = sea.domain.lo[1] + 2 * overlap_below(sea);
    const double in = sea.overlap / std::min(sea.domain.size()[0], sea.domain.size()[2]);
    for (Vec3& x : vertices) {
        if (x[1] < bottom) continue;
        const double s = std::clamp((from_side(x, sea.domain) - in) / kBorder, 0.0, 1.0);
        x[1] = sea.level + (x[1] - sea.level) * (s * s * (3 - 2 * s));
    }
}

void add_sea(World& world, const Sea& sea, int material) {
    const Box<double, 3>& d = sea.domain;
    const double in = sea.overlap;
    const double deep = d.lo[1] - d.size()[1];
    const Vec3 middle = (d.lo + d.hi) * 0.5;
    const Box<double, 3> all{{middle[0] - sea.far, deep, middle[2] - sea.far},
                             {middle[0] + sea.far, sea.level, middle[2] + sea.far}};
    const auto add = [&](const Vec3& lo, const Vec3& hi) {
        add_block(world, {lo, hi}, sea.center, material);
    };
    add(all.lo, {d.lo[0] + in, all.hi[1], all.hi[2]});
    add({d.hi[0] - in, all.lo[1], all.lo[2]}, all.hi);
    add({d.lo[0], all.lo[1], all.lo[2]}, {d.hi[0], all.hi[1], d.lo[2] + in});
    add({d.lo[0], all.lo[1], d.hi[2] - in}, {d.hi[0], all.hi[1], all.hi[2]});
    add({d.lo[0], all.lo[1], d.lo[2]}, {d.hi[0], d.lo[1] + overlap_below(sea), d.hi[2]});
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/dome.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"

namespace spume {
namespace {

using Vec2 = Vec<double, 2>;

constexpr int kArc = 12;  // points along cap, cavity and meniscus each

/// Every so many points of a line, its ends among them.
void add_thinned(std::vector<Vec2>& to, const std::vector<Vec2>& line) {
    for (int i = 0; i < kArc; ++i)
        to.push_back(line[(line.size() - 1) * std::size_t(i) / (kArc - 1)]);
}

/// Turns a profile of (r, z) around the axis, from its first point on the axis to its last; outside
/// is to the right of the way. Normals are those of the smooth profile.
Surface turned(const std::vector<Vec2>& profile, int around) {
    Surface s;
    const std::size_t last = profile.size() - 1;
    const auto n = static_cast<std::uint32_t>(around);
    for (std::size_t i = 0; i <= last; ++i) {
        Vec2 way = profile[std::min(i + 1, last)] - profile[i == 0 ? 0 : i - 1];
        if (i == 0 || i == last) way[1] = 0;
        const Vec2 out = Vec2{way[1], -way[0]} / length(way);
        for (std::uint32_t k = 0; k < n; ++k) {
            const double angle = 2 * math::kPi * k / around;
            const double c = math::cos(angle), d = math::sin(angle);
            const Vec2& p = profile[i];
            s.begin.push_back(Vec<double, 3>{p[0] * c, p[1], p[0] * d}.as<float>());
            s.normals.push_back(Vec<double, 3>{out[0] * c, out[1], out[0] * d}.as<float>());
        }
    }
    for (std::uint32_t i = 0; i < last; ++i)
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t a = i * n + k, b = i * n + (k + 1) % n;
            // At the axis one side of the strip has no length.
            if (i > 0) s.triangles.push_back({a, a + n, b});
            if (i + 1 < last) s.triangles.push_back({b, a + n, b + n});
        }
    return s;
}

}  // namespace

DomeSurfaces dome_surfaces(const FloatingBubble& b, int around) {
    std::vector<Vec2> bubble;
    add_thinned(bubble, b.cavity);
    for (int i = 1; i < kArc; ++i)
        bubble.push_back(b.cap_at(b.cap_angle() * (1 - double(i) / (kArc - 1))));
    bubble.front()[0] = bubble.back()[0] = 0;

    // Outwards below the level, and back along the meniscus while it is to be seen.
    auto end = b.meniscus.begin();
    while (end + 1 != b.meniscus.end() && (*end)[1] > 0.03 * b.radius) ++end;
    const std::vector<Vec2> rise(b.meniscus.begin(), end + 1);
    const double low = -0.5 * b.depth, far = rise.back()[0];
    std::vector<Vec2> water{{0, low}, {far, low}};
    std::vector<Vec2> line;
    add_thinned(line, rise);
    // Doubled ends keep its normals from being rounded off with what closes it.
    water.push_back(line.back());
    water.insert(water.end(), line.rbegin(), line.rend());
    water.push_back(line.front());
    water.push_back({0, b.ring_z});
    return {turned(bubble, around), turned(water, around)};
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/finish.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "spume/core/math.h"

namespace spume {

namespace {

/// A repeatable number in [0, 1) for each point of a lattice.
double lattice(int x, int y, int z) {
    auto h = static_cast<std::uint32_t>(x) * 0x9e3779b1u ^
             static_cast<std::uint32_t>(y) * 0x85ebca77u ^
             static_cast<std::uint32_t>(z) * 0xc2b2ae3du;
    h ^= h >> 15, h *= 0x2c1b3c6du, h ^= h >> 12, h *= 0x297a2d39u, h ^= h >> 15;
    return static_cast<double>(h >> 8) / 16777216.0;
}

double smooth_noise(double x, double y) {
    const double fx = std::floor(x), fy = std::floor(y);
    const double u = x - fx, v = y - fy, s = u * u * (3 - 2 * u), t = v * v * (3 - 2 * v);
    // Far away the pattern repeats rather than overflow.
    const int i = static_cast<int>(std::fmod(fx, 1e6)), j = static_cast<int>(std::fmod(fy, 1e6));
    const double a = lattice(i, j, 0), b = lattice(i + 1, j, 0), c = lattice(i, j + 1, 0),
                 d = lattice(i + 1, j + 1, 0);
    return (a + (b - a) * s) * (1 - t) + (c + (d - c) * s) * t;
}

/// Height of rippled sand in units of a ripple.
double sand_height(double x, double z) {
    const double bend = 1.6 * smooth_noise(0.35 * x, 0.35 * z);
    const double ripple = 0.5 + 0.5 * math::sin(2 * math::kPi * (z + bend));
    return 0.10 * ripple + 0.10 * smooth_noise(3 * x, 3 * z) + 0.03 * smooth_noise(17 * x, 17 * z);
}

Colour sand(const Material& m, const Vec<double, 3>& x, Vec<double, 3>& normal) {
    const double u = x[0] / m.scale, v = x[2] / m.scale, e = 0.02;
    const double h = sand_height(u, v);
    const double slope_x = (sand_height(u + e, v) - h) / e,
                 slope_z = (sand_height(u, v + e) - h) / e;
    if (normal[1] > 0.5) {
        normal += Vec<double, 3>{-slope_x, 0, -slope_z} * 0.8;
        normal = normal / length(normal);
    }
    const double grain = smooth_noise(61 * u, 61 * v), patch = smooth_noise(0.6 * u, 0.6 * v);
    return m.colour * static_cast<float>(0.72 + 0.28 * grain + 0.25 * (patch - 0.5));
}

/// Slabs of two colours, no two quite alike, with clouds in them.
Colour tiles(const Material& m, const Vec<double, 3>& x) {
    const double u = x[0] / m.scale, v = x[2] / m.scale, i = std::floor(u), j = std::floor(v);
    const Colour square = std::fmod(std::abs(i + j), 2) < 0.5 ? m.colour : m.other;
    const double slab =
        lattice(static_cast<int>(std::fmod(i, 1e6)), static_cast<int>(std::fmod(j, 1e6)), 7);
    const double cloud =
        0.6 * smooth_noise(3 * u + 5 * slab, 3 * v) + 0.4 * smooth_noise(11 * u, 11 * v + 5 * slab);
    const auto tone = static_cast<float>(1 + 0.22 * (slab - 0.5) + 0.36 * (cloud - 0.5));
    // Far squares are finer than a pixel: their mean, before they turn into noise.
    const double far = std::min(1.0, std::hypot(x[0], x[2]) / m.fade);
    const Colour near = square * tone;
    return near + ((m.colour + m.other) * 0.5f - near) * static_cast<float>(far * far);
}

}  // namespace

Colour surface_colour(const Material& m, const Vec<double, 3>& x, std::uint64_t object,
                      Vec<double, 3>& normal) {
    if (m.finish == Finish::kGrain)
        return m.colour * static_cast<float>(0.6 + 0.7 * lattice(static_cast<int>(object), 0, 1));
    if (m.finish == Finish::kSand) return sand(m, x, normal);
    return m.finish == Finish::kChecker ? tiles(m, x) : m.colour;
}

Colour wet_albedo(const Colour& dry) {
    // 1 − (1 − 0.066)/n², 0.066 being what water reflects of diffuse light from outside.
    constexpr float kBack = 0.474f;
    Colour wet{};
    for (int k = 0; k < 3; ++k) wet[k] = dry[k] * (1 - kBack) / (1 - kBack * dry[k]);
    return wet;
}

float ripple_net(const Vec<double, 3>& at, double size) {
    const double x = 34 * at[0] / size, z = 34 * at[2] / size;
    const double a = math::sin(x + 1.7 * math::sin(0.73 * z + 1.1));
    const double b = math::sin(0.83 * z + 1.9 * math::sin(0.61 * x + 2.3));
    const double c = math::sin(0.71 * (x + z) + 1.3 * math::sin(0.9 * (x - z)));
    const double net = 1 - std::abs(a + b + c) / 3;
    return static_cast<float>(0.45 + 1.9 * net * net * net * net * net);
}

}  // namespace spume

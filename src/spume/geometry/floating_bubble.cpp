// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/floating_bubble.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"

// Here lengths are in units of a.

namespace spume {
namespace {

struct Point3 {
    double r = 0, z = 0, angle = 0;
    Point3 operator+(const Point3& o) const { return {r + o.r, z + o.z, angle + o.angle}; }
    Point3 operator*(double s) const { return {r * s, z * s, angle * s}; }
};

/// One step of the classical Runge–Kutta rule.
template <class F>
Point3 advanced(const Point3& x, double h, F&& slope) {
    const Point3 a = slope(x), b = slope(x + a * (h / 2)), c = slope(x + b * (h / 2)),
                 d = slope(x + c * h);
    return x + (a + b * 2 + c * 2 + d) * (h / 6);
}

/// The zero of a function that changes sign between low and high (regula falsi, Illinois), to
/// within `tolerance` of its value.
template <class F>
double zero_of(double low, double high, F&& f, double tolerance) {
    double at_low = f(low), at_high = f(high);
    double x = std::abs(at_low) < std::abs(at_high) ? low : high;
    for (int i = 0; i < 80; ++i) {
        x = (low * at_high - high * at_low) / (at_high - at_low);
        // Bisect now and then, for functions that bend much.
        if (!(x > std::min(low, high) && x < std::max(low, high)) || i % 4 == 3)
            x = (low + high) / 2;
        const double at = f(x);
        if (std::abs(at) < tolerance) break;
        if ((at < 0) == (at_low < 0))
            low = x, at_low = at, at_high /= 2;
        else
            high = x, at_high = at, at_low /= 2;
    }
    return x;
}

constexpr int kSteps = 150;

/// ψ' = 2/R_b + (z − z₀) − sin ψ / r from the bottom until the wall's normal passes through the
/// centre of the cap, r = R_c sin ψ with ψ ≥ π/2.
std::vector<Point3> cavity_of(double cap, double z0) {
    const double bottom = 4 / cap + z0;  // 2/R_b
    std::vector<Point3> points{{0, z0, 0}};
    const auto slope = [&](const Point3& x) {
        const double turn = x.r > 1e-12 ? math::sin(x.angle) / x.r : bottom / 2;
        return Point3{math::cos(x.angle), math::sin(x.angle), bottom + x.z - z0 - turn};
    };
    // The wall is never longer than half a circle of the cap and its flat bottom.
    const double step = math::kPi * cap / kSteps;
    // Negative as long as the wall is steeper than the cap would be there.
    const auto miss = [&](const Point3& x) { return x.r - cap * math::sin(x.angle); };
    for (int i = 0; i < 4 * kSteps; ++i) {
        const Point3 last = points.back();
        const Point3 next = advanced(last, step, slope);
        if (next.angle < math::kPi / 2) {
            points.push_back(next);
            continue;
        }
        if (miss(next) < 0) {
            if (next.angle > math::kPi || !(next.r > 0)) return {};
            points.push_back(next);
            continue;
        }
        // Wider than the cap where it stands upright: too deep.
        if (last.angle < math::kPi / 2) {
            const auto upright = [&](double h) {
                return advanced(last, h, slope).angle - math::kPi / 2;
            };
            if (miss(advanced(last, zero_of(0, step, upright, 1e-12), slope)) > 0) return {};
        }
        const auto at = [&](double h) {
            const Point3 x = advanced(last, h, slope);
            return x.angle < math::kPi / 2 ? -cap : miss(x);
        };
        points.push_back(advanced(last, zero_of(0, step, at, 1e-12 * cap), slope));
        return points;
    }
    return {};
}

/// The meniscus that meets the ring at angle α: α' = −z − sin α / r, level far away. From outside
/// in, where it begins as K₀.
std::vector<Point3> meniscus_from(double far, double small, double ring) {
    std::vector<Point3> points{{far, small, small * (1 + 1 / (2 * far))}};
    const auto slope = [](const Point3& x) {
        return Point3{-math::cos(x.angle), math::sin(x.angle), x.z + math::sin(x.angle) / x.r};
    };
    const double step = (far - ring) / kSteps;
    for (int i = 0; i < 6 * kSteps; ++i) {
        const Point3 last = points.back();
        // Shorter near the axis, where sin α / r changes fast.
        const double h = std::min(step, 0.1 * last.r);
        const Point3 next = advanced(last, h, slope);
        if (next.r <= ring || next.angle > 0.5 * math::kPi) {
            const double part = zero_of(
                0, h,
                [&](double s) {
                    const Point3 x = advanced(last, s, slope);
                    return std::max(ring - x.r, x.angle - 0.5 * math::kPi);
                },
                1e-12);
            points.push_back(advanced(last, part, slope));
            break;
        }
        points.push_back(next);
    }
    return points;
}

std::vector<Point3> meniscus_of(double ring, double angle) {
    const double far = ring + 9;
    // Where it stands upright before the ring it began too high.
    const auto miss = [&](double small) {
        const Point3 end = meniscus_from(far, small, ring).back();
        return end.angle - angle + (end.r - ring);
    };
    double high = 1e-4 * math::exp(-9);
    while (miss(high) < 0) high *= 4;
    const double small = zero_of(0, high, miss, 1e-8);
    return meniscus_from(far, small, ring);
}

double volume_of(const std::vector<Point3>& cavity, double cap) {
    double volume = 0;
    for (std::size_t i = 1; i < cavity.size(); ++i) {
        const Point3 &a = cavity[i - 1], &b = cavity[i];
        volume += math::kPi * (b.z - a.z) * (a.r * a.r + a.r * b.r + b.r * b.r) / 3;
    }
    const double high = cap * (1 - math::cos(math::kPi - cavity.back().angle));
    return volume + math::kPi * high * high * (3 * cap - high) / 3;
}

struct Shape {
    std::vector<Point3> cavity;
    double radius = 0;
};

/// The shape with that cap: its bottom lies where cavity and meniscus reach the ring at one height.
Shape shape_of(double cap) {
    const auto miss = [&](double z0) {
        const auto cavity = cavity_of(cap, z0);
        if (cavity.empty()) return -1.0;
        const Point3& ring = cavity.back();
        const double angle = math::kPi - ring.angle;
        if (!(angle > 0)) return -1.0;
        return ring.z - meniscus_of(ring.r, angle).back().z;
    };
    // The bottom lies between that of a sphere just below the level and that of a flat cavity.
    const double flat = -4 / cap * (1 - 1e-9);
    const double z0 = zero_of(flat, -1e-9, miss, 1e-7 * cap);
    Shape shape{cavity_of(cap, z0), 0};
    if (!shape.cavity.empty())
        shape.radius = math::cbrt(volume_of(shape.cavity, cap) * 3 / (4 * math::kPi));
    return shape;
}

}  // namespace

Vec<double, 2> FloatingBubble::cap_at(double angle) const {
    const double centre = ring_z - cap * math::cos(cap_angle());
    return {cap * math::sin(angle), centre + cap * math::cos(angle)};
}

double FloatingBubble::cap_angle() const { return math::kPi - slope; }

double FloatingBubble::volume() const { return 4 * math::kPi / 3 * radius * radius * radius; }

FloatingBubble floating_bubble(double radius, double capillary) {
    const double wanted = std::clamp(radius / capillary, 0.1, 10.0);
    // R_c lies between 1.26 R, a hemisphere, and 2 R.
    const double cap = zero_of(
        1.2 * wanted, 2.05 * wanted, [&](double c) { return shape_of(c).radius - wanted; },
        1e-5 * wanted);
    const Shape shape = shape_of(cap);
    const double unit = radius / wanted;
    FloatingBubble b;
    b.radius = radius, b.cap = cap * unit;
    if (shape.cavity.empty()) return b;
    const Point3& ring = shape.cavity.back();
    b.ring = ring.r * unit, b.ring_z = ring.z * unit, b.slope = ring.angle;
    b.depth = -shape.cavity.front().z * unit;
    for (const Point3& p : shape.cavity) b.cavity.push_back({p.r * unit, p.z * unit});
    const auto meniscus = meniscus_of(ring.r, math::kPi - ring.angle);
    for (auto p = meniscus.rbegin(); p != meniscus.rend(); ++p)
        b.meniscus.push_back({p->r * unit, p->z * unit});
    return b;
}

}  // namespace spume

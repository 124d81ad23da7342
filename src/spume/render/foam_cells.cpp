// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/foam_cells.h"

#include <cmath>

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

Vec3 centre_of(const Vec<double, 4>& ball) { return {ball[0], ball[1], ball[2]}; }

double f_at(const Vec<double, 4>& ball, const Vec3& x) {
    const Vec3 arm = x - centre_of(ball);
    return (dot(arm, arm) - ball[3] * ball[3]) / ball[3];
}

/// f along a ray: a t² + b t + c.
struct Quadratic {
    double a, b, c;
    static Quadratic along(const Vec<double, 4>& ball, const Ray& ray) {
        const Vec3 arm = ray.origin - centre_of(ball);
        const double r = ball[3];
        return {1 / r, 2 * dot(arm, ray.direction) / r, (dot(arm, arm) - r * r) / r};
    }
    Quadratic operator-(const Quadratic& q) const { return {a - q.a, b - q.b, c - q.c}; }
};

/// The root in (from, to) where q rises through zero: it is the greater one of a > 0, the lesser
/// one of a < 0.
std::optional<double> rising_root(const Quadratic& q, double from, double to) {
    const double inside = q.b * q.b - 4 * q.a * q.c;
    if (!(inside > 0)) return std::nullopt;
    const double root = std::sqrt(inside);
    // (−b + √…)/2a, written so that nothing cancels, also for a = 0.
    double t = 0;
    if (q.b > 0)
        t = -2 * q.c / (q.b + root);
    else if (q.a != 0)
        t = (root - q.b) / (2 * q.a);
    else
        return std::nullopt;
    if (!(t > from && t < to)) return std::nullopt;
    return t;
}

}  // namespace

std::optional<std::uint64_t> cell_of(const RayScene& scene, const Nest& nest, const Vec3& x,
                                     double time) {
    std::optional<std::uint64_t> best;
    double least = 0;
    for (int i = 0; i < nest.size(); ++i) {
        if (nest[i].priority != Priority::kBubble) continue;
        const auto ball = scene.ball(nest[i].object, time);
        if (!ball) continue;
        const double f = f_at(*ball, x);
        if (!best || f < least) best = nest[i].object, least = f;
    }
    return best;
}

std::optional<FilmCrossing> next_film(const RayScene& scene, const Nest& nest, const Ray& ray,
                                      std::uint64_t owner, double from, double to) {
    const auto own = scene.ball(owner, ray.time);
    if (!own) return std::nullopt;
    const Quadratic mine = Quadratic::along(*own, ray);
    std::optional<FilmCrossing> first;
    Vec<double, 4> other{};
    for (int i = 0; i < nest.size(); ++i) {
        if (nest[i].priority != Priority::kBubble || nest[i].object == owner) continue;
        const auto ball = scene.ball(nest[i].object, ray.time);
        if (!ball) continue;
        const auto t = rising_root(mine - Quadratic::along(*ball, ray), from, to);
        if (!t) continue;
        first = FilmCrossing{*t, {}, nest[i].object};
        other = *ball, to = *t;
    }
    if (!first) return first;
    const Vec3 x = ray.origin + ray.direction * first->distance;
    const Vec3 rise = (x - centre_of(*own)) / (*own)[3] - (x - centre_of(other)) / other[3];
    first->normal = rise / -length(rise);
    if (dot(first->normal, ray.direction) > 0) first->normal = -first->normal;
    return first;
}

}  // namespace spume

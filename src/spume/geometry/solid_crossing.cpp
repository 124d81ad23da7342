// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/geometry/solid_compound.h"

namespace spume {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

/// The part of a straight line inside a convex set, with the outward normals at its ends.
template <int D>
struct Span {
    double in = -kForever, out = kForever;
    Vec<double, D> normal_in{}, normal_out{};

    void cut(double from, double to, const Vec<double, D>& n_from, const Vec<double, D>& n_to) {
        if (from > in) in = from, normal_in = n_from;
        if (to < out) out = to, normal_out = n_to;
    }
    void cut_all() { in = kForever, out = -kForever; }
    bool empty() const { return !(in <= out); }
};

/// lo ≤ x_a ≤ hi along x + t·way.
template <int D>
void cut_slab(Span<D>& span, int a, double lo, double hi, const Point<D>& x,
              const Vec<double, D>& way) {
    if (way[a] == 0) {
        if (x[a] < lo || x[a] > hi) span.cut_all();
        return;
    }
    const double low = (lo - x[a]) / way[a], high = (hi - x[a]) / way[a];
    const auto down = Vec<double, D>::unit(a, -1.0), up = Vec<double, D>::unit(a, 1.0);
    if (way[a] > 0)
        span.cut(low, high, down, up);
    else
        span.cut(high, low, up, down);
}

/// |x| ≤ radius over the axes marked in `axes`.
template <int D>
void cut_ball(Span<D>& span, const Vec<double, D>& axes, double radius, const Point<D>& x,
              const Vec<double, D>& way) {
    const Vec<double, D> p = multiply(x, axes), v = multiply(way, axes);
    const double a = dot(v, v), b = dot(p, v), c = dot(p, p) - radius * radius;
    if (a == 0) {
        if (c > 0) span.cut_all();
        return;
    }
    const double root = b * b - a * c;
    if (root < 0) return span.cut_all();
    const double from = (-b - std::sqrt(root)) / a, to = (-b + std::sqrt(root)) / a;
    span.cut(from, to, (p + v * from) / radius, (p + v * to) / radius);
}

/// Box, ball or upright cylinder of this half size; `top` instead of its upper end.
template <int D>
Span<D> span_in(BodyKind kind, const Point<D>& half, double top, const Point<D>& x,
                const Vec<double, D>& way) {
    Span<D> r;
    if (kind == BodyKind::kSphere) {
        cut_ball<D>(r, Vec<double, D>::filled(1), half[0], x, way);
        return r;
    }
    cut_slab<D>(r, 1, -half[1], top, x, way);
    if (kind == BodyKind::kCylinder && D == 3) {
        cut_ball<D>(r, Vec<double, D>::filled(1) - Vec<double, D>::unit(1, 1.0), half[0], x, way);
        return r;
    }
    for (int a = 0; a < D; a += 2) cut_slab<D>(r, a, -half[a], half[a], x, way);
    return r;
}

}  // namespace

/// By steps of the distance, so that nothing is passed however thin it is. A way that grazes the
/// body for more steps than this is looked at in pieces.
template <int D>
std::optional<Crossing<D>> BodyShape<D>::march(const Point<D>& from, const Point<D>& to) const {
    constexpr int kSteps = 400, kPieces = 64, kHalvings = 60;
    const Vec<double, D> way = to - from;
    const double reach = length(way), near = 1e-10 * length(bounds_.size());
    const auto meets = [&](double part) {
        Vec<double, D> n = normal(from + way * part);
        if (dot(n, way) > 0) n = -n;
        return Crossing<D>{part, n};
    };
    double t = 0, d = distance(from);
    if (!(d > 0) || !(reach > 0)) return std::nullopt;
    for (int step = 0; step < kSteps; ++step) {
        t += std::max(d, near) / reach;
        if (t > 1) return std::nullopt;
        d = distance(from + way * t);
        if (d <= near) return meets(t);
    }
    for (int piece = 1; piece <= kPieces; ++piece) {
        double low = t + (1 - t) * (piece - 1) / kPieces, high = t + (1 - t) * piece / kPieces;
        if (distance(from + way * high) > 0) continue;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = (low + high) / 2;
            (distance(from + way * middle) > 0 ? low : high) = middle;
        }
        return meets(high);
    }
    return std::nullopt;
}

template <int D>
std::optional<Crossing<D>> BodyShape<D>::first_crossing(const Point<D>& from,
                                                        const Point<D>& to) const {
    const BodyParameters& p = parameters_;
    const Vec<double, D> way = to - from;
    if (p.kind == BodyKind::kMesh) {
        if constexpr (D == 3) {
            constexpr double kSlack = 1e-9;
            Vec<double, 3> n{};
            const double t = p.mesh->ray(from / p.scale, way / p.scale, 1.0, n, kSlack);
            if (t < 0) return std::nullopt;
            const bool along = dot(n, way) > 0;
            const bool outwards = p.mesh->closed() && along == (p.mesh->enclosed_volume() >= 0);
            if (outwards && !hollow_) return std::nullopt;
            return Crossing<D>{t, along ? -n : n};
        }
        return std::nullopt;
    }
    const bool spans = (p.kind == BodyKind::kBox && p.round == 0) || p.kind == BodyKind::kSphere ||
                       p.kind == BodyKind::kCylinder;
    if (!spans) return march(from, to);
    const Span<D> outer = span_in<D>(p.kind, bounds_.hi, bounds_.hi[1], from, way);
    if (outer.empty() || outer.in > 1 || outer.out < 0) return std::nullopt;
    double at = outer.in;
    Vec<double, D> normal = outer.normal_in;
    if (hollow_) {
        const Point<D> half = bounds_.hi - Point<D>::filled(p.shell);
        const Span<D> hollow = span_in<D>(p.kind, half, p.open_top ? kForever : half[1], from, way);
        // What is in the hollow when it enters the outline, or begins there, meets the wall later.
        const double begin = std::max(at, 0.0);
        if (!hollow.empty() && hollow.in <= begin && begin < hollow.out) {
            if (hollow.out >= outer.out) return std::nullopt;
            at = hollow.out, normal = -hollow.normal_out;
        }
    }
    if (!(at > 0 && at <= 1)) return std::nullopt;
    return Crossing<D>{at, normal};
}

template <int D>
double BodyShape<D>::thinnest() const {
    const BodyParameters& p = parameters_;
    if (p.kind == BodyKind::kMesh) {
        const double across = p.mesh->thickness() * p.scale;
        return hollow_ ? std::min(p.shell, across) : across;
    }
    if (p.kind == BodyKind::kCompound) return thinnest_of_compound();
    if (profile_) return hollow_ ? std::min(p.shell, profile_->thickness()) : profile_->thickness();
    if (hollow_) return p.shell;
    const Vec<double, D> size = bounds_.size();
    return *std::min_element(&size[0], &size[0] + D);
}

template std::optional<Crossing<2>> BodyShape<2>::first_crossing(const Point<2>&,
                                                                 const Point<2>&) const;
template std::optional<Crossing<3>> BodyShape<3>::first_crossing(const Point<3>&,
                                                                 const Point<3>&) const;
template std::optional<Crossing<2>> BodyShape<2>::march(const Point<2>&, const Point<2>&) const;
template std::optional<Crossing<3>> BodyShape<3>::march(const Point<3>&, const Point<3>&) const;
template double BodyShape<2>::thinnest() const;
template double BodyShape<3>::thinnest() const;

}  // namespace spume

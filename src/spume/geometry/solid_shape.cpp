// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/solid_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/core/math.h"

namespace spume {

namespace {

constexpr double kFarAway = std::numeric_limits<double>::infinity();

/// Signed distance to the box lo … hi; sides may be at infinity.
template <int D>
double box_distance(const Point<D>& x, const Point<D>& lo, const Point<D>& hi) {
    double outside = 0, inside = -kFarAway;
    for (int i = 0; i < D; ++i) {
        const double d = std::max(lo[i] - x[i], x[i] - hi[i]);
        if (d > 0) outside += d * d;
        inside = std::max(inside, d);
    }
    return inside > 0 ? std::sqrt(outside) : inside;
}

/// Distance from the y axis and height: an upright cylinder is a rectangle in these.
Point<2> meridian(const Point<3>& x) { return {std::sqrt(x[0] * x[0] + x[2] * x[2]), x[1]}; }
Point<2> meridian(const Point<2>& x) { return {std::abs(x[0]), x[1]}; }

/// Ring (in 2D: two bars) of radii inner … outer, heights bottom … top; inner < 0: a full cylinder.
template <int D>
double ring_distance(const Point<D>& x, double inner, double outer, double bottom, double top) {
    const double lowest = inner < 0 ? -outer : inner;
    return box_distance<2>(meridian(x), {lowest, bottom}, {outer, top});
}

template <int D>
Point<D> half_size(const BodyParameters& p) {
    Point<D> half{};
    for (int i = 0; i < D; ++i)
        half[i] = p.kind == BodyKind::kBox      ? p.size[i] / 2
                  : p.kind == BodyKind::kSphere ? p.radius
                  : i == 1                      ? p.height / 2
                                                : p.radius;
    return half;
}

void demand_positive(double value, const char* what) {
    if (!(value > 0) || !std::isfinite(value))
        throw UserError(fmt::format("the {} of a body is {}", what, value),
                        "give a positive number of metres");
}

}  // namespace

template <int D>
BodyShape<D>::BodyShape(const BodyParameters& parameters) : parameters_(parameters) {
    check();
    hollow_ = has_cavity();
    if (parameters_.kind == BodyKind::kMesh) {
        if constexpr (D == 3) {
            bounds_ = parameters_.mesh->bounds();
            bounds_.lo *= parameters_.scale, bounds_.hi *= parameters_.scale;
        }
    } else {
        bounds_ = {-half_size<D>(parameters_), half_size<D>(parameters_)};
    }
    volume_ = exact_volume();
    thickness_ = thinnest();
}

template <int D>
void BodyShape<D>::check() const {
    const BodyParameters& p = parameters_;
    if (p.kind == BodyKind::kBox) {
        int sheets = 0;
        for (int i = 0; i < D; ++i)
            if (p.size[i] != 0 || p.shell > 0 || ++sheets > 1) demand_positive(p.size[i], "size");
    }
    if (p.kind == BodyKind::kSphere || p.kind == BodyKind::kCylinder)
        demand_positive(p.radius, "radius");
    if (p.kind == BodyKind::kCylinder) demand_positive(p.height, "height");
    if (p.kind == BodyKind::kMesh) {
        if (D == 2)
            throw UserError("a mesh cannot be a body of a 2D scene",
                            "use a box, sphere or cylinder, or dimensions = 3");
        SPUME_CHECK(p.mesh != nullptr);
        demand_positive(p.scale, "scale");
    }
    if (!(p.shell >= 0) || !std::isfinite(p.shell))
        throw UserError(fmt::format("the shell of a body is {}", p.shell),
                        "give a wall thickness in metres, or 0 for a full body");
    if (p.open_top && (p.shell == 0 || p.kind == BodyKind::kSphere || p.kind == BodyKind::kMesh))
        throw UserError("only a box or cylinder with a shell can have an open top",
                        "give shell = THICKNESS, or remove open_top");
}

template <int D>
bool BodyShape<D>::has_cavity() const {
    const BodyParameters& p = parameters_;
    if (p.shell == 0) return false;
    if (p.kind == BodyKind::kMesh) return true;
    const Point<D> half = half_size<D>(p);
    for (int i = 0; i < D; ++i) {
        const double room = i == 1 && p.open_top ? 2 * half[i] : half[i];
        if (p.shell >= room) return false;
    }
    return true;
}

template <int D>
double BodyShape<D>::outer_distance(const Point<D>& x) const {
    const BodyParameters& p = parameters_;
    const Point<D> half = half_size<D>(p);
    switch (p.kind) {
        case BodyKind::kBox:
            return box_distance<D>(x, -half, half);
        case BodyKind::kSphere:
            return length(x) - p.radius;
        case BodyKind::kCylinder:
            return ring_distance<D>(x, -1, p.radius, -half[1], half[1]);
        case BodyKind::kMesh:
            if constexpr (D == 3) return p.scale * p.mesh->distance(x / p.scale);
    }
    return kFarAway;
}

/// Distance to the hollow inside; with an open top the hollow goes up without end, so that the
/// complement of the body is exactly the outside and the hollow together.
template <int D>
double BodyShape<D>::cavity_distance(const Point<D>& x) const {
    const BodyParameters& p = parameters_;
    const double t = p.shell;
    Point<D> lo = Point<D>::filled(t) - half_size<D>(p), hi = -lo;
    if (p.open_top) hi[1] = kFarAway;
    switch (p.kind) {
        case BodyKind::kBox:
            return box_distance<D>(x, lo, hi);
        case BodyKind::kSphere:
            return length(x) - (p.radius - t);
        case BodyKind::kCylinder:
            return ring_distance<D>(x, -1, p.radius - t, lo[1], hi[1]);
        case BodyKind::kMesh:
            return outer_distance(x) + t;
    }
    return kFarAway;
}

/// Outside of a tub: the distance to the nearest of floor and walls.
template <int D>
double BodyShape<D>::open_exterior_distance(const Point<D>& x) const {
    const BodyParameters& p = parameters_;
    const Point<D> half = half_size<D>(p);
    Point<D> floor_top = half;
    floor_top[1] = -half[1] + p.shell;
    if (p.kind == BodyKind::kCylinder)
        return std::min(ring_distance<D>(x, p.radius - p.shell, p.radius, -half[1], half[1]),
                        ring_distance<D>(x, -1, p.radius, -half[1], floor_top[1]));
    double d = box_distance<D>(x, -half, floor_top);
    for (int i = 0; i < D; i += 2) {
        Point<D> lo = -half, hi = half;
        lo[i] = half[i] - p.shell;
        d = std::min(d, box_distance<D>(x, lo, hi));
        hi[i] = -lo[i], lo[i] = -half[i];
        d = std::min(d, box_distance<D>(x, lo, hi));
    }
    return d;
}

template <int D>
double BodyShape<D>::distance(const Point<D>& x) const {
    const double outer = outer_distance(x);
    if (!hollow_) return outer;
    // One evaluation of a mesh serves both its surfaces.
    const double cavity =
        parameters_.kind == BodyKind::kMesh ? outer + parameters_.shell : cavity_distance(x);
    const double d = std::max(outer, -cavity);
    return parameters_.open_top && d > 0 ? open_exterior_distance(x) : d;
}

template <int D>
double BodyShape<D>::distance_within(const Point<D>& x, double band) const {
    if constexpr (D == 3)
        if (parameters_.kind == BodyKind::kMesh) {
            const BodyParameters& p = parameters_;
            const double outer =
                p.scale * p.mesh->distance_within(x / p.scale, (band + p.shell) / p.scale);
            return hollow_ ? std::max(outer, -outer - p.shell) : outer;
        }
    return distance(x);
}

template <int D>
Vec<double, D> BodyShape<D>::normal(const Point<D>& x) const {
    const double step = 1e-6 * length(bounds_.size());
    Vec<double, D> g{};
    for (int i = 0; i < D; ++i) {
        const auto e = Vec<double, D>::unit(i, step);
        g[i] = distance(x + e) - distance(x - e);
    }
    const double norm = length(g);
    // On a ridge of the distance (the centre of a sphere) every direction is as good.
    return norm > 0 ? g / norm : Vec<double, D>::unit(1);
}

template <int D>
std::optional<Point<D>> BodyShape<D>::pick(const Vec<double, D>& uniforms) const {
    const Point<D> x = bounds_.lo + multiply(bounds_.size(), uniforms);
    if (distance(x) < 0) return x;
    return std::nullopt;
}

template <int D>
double BodyShape<D>::exact_volume() const {
    const BodyParameters& p = parameters_;
    if (p.kind == BodyKind::kMesh) {
        if (p.shell > 0 || !p.mesh->closed()) return sampled_volume();
        return std::abs(p.mesh->enclosed_volume()) * p.scale * p.scale * p.scale;
    }
    const auto of = [&](const Point<D>& half) {
        const double box = product(half) * (D == 3 ? 8 : 4);
        if (p.kind == BodyKind::kSphere) return box * math::kPi / (D == 3 ? 6 : 4);
        if (p.kind == BodyKind::kCylinder && D == 3) return box * math::kPi / 4;
        return box;
    };
    const Point<D> half = half_size<D>(p);
    if (!hollow_) return of(half);
    Point<D> cavity = half - Point<D>::filled(p.shell);
    if (p.open_top) cavity[1] = half[1] - p.shell / 2;
    return of(half) - of(cavity);
}

/// Midpoint rule on 48 cells along the longest side, cut cells by their distance.
template <int D>
double BodyShape<D>::sampled_volume() const {
    const Vec<double, D> size = bounds_.size();
    double longest = 0;
    for (int i = 0; i < D; ++i) longest = std::max(longest, size[i]);
    const double h = longest / 48;
    Index<D> cells{};
    std::int64_t count = 1;
    for (int i = 0; i < D; ++i) {
        cells[i] = static_cast<int>(std::ceil(size[i] / h)) + 1;
        count *= cells[i];
    }
    double sum = 0;
    for (std::int64_t n = 0; n < count; ++n) {
        Point<D> x = bounds_.lo;
        std::int64_t rest = n;
        for (int i = 0; i < D; ++i) {
            x[i] += static_cast<double>(rest % cells[i]) * h;
            rest /= cells[i];
        }
        sum += std::clamp(0.5 - distance_within(x, h) / h, 0.0, 1.0);
    }
    return sum * product(Vec<double, D>::filled(h));
}

template class BodyShape<2>;
template class BodyShape<3>;

}  // namespace spume

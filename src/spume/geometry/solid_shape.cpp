// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/geometry/solid_compound.h"

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

/// Distance to the axis of a capsule, to the circle in the middle of a torus.
template <int D>
double core_distance(const BodyParameters& p, const Point<D>& x) {
    const Point<2> m = meridian(x);
    if (p.kind == BodyKind::kTorus) return length(m - Point<2>{p.radius, 0});
    const double half = p.height / 2 - p.radius;
    return length(m - Point<2>{0, std::clamp(m[1], -half, half)});
}
/// Of what is around it.
double core_radius(const BodyParameters& p) {
    return p.kind == BodyKind::kTorus ? p.tube : p.radius;
}

/// Box with edges of a radius.
template <int D>
double rounded_distance(const Point<D>& x, const Point<D>& half, double round) {
    const Point<D> inner = half - Point<D>::filled(round);
    return box_distance<D>(x, -inner, inner) - round;
}

/// Steiner's formula: the sharp box inside, slabs, quarter cylinders and the eighths of a ball.
template <int D>
double rounded_volume(const Point<D>& half, double round) {
    const Point<D> e = (half - Point<D>::filled(round)) * 2.0;
    const double disc = math::kPi * round * round;
    if constexpr (D == 2) return e[0] * e[1] + 2 * round * (e[0] + e[1]) + disc;
    if constexpr (D == 3)
        return e[0] * e[1] * e[2] + 2 * round * (e[0] * e[1] + e[1] * e[2] + e[2] * e[0]) +
               disc * (e[0] + e[1] + e[2]) + disc * round * 4 / 3;
}

/// Ring (in 2D: two bars) of radii inner … outer, heights bottom … top; inner < 0: a full cylinder.
template <int D>
double ring_distance(const Point<D>& x, double inner, double outer, double bottom, double top) {
    const double lowest = inner < 0 ? -outer : inner;
    return box_distance<2>(meridian(x), {lowest, bottom}, {outer, top});
}

template <int D>
Point<D> half_size(const BodyParameters& p) {
    Point<D> half{};
    const bool torus = p.kind == BodyKind::kTorus;
    for (int i = 0; i < D; ++i)
        half[i] = p.kind == BodyKind::kBox      ? p.size[i] / 2
                  : p.kind == BodyKind::kSphere ? p.radius
                  : i == 1                      ? (torus ? p.tube : p.height / 2)
                                                : p.radius + (torus ? p.tube : 0);
    return half;
}

/// Of a closed mesh, or of a shell inside it, from the nearest point of its surface. Nothing for a
/// place on the surface, where corners have no direction of their own.
std::optional<Vec<double, 3>> mesh_normal(const MeshDistance& mesh, const Vec<double, 3>& x,
                                          double shell, double touch) {
    const Vec<double, 3> off = x - mesh.nearest_point(x).place;
    const double away = length(off);
    if (away <= touch) return std::nullopt;
    const double outer = mesh.distance_within(x, touch) < 0 ? -away : away;
    const bool inner = shell > 0 && outer < -0.5 * shell;
    return off * ((outer < 0) != inner ? -1 / away : 1 / away);
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
    const BodyParameters& p = parameters_;
    if (p.kind == BodyKind::kLathe)
        profile_ = std::make_shared<LatheProfile>(LatheProfile::of_outline(p.outline));
    if (p.kind == BodyKind::kCone)
        profile_ = std::make_shared<LatheProfile>(
            LatheProfile::of_cone(p.radius, p.radius_top, p.height, p.shell, p.open_top));
    take_parts();
    hollow_ = has_cavity();
    if (p.kind == BodyKind::kCompound) {
        bounds_ = own_bounds();
    } else if (profile_) {
        const Box<double, 2>& b = profile_->bounds();
        bounds_.lo = Point<D>::filled(-b.hi[0]), bounds_.hi = Point<D>::filled(b.hi[0]);
        bounds_.lo[1] = b.lo[1], bounds_.hi[1] = b.hi[1];
    } else if (parameters_.kind == BodyKind::kMesh) {
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
    using K = BodyKind;
    const auto is = [&](std::initializer_list<K> kinds) {
        return std::find(kinds.begin(), kinds.end(), p.kind) != kinds.end();
    };
    if (is({K::kSphere, K::kCylinder, K::kCapsule, K::kTorus})) demand_positive(p.radius, "radius");
    if (is({K::kCylinder, K::kCone, K::kCapsule})) demand_positive(p.height, "height");
    check_sizes();
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
    if (p.shell > 0 && is({K::kLathe, K::kCompound}))
        throw UserError("a lathe or compound cannot have a shell",
                        "draw the wall in the profile, or give its parts shells");
    if (p.open_top && (p.shell == 0 || p.round > 0 || !is({K::kBox, K::kCylinder, K::kCone})))
        throw UserError("only a sharp box, a cylinder or a cone with a shell can have an open top",
                        "give shell = THICKNESS, or remove open_top");
}

/// Of what only some kinds have.
template <int D>
void BodyShape<D>::check_sizes() const {
    const BodyParameters& p = parameters_;
    if (p.kind == BodyKind::kCone) {
        for (const double r : {p.radius, p.radius_top})
            if (!(r >= 0) || !std::isfinite(r)) demand_positive(r, "radius");
        demand_positive(std::max(p.radius, p.radius_top), "radius");
    }
    if (p.kind == BodyKind::kCapsule && !(p.height >= 2 * p.radius))
        throw UserError(fmt::format("a capsule of height {} is shorter than its two caps of "
                                    "radius {}",
                                    p.height, p.radius),
                        "give a height of at least twice the radius; it counts the caps");
    if (p.kind == BodyKind::kTorus) {
        demand_positive(p.tube, "tube");
        if (!(p.tube < p.radius))
            throw UserError(fmt::format("the tube of a torus, {}, is not thinner than its radius "
                                        "of {}",
                                        p.tube, p.radius),
                            "let the hole stay open");
    }
    const Point<D> half = half_size<D>(p);
    if (p.kind == BodyKind::kBox && p.round != 0 &&
        !(p.round > 0 && p.round <= *std::min_element(&half[0], &half[0] + D)))
        throw UserError(fmt::format("the edges of a box are rounded by {}", p.round),
                        "give at most half of its shortest edge");
}

template <int D>
bool BodyShape<D>::has_cavity() const {
    const BodyParameters& p = parameters_;
    if (p.shell == 0) return false;
    if (p.kind == BodyKind::kMesh) return true;
    if (profile_) return profile_->loops().size() > 1 || p.open_top;
    if (p.kind == BodyKind::kCapsule || p.kind == BodyKind::kTorus) return p.shell < core_radius(p);
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
            return rounded_distance<D>(x, half, p.round);
        case BodyKind::kSphere:
            return length(x) - p.radius;
        case BodyKind::kCylinder:
            return ring_distance<D>(x, -1, p.radius, -half[1], half[1]);
        case BodyKind::kCapsule:
        case BodyKind::kTorus:
            return core_distance<D>(p, x) - core_radius(p);
        case BodyKind::kCone:
        case BodyKind::kLathe:
            return profile_->distance(meridian(x));
        case BodyKind::kCompound:
            return compound_distance(x, kFarAway);
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
            if (p.round > t) return rounded_distance<D>(x, hi, p.round - t);
            return box_distance<D>(x, lo, hi);
        case BodyKind::kSphere:
            return length(x) - (p.radius - t);
        case BodyKind::kCapsule:
        case BodyKind::kTorus:
            return core_distance<D>(p, x) - (core_radius(p) - t);
        case BodyKind::kCone:
        case BodyKind::kLathe:
        case BodyKind::kCompound:
            break;  // one distance for all of their surfaces
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
    if (!hollow_ || profile_) return outer;
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
            // A hair more, so that rounding leaves nothing below the band.
            const double reach = (band + p.shell) / p.scale * (1 + 1e-12);
            const double outer = p.scale * p.mesh->distance_within(x / p.scale, reach);
            return hollow_ ? std::max(outer, -outer - p.shell) : outer;
        }
    if (parameters_.kind == BodyKind::kCompound) return compound_distance(x, band);
    return distance(x);
}

template <int D>
Vec<double, D> BodyShape<D>::normal(const Point<D>& x) const {
    const double step = 1e-6 * length(bounds_.size());
    if constexpr (D == 3) {
        const BodyParameters& p = parameters_;
        if (p.kind == BodyKind::kMesh && p.mesh->closed())
            if (const auto n = mesh_normal(*p.mesh, x / p.scale, hollow_ ? p.shell / p.scale : 0,
                                           step / p.scale))
                return *n;
    }
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
        if (p.shell > 0 || !p.mesh->closed()) return sampled_sums().volume;
        return std::abs(p.mesh->enclosed_volume()) * p.scale * p.scale * p.scale;
    }
    if (p.kind == BodyKind::kCompound) return sampled_sums().volume;
    if (profile_)
        return D == 3 ? 2 * math::kPi * profile_->integral(1, 0) : 2 * profile_->integral(0, 0);
    // Of all that is nearer to a point, line, circle or box than r.
    const auto around = [&](double r) {
        const double disc = math::kPi * r * r, ball = disc * r * 4 / 3;
        const double way = p.kind == BodyKind::kCapsule ? p.height - 2 * p.radius : 0;
        if (p.kind == BodyKind::kTorus) return D == 3 ? 2 * math::kPi * p.radius * disc : 2 * disc;
        return D == 3 ? ball + disc * way : disc + 2 * r * way;
    };
    if (p.kind == BodyKind::kCapsule || p.kind == BodyKind::kTorus)
        return around(core_radius(p)) - (hollow_ ? around(core_radius(p) - p.shell) : 0);
    const auto of = [&](const Point<D>& half, double round) {
        if (round > 0) return rounded_volume<D>(half, round);
        const double box = product(half) * (D == 3 ? 8 : 4);
        if (p.kind == BodyKind::kSphere) return box * math::kPi / (D == 3 ? 6 : 4);
        if (p.kind == BodyKind::kCylinder && D == 3) return box * math::kPi / 4;
        return box;
    };
    const Point<D> half = half_size<D>(p);
    if (!hollow_) return of(half, p.round);
    Point<D> cavity = half - Point<D>::filled(p.shell);
    if (p.open_top) cavity[1] = half[1] - p.shell / 2;
    return of(half, p.round) - of(cavity, p.round - p.shell);
}

template class BodyShape<2>;
template class BodyShape<3>;

}  // namespace spume

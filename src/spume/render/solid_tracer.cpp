// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/solid_tracer.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/render/water.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

struct Stretch {
    double begin, end;
};

Stretch inside_box(const Vec3& origin, const Vec3& direction, const Box<double, 3>& box) {
    Stretch s{0, 1e300};
    for (int k = 0; k < 3; ++k) {
        if (direction[k] == 0) {
            if (origin[k] < box.lo[k] || origin[k] > box.hi[k]) return {1, 0};
            continue;
        }
        const double p = (box.lo[k] - origin[k]) / direction[k];
        const double q = (box.hi[k] - origin[k]) / direction[k];
        s.begin = std::max(s.begin, std::min(p, q)), s.end = std::min(s.end, std::max(p, q));
    }
    return s;
}

/// The first depth in (0, limit) where the ray enters the shape, by steps of the distance; ‑1 if
/// none.
double march(const BodyShape<3>& shape, const Vec3& origin, const Vec3& direction, double limit) {
    const double size = length(shape.bounds().size()), speed = length(direction);
    const double near = 1e-5 * size;
    const Stretch s = inside_box(origin, direction, shape.bounds().grown(2 * near));
    double depth = s.begin;
    for (int step = 0; step < 200 && depth <= s.end && depth < limit; ++step) {
        const double d = shape.distance(origin + direction * depth);
        if (d < near) return depth;
        depth += d / speed;
    }
    return -1;
}

/// The moving net of light that ripples throw on things below them.
double caustics(double x, double z) {
    const double a = math::sin(x + 1.7 * math::sin(0.73 * z + 1.1));
    const double b = math::sin(0.83 * z + 1.9 * math::sin(0.61 * x + 2.3));
    const double c = math::sin(0.71 * (x + z) + 1.3 * math::sin(0.9 * (x - z)));
    const double net = 1 - std::abs(a + b + c) / 3;
    return net * net * net * net * net;
}

}  // namespace

SolidTracer::SolidTracer(const std::vector<PlacedBody<3>>& bodies,
                         const std::vector<PlacedBody<2>>& flat, const Frame& frame,
                         const Box<double, 3>& domain)
    : bodies_(bodies), flat_(flat), scale_(length(domain.size())) {
    for (const NamedMesh& named : frame.meshes)
        if (!named.mesh.triangles.empty())
            meshes_.push_back({std::make_shared<MeshDistance>(named.mesh, MeshUse::kRays),
                               frame.free_surface && named.name == "surface"});
}

Colour SolidTracer::lit(const Vec3& x, const Vec3& normal, const Vec3& sight,
                        const Vec3& right) const {
    constexpr Colour kStone{0.46f, 0.40f, 0.33f};
    const Vec3 level_back = cross(right, Vec3{0, 1, 0});
    const Vec3 n{dot(normal, right), normal[1], dot(normal, level_back)};
    // Diffuse light: the water's light gathered roughly over the half space about the normal.
    Colour light = water_light({0, 1, 0}) * static_cast<float>(0.16 * (1 + n[1]) * (1 + n[1]) / 4);
    light += water_light({0, 0, 1}) * static_cast<float>(0.55 + 0.25 * n[2] - 0.2 * n[0]);
    const double down = std::max(0.0, n[1] * 0.8 - 0.4 * n[0] + 0.447 * n[2]);
    const double net = caustics(80 * x[0] / scale_, 80 * (x[2] + 0.3 * x[1]) / scale_);
    light += Colour{0.85f, 1.0f, 0.95f} *
             static_cast<float>(down * (0.26 + 1.1 * net * std::max(0.0, n[1])));
    const double facing = std::abs(dot(normal, sight)) / length(sight);
    const double rim = math::pow(1 - std::min(facing, 1.0), 4);
    return multiply(kStone, light) + water_light({0, 0.3, -0.95}) * static_cast<float>(0.25 * rim);
}

Colour SolidTracer::wet(const Vec3& normal, const Vec3& sight) {
    const Vec3 s = sight / length(sight);
    const double facing = std::min(1.0, std::abs(dot(normal, s)));
    const double mirror = 0.02 + 0.98 * math::pow(1 - facing, 5);
    const Vec3 back = s - normal * (2 * dot(normal, s));
    const Colour sky =
        Colour{0.80f, 0.90f, 1.0f} * static_cast<float>(0.35 + 0.65 * (back[1] * 0.5 + 0.5));
    // A lamp above and to the left, and daylight from the sky on what scatters inside.
    const double lamp = std::max(0.0, (-0.45 * back[0] + 0.80 * back[1] + 0.40 * back[2]));
    const double day = 0.45 + 0.40 * normal[1] + 0.15 * normal[2] - 0.10 * normal[0];
    const Colour body = Colour{0.035f, 0.205f, 0.300f} * static_cast<float>(std::max(day, 0.08));
    return body + sky * static_cast<float>(mirror) +
           Colour::filled(static_cast<float>(0.9 * math::pow(lamp, 60)));
}

void SolidTracer::meet(const PlacedBody<3>& body, const Projection::Ray& ray, const Vec3& right,
                       Hit& hit) const {
    // Most lines of sight miss most bodies by far.
    const Vec3 middle = (body.bounds().lo + body.bounds().hi) * 0.5 - ray.origin;
    const double reach = length(body.bounds().size()) / 2, along = dot(middle, ray.direction);
    const double squared = dot(ray.direction, ray.direction);
    if (dot(middle, middle) - along * along / squared > reach * reach * 1.01) return;
    const Vec3 origin = body.pose().to_body(ray.origin);
    const Vec3 direction = body.pose().rotation.apply_inverse(ray.direction);
    const BodyParameters& p = body.shape().parameters();
    Vec3 normal{};
    double depth = -1;
    if (p.kind == BodyKind::kMesh) {
        depth = p.mesh->ray(origin / p.scale, direction / p.scale, hit.depth, normal);
        normal = body.pose().rotation.apply(normal);
    } else {
        depth = march(body.shape(), origin, direction, hit.depth);
        if (depth >= 0) normal = body.normal(ray.origin + ray.direction * depth);
    }
    if (depth < 0) return;
    if (dot(normal, ray.direction) > 0) normal = -normal;
    if (p.shell > 0) {
        if (depth >= hit.glass_depth) return;
        const double facing = std::min(1.0, -dot(normal, ray.direction) / length(ray.direction));
        hit.glass_depth = depth;
        hit.glass = static_cast<float>(0.08 + 0.50 * math::pow(1 - facing, 3));
        return;
    }
    hit.depth = depth;
    hit.colour = lit(ray.origin + ray.direction * depth, normal, ray.direction, right);
}

SolidTracer::Hit SolidTracer::trace(const Projection::Ray& ray, const Vec3& right) const {
    Hit hit;
    for (const auto& body : bodies_) meet(body, ray, right, hit);
    for (const auto& [mesh, liquid] : meshes_) {
        Vec3 normal{};
        const double depth = mesh->ray(ray.origin, ray.direction, hit.depth, normal);
        if (depth < 0) continue;
        if (dot(normal, ray.direction) > 0) normal = -normal;
        hit.depth = depth;
        const Vec3 x = ray.origin + ray.direction * depth;
        hit.colour = liquid ? wet(normal, ray.direction) : lit(x, normal, ray.direction, right);
    }
    for (const auto& body : flat_) {
        const Point<2> x{ray.origin[0], ray.origin[1]};
        const double d = body.distance(x);
        if (d >= 0) continue;
        // A flat body gets a rounded edge, so that it stands out from the water.
        const double size = length(body.shape().bounds().size());
        const double slope = std::clamp(1 + d / (0.04 * size), 0.0, 1.0);
        const Vec<double, 2> n = body.normal(x) * slope;
        hit.depth = 0;
        hit.colour = lit(lifted(x), {n[0], n[1], std::sqrt(1 - std::min(1.0, dot(n, n)))},
                         {0, 0, -1}, right);
    }
    return hit;
}

}  // namespace spume

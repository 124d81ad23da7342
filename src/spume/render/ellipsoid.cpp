// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/ellipsoid.h"

#include <cmath>

namespace spume {

using Vec3 = Vec<double, 3>;

Ellipsoid::Ellipsoid(const Ellipsoids& all, std::size_t i, double time)
    : center(all.begin[i].as<double>()),
      axis(all.axis[i].as<double>()),
      along(static_cast<double>(all.along[i])),
      across(static_cast<double>(all.across[i])) {
    axis = axis / length(axis);
    if (!all.end.empty()) center += (all.end[i].as<double>() - center) * time;
}

bool Ellipsoid::meets(const Vec3& x, const Vec3& d, double (&t)[2]) const {
    const Vec3 o = unscaled(x - center), v = unscaled(d);
    const double square = dot(v, v), middle = -dot(o, v) / square;
    const Vec3 aside = o + v * middle;
    const double left = 1 - dot(aside, aside);
    if (!(left >= 0)) return false;
    const double half = std::sqrt(left / square);
    t[0] = middle - half, t[1] = middle + half;
    return true;
}

Vec3 Ellipsoid::normal(const Vec3& x) const {
    const Vec3 arm = x - center;
    const double part = dot(arm, axis);
    const Vec3 n = (arm - axis * part) / (across * across) + axis * (part / (along * along));
    return n / length(n);
}

namespace {

void bound(const RTCBoundsFunctionArguments* args) {
    const auto& all = *static_cast<const Ellipsoids*>(args->geometryUserPtr);
    const Ellipsoid e(all, args->primID, args->timeStep);
    float* lower = &args->bounds_o->lower_x;
    float* upper = &args->bounds_o->upper_x;
    for (int k = 0; k < 3; ++k) {
        const double n = e.axis[k];
        const double reach =
            1.0001 * std::sqrt(e.along * e.along * n * n + e.across * e.across * (1 - n * n)) +
            1e-6 * std::abs(e.center[k]);
        lower[k] = static_cast<float>(e.center[k] - reach);
        upper[k] = static_cast<float>(e.center[k] + reach);
    }
}

void intersect(const RTCIntersectFunctionNArguments* args) {
    if (args->N != 1 || !args->valid[0]) return;
    auto* found = reinterpret_cast<RTCRayHit*>(args->rayhit);
    const RTCRay& ray = found->ray;
    const auto& all = *static_cast<const Ellipsoids*>(args->geometryUserPtr);
    const Ellipsoid e(all, args->primID, static_cast<double>(ray.time));
    double t[2];
    const Vec3 o = Vec<float, 3>{ray.org_x, ray.org_y, ray.org_z}.as<double>(),
               d = Vec<float, 3>{ray.dir_x, ray.dir_y, ray.dir_z}.as<double>();
    if (!e.meets(o, d, t)) return;
    for (const double way : t) {
        const auto far = static_cast<float>(way);
        if (!(far > ray.tnear && far < ray.tfar)) continue;
        const Vec<float, 3> n = e.normal(o + d * way).as<float>();
        found->ray.tfar = far;
        found->hit.Ng_x = n[0], found->hit.Ng_y = n[1], found->hit.Ng_z = n[2];
        found->hit.u = found->hit.v = 0;
        found->hit.primID = args->primID;
        found->hit.geomID = args->geomID;
        found->hit.instID[0] = args->context->instID[0];
        return;
    }
}

}  // namespace

RTCGeometry ellipsoid_geometry(RTCDevice device, const Ellipsoids& ellipsoids) {
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(g, static_cast<unsigned>(ellipsoids.begin.size()));
    rtcSetGeometryTimeStepCount(g, ellipsoids.end.empty() ? 1 : 2);
    rtcSetGeometryUserData(g, const_cast<Ellipsoids*>(&ellipsoids));
    rtcSetGeometryBoundsFunction(g, bound, nullptr);
    rtcSetGeometryIntersectFunction(g, intersect);
    return g;
}

Hit ellipsoid_hit(const Ray& ray, const Ellipsoids& ellipsoids, std::size_t part, double near) {
    const Ellipsoid e(ellipsoids, part, ray.time);
    double t[2] = {near, near};
    e.meets(ray.origin, ray.direction, t);  // grazing rays may miss it in double precision
    Hit hit;
    hit.distance = std::abs(near - t[0]) <= std::abs(near - t[1]) ? t[0] : t[1];
    hit.seen = near;
    hit.position = ray.origin + ray.direction * hit.distance;
    hit.normal = hit.shading = e.normal(hit.position);
    hit.material = ellipsoids.material;
    hit.found = true;
    return hit;
}

}  // namespace spume

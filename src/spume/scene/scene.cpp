// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/scene.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/geometry/pose.h"
#include "spume/scene/shape_bounds.h"

namespace spume {

double Scene::voxel() const {
    if (domain.voxel > 0) return domain.voxel;
    double longest = 0;
    for (int i = 0; i < domain.dimensions; ++i)
        longest = std::max(longest, domain.upper[i] - domain.lower[i]);
    return longest / domain.divisions;
}

Vec<double, 3> Scene::cells() const {
    Vec<double, 3> n{1, 1, 1};
    for (int i = 0; i < domain.dimensions; ++i)
        n[i] = std::max(1.0, std::round((domain.upper[i] - domain.lower[i]) / voxel()));
    return n;
}

Camera camera_at(const Camera& camera, double time) {
    Camera r = camera;
    r.keys.clear();
    if (camera.keys.empty()) return r;
    std::vector<PoseKey> eye, target;
    for (const CameraKey& k : camera.keys) {
        const double angle = k.field_of_view > 0 ? k.field_of_view : camera.field_of_view;
        eye.push_back({k.time, k.position, {angle, 0, 0}});
        target.push_back({k.time, k.target, {angle, 0, 0}});
    }
    r.automatic = false;
    r.position = KeyedMotion(eye).pose(time).position;
    r.target = KeyedMotion(target).pose(time).position;
    for (PoseKey& k : eye) k.position = k.degrees, k.degrees = {};
    r.field_of_view = KeyedMotion(eye).pose(time).position[0];
    return r;
}

RadiusSpan radius_span(const Emitter& e, int dimensions, double voxel) {
    const bool flat = dimensions == 2;
    // 2^D bubbles of this radius have the volume of a voxel: ∛(3/4π)/2, and 1/(2√π).
    const double share = (flat ? 0.28209479177387814 : 0.31017524544970001) * voxel;
    const double room = flat ? voxel * voxel / 4 : voxel * voxel * voxel / 8;
    // From the middle of a voxel to its corner: no voxel that holds one stays dry.
    const double corner = std::sqrt(dimensions / 4.0) * voxel;
    switch (e.law) {
        case RadiusLaw::kFixed:
            return {e.radius, e.radius, 0};
        case RadiusLaw::kInverseCubic:
            return {e.radius_min, e.radius_max, 0};
        case RadiusLaw::kCellShare:
            return {share, share, room};
        case RadiusLaw::kMarker:
            break;
    }
    return {corner, corner, room};
}

namespace {

/// The upright box around a disc, or tube of a ring, about an axis.
Vec<double, 3> disc_half(const Vec<double, 3>& axis, double radius) {
    Vec<double, 3> half{};
    for (int i = 0; i < 3; ++i) half[i] = radius * std::sqrt(std::max(0.0, 1 - axis[i] * axis[i]));
    return half;
}

/// Around discs of these radii at these heights along the axis.
Box<double, 3> stack_bounds(const Vec<double, 3>& axis, const std::vector<OutlinePoint>& discs) {
    Box<double, 3> box{};
    for (std::size_t k = 0; k < discs.size(); ++k) {
        const Vec<double, 3> at = axis * discs[k].height, half = disc_half(axis, discs[k].radius);
        const Box<double, 3> one{at - half, at + half};
        box = k == 0 ? one : Box<double, 3>{min(box.lo, one.lo), max(box.hi, one.hi)};
    }
    return box;
}

/// A compound's box is that around the boxes of its parts; what is cut away from it stays in.
Box<double, 3> compound_bounds(const Shape& shape, const Rotation& rotation) {
    Box<double, 3> box{};
    bool any = false;
    for (const Shape& part : shape.parts) {
        if (part.combine != PartUse::kUnion) continue;
        const Box<double, 3> own = shape_bounds(part);
        for (int corner = 0; corner < 8; ++corner) {
            Vec<double, 3> x{};
            for (int i = 0; i < 3; ++i) x[i] = corner >> i & 1 ? own.hi[i] : own.lo[i];
            x = rotation.apply(x);
            box = any ? box.including(x) : Box<double, 3>{x, x};
            any = true;
        }
    }
    return box;
}

}  // namespace

Box<double, 3> shape_bounds(const Shape& s) {
    const Rotation r = Rotation::from_degrees(s.rotation);
    const Vec<double, 3> axis{r.row[0][1], r.row[1][1], r.row[2][1]};
    Box<double, 3> box{};
    switch (s.kind) {
        case ShapeKind::kBox:
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) box.hi[i] += std::fabs(r.row[i][j]) * s.size[j] / 2;
            box.lo = -box.hi;
            break;
        case ShapeKind::kSphere:
            box.hi = Vec<double, 3>::filled(s.radius);
            box.lo = -box.hi;
            break;
        case ShapeKind::kCylinder:
            box = stack_bounds(axis, {{s.radius, -s.height / 2}, {s.radius, s.height / 2}});
            break;
        case ShapeKind::kCone:
            box = stack_bounds(axis, {{s.radius, -s.height / 2}, {s.radius_top, s.height / 2}});
            break;
        case ShapeKind::kCapsule:
            box = stack_bounds(axis, {{0, s.radius - s.height / 2}, {0, s.height / 2 - s.radius}})
                      .grown(s.radius);
            break;
        case ShapeKind::kTorus:
            box = stack_bounds(axis, {{s.radius, 0}}).grown(s.tube);
            break;
        case ShapeKind::kLathe:
            box = stack_bounds(axis, s.profile);
            break;
        case ShapeKind::kCompound:
            box = compound_bounds(s, r);
            break;
        case ShapeKind::kMesh:
            break;
    }
    return {s.center + box.lo, s.center + box.hi};
}

}  // namespace spume

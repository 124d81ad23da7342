// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// On which side of a mesh a point is.

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/geometry/mesh_distance.h"
#include "spume/geometry/solid_angles.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

// Beyond this many radii a node is one dipole: an error of a few per cent where 0.5 decides.
constexpr double kFar = 2.5;
/// Of the mesh's size: ways that pass an edge nearer may slip through where files round vertices.
constexpr double kUnclear = 3e-7;

bool beyond(const Box<double, 3>& box, const Vec3& x) {
    for (int k = 0; k < 3; ++k)
        if (x[k] < box.lo[k] || x[k] > box.hi[k]) return true;
    return false;
}

bool overlap(const Box<double, 3>& a, const Box<double, 3>& b) {
    for (int k = 0; k < 3; ++k)
        if (a.lo[k] > b.hi[k] || b.lo[k] > a.hi[k]) return false;
    return true;
}

/// Does the straight way from a point pass a box? Sure of a no only.
bool passes(const Box<double, 3>& box, const Vec3& from, const Vec3& way) {
    // Axes that separate both, besides those of the box.
    const Vec3 half = box.size() * 0.5, middle = from + way * 0.5 - (box.lo + half);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double apart = std::abs(way[i] * middle[j] - way[j] * middle[i]);
        if (apart > (half[j] * std::abs(way[i]) + half[i] * std::abs(way[j])) * (1 + 1e-9))
            return false;
    }
    return true;
}

}  // namespace

double MeshDistance::winding_number(const Vec3& x) const {
    std::int32_t stack[64];
    int top = 0;
    stack[top++] = 0;
    double far = 0;
    SolidAngles near;
    while (top > 0) {
        const Node& node = nodes_[stack[--top]];
        const Vec3 to = node.center - x;
        const double d2 = dot(to, to);
        if (d2 > kFar * kFar * node.radius * node.radius) {
            far += dot(node.area_normal, to) / (d2 * std::sqrt(d2));
        } else if (node.count > 0) {
            for (std::int32_t i = node.first; i < node.first + node.count; ++i)
                near.add(triangles_[i].a - x, triangles_[i].b - x, triangles_[i].c - x);
        } else {
            stack[top++] = node.first + 1;
            stack[top++] = node.first;
        }
    }
    return (far + near.total()) / (4 * math::kPi);
}

bool MeshDistance::inside(const Vec3& x) const {
    // The absolute value makes a mesh turned inside out mean what its author saw.
    return !beyond(bounds_, x) && std::abs(winding_number(x)) >= 0.5;
}

bool MeshDistance::inside(const Vec3& x, const Hint& h) const {
    if (beyond(bounds_, x)) return false;
    if (!landmarks_.winding.empty())
        if (const auto more = entered(h.mark, x)) return landmarks_.winding[h.at] + *more != 0;
    return inside(x);
}

std::optional<int> MeshDistance::entered(const Vec3& from, const Vec3& to) const {
    const Vec3 way = to - from;
    const double size = length(bounds_.size()), near = kUnclear * size, far = length(way);
    const Box<double, 3> swept{min(from, to) - Vec3::filled(near),
                               max(from, to) + Vec3::filled(near)};
    std::int32_t stack[64];
    int top = 0, sum = 0;
    stack[top++] = 0;
    while (top > 0) {
        const Node& node = nodes_[stack[--top]];
        if (!overlap(node.box, swept) || !passes(node.box.grown(near), from, way)) continue;
        for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
            const Triangle& t = triangles_[i];
            // Six times the volumes that the way spans with the edges: all of one sign where it
            // goes through the face. Each over its edge and the way is about how far it passes by.
            const Vec3 a = t.a - from, b = t.b - from, c = t.c - from;
            const double v[3] = {dot(way, cross(a, b)), dot(way, cross(b, c)),
                                 dot(way, cross(c, a))};
            const double clear[3] = {near * far * length(b - a), near * far * length(c - b),
                                     near * far * length(a - c)};
            bool in = true, out = true, sure = true;
            for (int k = 0; k < 3; ++k) {
                in = in && v[k] > -clear[k];
                out = out && v[k] < clear[k];
                sure = sure && std::abs(v[k]) > clear[k];
            }
            if (!in && !out) continue;
            const Vec3 normal = cross(b - a, c - a);
            const double before = -dot(normal, a), after = dot(normal, to - t.a),
                         beside = near * length(normal);
            if ((before > beside && after > beside) || (before < -beside && after < -beside))
                continue;
            if (!sure || std::abs(before) <= beside || std::abs(after) <= beside)
                return std::nullopt;
            sum += after < 0 ? 1 : -1;
        }
        if (node.count > 0) continue;
        stack[top++] = node.first + 1;
        stack[top++] = node.first;
    }
    return sum;
}

}  // namespace spume

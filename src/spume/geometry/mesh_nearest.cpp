// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/geometry/mesh_distance.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

/// Weights of the corners at the point of a triangle nearest to x.
Vec3 nearest_weights(const Vec3& x, const Vec3 (&corner)[3]) {
    const Vec3 normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const double area = dot(normal, normal);
    Vec3 inner{};
    for (int k = 0; k < 3; ++k) {
        const Vec3 &p = corner[(k + 1) % 3], &q = corner[(k + 2) % 3];
        inner[k] = dot(cross(q - p, x - p), normal) / area;
    }
    if (inner[0] >= 0 && inner[1] >= 0 && inner[2] >= 0) return inner;
    Vec3 best{};
    double least = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const Vec3 edge = corner[j] - corner[i];
        const double s = std::clamp(dot(x - corner[i], edge) / dot(edge, edge), 0.0, 1.0);
        const double d = length(x - corner[i] - edge * s);
        if (d >= least) continue;
        least = d;
        best = Vec3::unit(i, 1 - s) + Vec3::unit(j, s);
    }
    return best;
}

}  // namespace

MeshPoint MeshDistance::nearest_point(const Vec3& x) const {
    constexpr double kLoose = 1 + 1e-6;
    const Triangle* face = nullptr;
    const Hint h = hint(x);
    nearest(x, (std::abs(h.distance) + h.way) * kLoose, &face);
    if (!face) nearest(x, HUGE_VAL, &face);
    SPUME_CHECK(face != nullptr);
    const Vec3 normal = cross(face->b - face->a, face->c - face->a);
    const Vec3 weights = nearest_weights(x, {face->a, face->b, face->c});
    return {face->vertex, weights,
            face->a * weights[0] + face->b * weights[1] + face->c * weights[2],
            normal / length(normal)};
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/mesh_following.h"

#include <algorithm>
#include <cmath>

#include "spume/geometry/pose.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

constexpr int kIterations = 40;
constexpr std::size_t kSamples = 1000;  // vertices that decide how the whole turns
constexpr double kEnough = 1e-6;        // of the size: the motion has been found

/// The middle of a surface, by area.
Vec3 middle_of(const TriangleMesh& mesh) {
    Vec3 sum{};
    double area = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3 &a = mesh.vertices[std::size_t(t[0])], &b = mesh.vertices[std::size_t(t[1])],
                   &c = mesh.vertices[std::size_t(t[2])];
        const double size = length(cross(b - a, c - a));
        sum += (a + b + c) * (size / 3);
        area += size;
    }
    return area > 0 ? sum / area : sum;
}

/// x of the symmetric A x = b; nothing along what A does not hold.
Vec3 solved(const Vec3 (&a)[3], const Vec3& b) {
    const double det = dot(a[0], cross(a[1], a[2]));
    const double size = a[0][0] + a[1][1] + a[2][2];
    if (!(std::abs(det) > 1e-9 * size * size * size)) return {};
    return Vec3{dot(b, cross(a[1], a[2])), dot(a[0], cross(b, a[2])), dot(a[0], cross(a[1], b))} /
           det;
}

}  // namespace

std::vector<Vec3> followed(const TriangleMesh& before, const TriangleMesh& after) {
    const MeshDistance to(after, MeshUse::kRays);
    const Vec3 start = middle_of(before);
    Vec3 middle = middle_of(after);
    Quaternion turn;
    const std::size_t count = before.vertices.size(), every = count / kSamples + 1;
    const double size = length(to.bounds().size());
    for (int n = 0; n < kIterations; ++n) {
        // The small rigid motion with the least squares of what is missing.
        const Rotation turned = turn.rotation();
        Vec3 inertia[3] = {}, torque{}, shift{};
        double points = 0;
        for (std::size_t i = 0; i < count; i += every, ++points) {
            const Vec3 r = turned.apply(before.vertices[i] - start);
            const Vec3 gap = to.nearest_point(middle + r).place - (middle + r);
            torque += cross(r, gap);
            shift += gap;
            for (int k = 0; k < 3; ++k) inertia[k] += Vec3::unit(k, dot(r, r)) - r * r[k];
        }
        const Vec3 more = solved(inertia, torque);
        turn = turn.turned(more);
        middle += shift / points;
        if (length(more) * size + length(shift) / points < kEnough * size) break;
    }
    const Rotation turned = turn.rotation();
    std::vector<Vec3> r;
    r.reserve(count);
    for (const Vec3& x : before.vertices)
        r.push_back(to.nearest_point(middle + turned.apply(x - start)).place);
    return r;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/body_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "spume/core/math.h"
#include "spume/render/body_contour.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;
using Vec2 = Vec<double, 2>;

constexpr int kAround = 128, kAlong = 64;  // pieces of a circle, of a half circle

/// Which edges of a foreign mesh are meant to be sharp is unknown: those that bend by more than
/// this.
constexpr double kCrease = 0.766;  // cos 40°

std::uint32_t add(BodyMesh& m, const Vec3& x, const Vec3& n) {
    m.vertices.push_back(x);
    m.normals.push_back(n);
    return static_cast<std::uint32_t>(m.vertices.size() - 1);
}

/// Corners counter-clockwise seen from outside.
void add_quad(BodyMesh& m, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 area = cross(b - a, d - a), n = area / length(area);
    const std::uint32_t i = add(m, a, n), j = add(m, b, n), k = add(m, c, n), l = add(m, d, n);
    m.triangles.push_back({i, j, k});
    m.triangles.push_back({i, k, l});
}

/// A line turned about the y axis: from (radius, height) to (radius, height), with the normals
/// there. Its outside is on the right of its direction.
void add_ring(BodyMesh& m, Vec2 from, Vec2 to, Vec2 normal_from, Vec2 normal_to) {
    std::uint32_t before[2] = {};
    for (int i = 0; i <= kAround; ++i) {
        const double angle = 2 * math::kPi * (i % kAround) / kAround;
        const double c = math::cos(angle), s = math::sin(angle);
        const std::uint32_t now[2] = {add(m, {from[0] * c, from[1], from[0] * s},
                                          {normal_from[0] * c, normal_from[1], normal_from[0] * s}),
                                      add(m, {to[0] * c, to[1], to[0] * s},
                                          {normal_to[0] * c, normal_to[1], normal_to[0] * s})};
        if (i > 0) {
            if (from[0] > 0) m.triangles.push_back({before[0], now[1], now[0]});
            if (to[0] > 0) m.triangles.push_back({before[0], before[1], now[1]});
        }
        before[0] = now[0], before[1] = now[1];
    }
}

void add_edges(BodyMesh& m, const std::vector<Vec2>& line) {
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Vec2 along = line[i] - line[i - 1];
        const Vec2 n = Vec2{along[1], -along[0]} / length(along);
        add_ring(m, line[i - 1], line[i], n, n);
    }
}

void add_sphere(BodyMesh& m, double radius, bool inwards) {
    for (int i = 0; i < kAlong; ++i) {
        Vec2 n[2];
        for (int k = 0; k < 2; ++k) {
            const double angle = math::kPi * (i + k) / kAlong;
            n[k] = {i + k == 0 || i + k == kAlong ? 0 : math::sin(angle), -math::cos(angle)};
        }
        if (inwards)
            add_ring(m, n[1] * radius, n[0] * radius, -n[1], -n[0]);
        else
            add_ring(m, n[0] * radius, n[1] * radius, n[0], n[1]);
    }
}

void add_cylinder(BodyMesh& m, const BodyParameters& b) {
    const double r = b.radius, h = b.height / 2, s = b.shell;
    const bool hollow = s > 0 && s < r && s < h;
    if (hollow && b.open_top) {
        add_edges(m, {{0, -h}, {r, -h}, {r, h}, {r - s, h}, {r - s, s - h}, {0, s - h}});
        return;
    }
    add_edges(m, {{0, -h}, {r, -h}, {r, h}, {0, h}});
    if (hollow) add_edges(m, {{0, h - s}, {r - s, h - s}, {r - s, s - h}, {0, s - h}});
}

void add_box(BodyMesh& m, const Vec3& lo, const Vec3& hi, bool inwards, bool lid) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            if (axis == 1 && side == 1 && !lid) continue;
            const int a = (axis + 1) % 3, b = (axis + 2) % 3;
            Vec3 x[4];
            for (int k = 0; k < 4; ++k) {
                x[k][axis] = side ? hi[axis] : lo[axis];
                x[k][a] = k == 1 || k == 2 ? hi[a] : lo[a];
                x[k][b] = k >= 2 ? hi[b] : lo[b];
            }
            if ((side == 1) != inwards)
                add_quad(m, x[0], x[1], x[2], x[3]);
            else
                add_quad(m, x[3], x[2], x[1], x[0]);
        }
}

void add_rim(BodyMesh& m, const Vec3& half, const Vec3& inner) {
    const double y = half[1];
    const double sx[4] = {-1, 1, 1, -1}, sz[4] = {1, 1, -1, -1};
    for (int k = 0; k < 4; ++k) {
        const int l = (k + 1) % 4;
        add_quad(m, {sx[k] * half[0], y, sz[k] * half[2]}, {sx[l] * half[0], y, sz[l] * half[2]},
                 {sx[l] * inner[0], y, sz[l] * inner[2]}, {sx[k] * inner[0], y, sz[k] * inner[2]});
    }
}

void add_box(BodyMesh& m, const BodyParameters& b) {
    const Vec3 half = b.size * 0.5, inner = half - Vec3::filled(b.shell);
    const bool hollow = b.shell > 0 && inner[0] > 0 && inner[1] > 0 && inner[2] > 0;
    const bool open = hollow && b.open_top;
    add_box(m, -half, half, false, !open);
    if (!hollow) return;
    add_box(m, -inner, {inner[0], open ? half[1] : inner[1], inner[2]}, true, !open);
    if (open) add_rim(m, half, inner);
}

/// Faces that meet at a corner and bend little share a normal there.
void add_faces(BodyMesh& m, const std::vector<std::array<Vec3, 3>>& faces, double scale) {
    std::vector<Vec3> areas;  // one a triangle
    std::map<std::array<double, 3>, std::vector<std::size_t>> around;
    for (const auto& face : faces) {
        const Vec3 area = cross(face[1] - face[0], face[2] - face[0]);
        if (!(length(area) > 0)) continue;
        for (const Vec3& x : face) {
            around[{x[0], x[1], x[2]}].push_back(areas.size());
            m.vertices.push_back(x);
        }
        areas.push_back(area);
    }
    for (std::size_t i = 0; i < m.vertices.size(); ++i) {
        const Vec3 x = m.vertices[i], own = areas[i / 3];
        Vec3 sum{};
        for (const std::size_t other : around[{x[0], x[1], x[2]}])
            if (dot(areas[other], own) > kCrease * length(areas[other]) * length(own))
                sum += areas[other];
        m.normals.push_back(sum / length(sum));
        m.vertices[i] = x * scale;
    }
    for (std::uint32_t t = 0; t < areas.size(); ++t)
        m.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
}

void add_foreign(BodyMesh& m, const BodyParameters& b) {
    std::vector<std::array<Vec3, 3>> faces;
    b.mesh->each_triangle([&](const Vec3& p, const Vec3& q, const Vec3& r) {
        faces.push_back({p, q, r});
    });
    add_faces(m, faces, b.scale);
}

/// Cells of a contour: walls are to have two across, as far as memory goes.
void add_contour(BodyMesh& m, const BodyParameters& b) {
    constexpr double kFewest = 96, kMost = 256;
    const BodyShape<3> shape(b);
    const Vec3 size = shape.bounds().size();
    const double longest = std::max({size[0], size[1], size[2]});
    const double cells = 2 * longest / std::max(shape.thickness(), 1e-6 * longest);
    add_faces(m, body_contour(shape, int(std::clamp(cells, kFewest, kMost))), 1);
}

/// Edges that bend little share a normal where they meet.
void add_profile(BodyMesh& m, const LatheProfile& profile) {
    for (const LatheProfile::Loop& loop : profile.loops()) {
        const std::size_t n = loop.size();
        const auto normal = [&](std::size_t i) {
            const Vec2 along = loop[(i + 1) % n] - loop[i % n];
            return Vec2{along[1], -along[0]} / length(along);
        };
        const auto on_axis = [&](std::size_t i) {
            return loop[i % n][0] == 0 && loop[(i + 1) % n][0] == 0;
        };
        const auto shared = [&](std::size_t own, std::size_t other) {
            const Vec2 a = normal(own), b = normal(other);
            if (on_axis(other) || dot(a, b) < kCrease) return a;
            return (a + b) / length(a + b);
        };
        for (std::size_t i = 0; i < n; ++i)
            if (!on_axis(i))
                add_ring(m, loop[i], loop[(i + 1) % n], shared(i, i + n - 1), shared(i, i + 1));
    }
}

/// A circle in the half plane, from one angle to another, turned about the axis.
void add_arc(BodyMesh& m, const Vec2& middle, double radius, double from, double to, bool inwards) {
    const int pieces = int(std::ceil(kAround * (to - from) / (2 * math::kPi)));
    for (int i = 0; i < pieces; ++i) {
        Vec2 n[2];
        for (int k = 0; k < 2; ++k) {
            const double angle = from + (to - from) * (i + k) / pieces;
            n[k] = {math::cos(angle), math::sin(angle)};
            if (middle[0] == 0 && n[k][0] < 1e-9) n[k] = {0, n[k][1] < 0 ? -1.0 : 1.0};
        }
        if (inwards)
            add_ring(m, middle + n[1] * radius, middle + n[0] * radius, -n[1], -n[0]);
        else
            add_ring(m, middle + n[0] * radius, middle + n[1] * radius, n[0], n[1]);
    }
}

void add_capsule(BodyMesh& m, double radius, double half, bool inwards) {
    add_arc(m, {0, -half}, radius, -math::kPi / 2, 0, inwards);
    if (half > 0) {
        const Vec2 a{radius, inwards ? half : -half}, b{radius, inwards ? -half : half};
        const Vec2 n{inwards ? -1.0 : 1.0, 0};
        add_ring(m, a, b, n, n);
    }
    add_arc(m, {0, half}, radius, 0, math::kPi / 2, inwards);
}

}  // namespace

std::vector<Vec3> vertex_normals(const std::vector<Vec3>& vertices,
                                 const std::vector<Vec<std::int32_t, 3>>& triangles) {
    std::vector<Vec3> normals(vertices.size(), Vec3{});
    for (const auto& t : triangles) {
        const Vec3& a = vertices[static_cast<std::size_t>(t[0])];
        const Vec3 area = cross(vertices[static_cast<std::size_t>(t[1])] - a,
                                vertices[static_cast<std::size_t>(t[2])] - a);
        for (int k = 0; k < 3; ++k) normals[static_cast<std::size_t>(t[k])] += area;
    }
    for (Vec3& n : normals) {
        const double size = length(n);
        n = size > 0 ? n / size : Vec3{0, 1, 0};
    }
    return normals;
}

BodyMesh body_mesh(const BodyParameters& b) {
    BodyMesh m;
    switch (b.kind) {
        case BodyKind::kBox:
            if (b.round > 0)
                add_contour(m, b);
            else
                add_box(m, b);
            break;
        case BodyKind::kCompound:
            add_contour(m, b);
            break;
        case BodyKind::kCone:
        case BodyKind::kLathe:
            add_profile(m, *BodyShape<3>(b).profile());
            break;
        case BodyKind::kCapsule:
            add_capsule(m, b.radius, b.height / 2 - b.radius, false);
            if (b.shell > 0 && b.shell < b.radius)
                add_capsule(m, b.radius - b.shell, b.height / 2 - b.radius, true);
            break;
        case BodyKind::kTorus:
            add_arc(m, {b.radius, 0}, b.tube, 0, 2 * math::kPi, false);
            if (b.shell > 0 && b.shell < b.tube)
                add_arc(m, {b.radius, 0}, b.tube - b.shell, 0, 2 * math::kPi, true);
            break;
        case BodyKind::kSphere:
            add_sphere(m, b.radius, false);
            if (b.shell > 0 && b.shell < b.radius) add_sphere(m, b.radius - b.shell, true);
            break;
        case BodyKind::kCylinder:
            add_cylinder(m, b);
            break;
        case BodyKind::kMesh:
            add_foreign(m, b);
            break;
    }
    return m;
}

}  // namespace spume

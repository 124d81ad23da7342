// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/body_mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/math.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

/// A ball of diameter 1 without one of its eighths.
BodyParameters ball_with_a_notch() {
    auto parts = std::make_shared<std::vector<BodyPart>>();
    parts->push_back({{.kind = BodyKind::kSphere, .radius = 0.5}, {}, Combine::kUnion});
    parts->push_back(
        {{.kind = BodyKind::kBox, .size = {1, 1, 1}}, {{}, {0.5, 0.5, 0.5}}, Combine::kDifference});
    return {.kind = BodyKind::kCompound, .parts = parts};
}

TEST(Tracer, BodyMeshesAreClosed) {
    using K = BodyKind;
    const double pi = math::kPi;
    struct Case {
        BodyParameters body;
        double volume;
    };
    const Case cases[] = {
        {{.kind = K::kBox, .size = {1, 2, 3}}, 6},
        {{.kind = K::kBox, .size = {1, 1, 1}, .shell = 0.1}, 1 - 0.512},
        {{.kind = K::kBox, .size = {1, 1, 1}, .shell = 0.1, .open_top = true}, 1 - 0.64 * 0.9},
        {{.kind = K::kSphere, .radius = 1}, 4 * pi / 3},
        {{.kind = K::kSphere, .radius = 1, .shell = 0.5}, 4 * pi / 3 * 0.875},
        {{.kind = K::kCylinder, .radius = 1, .height = 2}, 2 * pi},
        {{.kind = K::kCylinder, .radius = 1, .height = 2, .shell = 0.1, .open_top = true},
         2 * pi - 0.81 * pi * 1.9},
        {{.kind = K::kCone, .radius = 1, .height = 3, .radius_top = 0.5}, pi * 1.75},
        {{.kind = K::kCapsule, .radius = 1, .height = 3}, 7 * pi / 3},
        {{.kind = K::kTorus, .radius = 1, .shell = 0.1, .tube = 0.4}, 2 * pi * pi * 0.07},
        {{.kind = K::kLathe, .outline = {{0, 0}, {1, 0}, {1, 1}, {0.8, 1}, {0.8, 0.2}, {0, 0.2}}},
         pi * (1 - 0.64 * 0.8)},
        {{.kind = K::kBox, .size = {1, 1, 1}, .round = 0.5}, pi / 6},
        {ball_with_a_notch(), pi / 6 * 0.875}};
    for (const Case& c : cases) {
        const BodyMesh m = body_mesh(c.body);
        // Divergence theorem: only a closed, outward surface encloses the body's volume.
        double volume = 0;
        Vec3 area{};
        for (const auto& t : m.triangles) {
            const Vec3 &a = m.vertices[t[0]], &b = m.vertices[t[1]], &d = m.vertices[t[2]];
            volume += dot(a, cross(b, d)) / 6;
            area += cross(b - a, d - a);
            EXPECT_GE(dot(cross(b - a, d - a), m.normals[t[0]]), 0);
        }
        EXPECT_NEAR(volume, c.volume, 3e-3 * c.volume);
        EXPECT_NEAR(length(area), 0, 1e-9);
    }
}

// A foreign mesh: edges of a box stay sharp, a ball of many faces looks round.
TEST(Tracer, ForeignMeshesAreSmoothWhereTheyBendLittle) {
    const auto foreign = [](const BodyParameters& p) {
        const BodyMesh m = body_mesh(p);
        TriangleMesh mesh;
        mesh.vertices = m.vertices;
        for (const auto& t : m.triangles) mesh.triangles.push_back(t.as<std::int32_t>());
        BodyParameters again;
        again.kind = BodyKind::kMesh;
        again.mesh = std::make_shared<const MeshDistance>(mesh);
        return body_mesh(again);
    };
    const BodyMesh box = foreign({.kind = BodyKind::kBox, .size = {1, 1, 1}});
    for (const Vec3& n : box.normals)
        EXPECT_NEAR(std::max({std::abs(n[0]), std::abs(n[1]), std::abs(n[2])}), 1, 1e-12);
    const BodyMesh ball = foreign({.kind = BodyKind::kSphere, .radius = 1});
    for (std::size_t i = 0; i < ball.normals.size(); ++i)
        EXPECT_GT(dot(ball.normals[i], ball.vertices[i]), 0.999);
}

}  // namespace
}  // namespace spume

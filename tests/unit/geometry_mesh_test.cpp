// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/geometry/mesh_distance.h"
#include "spume/geometry/solid_shape.h"

namespace spume {
namespace {

Vec<double, 3> random_point(std::uint64_t id, double scale) {
    return (Random(21, id, 0, Purpose::kTest).uniform_vec<3>(0) * 2.0 -
            Vec<double, 3>::filled(1.0)) *
           scale;
}

TriangleMesh cube() {
    TriangleMesh m;
    for (int i = 0; i < 8; ++i)
        m.vertices.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
    m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return m;
}

/// Octahedron refined `levels` times onto the unit sphere.
TriangleMesh unit_sphere(int levels) {
    TriangleMesh m;
    m.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    m.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                   {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const auto [it, fresh] = middles.try_emplace({std::min(a, b), std::max(a, b)}, 0);
            if (fresh) {
                const auto p = m.vertices[a] + m.vertices[b];
                it->second = static_cast<int>(m.vertices.size());
                m.vertices.push_back(p / length(p));
            }
            return it->second;
        };
        std::vector<Vec<std::int32_t, 3>> next;
        for (const auto& t : m.triangles) {
            const int ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
            next.insert(next.end(), {{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}});
        }
        m.triangles = next;
    }
    return m;
}

TEST(MeshDistance, CubeMeshEqualsTheBox) {
    const MeshDistance mesh(cube());
    const BodyShape<3> box({.kind = BodyKind::kBox, .size = {2, 2, 2}});
    EXPECT_TRUE(mesh.closed());
    EXPECT_TRUE(mesh.warnings().empty());
    EXPECT_NEAR(mesh.enclosed_volume(), 8, 1e-14);
    for (std::uint64_t i = 0; i < 3000; ++i) {
        const auto x = random_point(i, 2);
        ASSERT_NEAR(mesh.distance(x), box.distance(x), 1e-13);
    }
    EXPECT_NEAR(mesh.distance({1, 0.3, 0.2}), 0, 1e-15);  // on a face
    EXPECT_NEAR(mesh.distance({1, 1, 1}), 0, 1e-15);      // on a corner
}

/// Closest point of a triangle by minimising over barycentric coordinates: slow and independent.
double brute_distance(const TriangleMesh& m, const Vec<double, 3>& x) {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& t : m.triangles) {
        const auto a = m.vertices[t[0]], b = m.vertices[t[1]], c = m.vertices[t[2]];
        const auto at = [&](double u, double v) {
            return length(a + (b - a) * u + (c - a) * v - x);
        };
        double u = 1.0 / 3, v = 1.0 / 3, step = 0.5, d = at(u, v);
        while (step > 1e-7) {
            bool better = false;
            for (int k = 0; k < 12; ++k) {
                const double angle = k * std::numbers::pi / 6;
                double p = u + step * std::cos(angle), q = v + step * std::sin(angle);
                p = std::max(p, 0.0), q = std::max(q, 0.0);
                if (p + q > 1) {
                    const double over = (p + q - 1) / 2;
                    p = std::clamp(p - over, 0.0, 1.0), q = 1 - p;
                }
                if (at(p, q) < d - 1e-4 * step) d = at(p, q), u = p, v = q, better = true;
            }
            if (!better) step /= 2;
        }
        best = std::min(best, d);
    }
    return best;
}

TEST(MeshDistance, SizeEqualsBruteForce) {
    TriangleMesh soup;  // no structure at all: forty random triangles
    for (std::uint64_t i = 0; i < 120; ++i) soup.vertices.push_back(random_point(500 + i, 1));
    for (int i = 0; i < 40; ++i) soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    const MeshDistance mesh(soup);
    for (std::uint64_t i = 0; i < 60; ++i) {
        const auto x = random_point(i, 1.5);
        EXPECT_NEAR(mesh.unsigned_distance(x), brute_distance(soup, x), 1e-6);
    }
}

TEST(MeshDistance, SphereMeshConvergesToTheSphereAtSecondOrder) {
    double errors[3];
    for (int level = 3; level < 6; ++level) {
        const MeshDistance mesh(unit_sphere(level));
        double& error = errors[level - 3] = 0;
        for (std::uint64_t i = 0; i < 1000; ++i) {
            const auto x = random_point(i, 1.4);
            if (length(x) < 0.2) continue;
            error = std::max(error, std::abs(mesh.distance(x) - (length(x) - 1)));
        }
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.3);
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.3);
}

TEST(MeshDistance, WithinABandItIsTheDistanceAndBeyondABound) {
    TriangleMesh open = unit_sphere(3);
    open.triangles.erase(open.triangles.begin() + 40, open.triangles.begin() + 48);
    for (const MeshDistance& mesh : {MeshDistance(unit_sphere(3)), MeshDistance(open)}) {
        int shortened = 0;
        for (std::uint64_t i = 0; i < 3000; ++i) {
            const auto x = random_point(i, i % 10 == 0 ? 6 : 1.5);
            const double d = mesh.distance(x), within = mesh.distance_within(x, 0.1);
            ASSERT_EQ(d < 0, within < 0);
            ASSERT_LE(std::abs(within), std::abs(d) + 1e-14);
            if (std::abs(d) < 0.1) {
                ASSERT_EQ(within, d);
            } else {
                ASSERT_GE(std::abs(within), 0.1);
            }
            shortened += within != d ? 1 : 0;
        }
        // With a hole no sign inside the bounds is taken for granted.
        EXPECT_GT(shortened, mesh.closed() ? 2000 : 500);
    }
}

TEST(MeshDistance, WindingNumberCountsEnclosures) {
    TriangleMesh nested = unit_sphere(4);
    const auto first = nested;
    const int offset = static_cast<int>(nested.vertices.size());
    for (const auto& v : first.vertices) nested.vertices.push_back(v * 0.5);
    for (const auto& t : first.triangles)
        nested.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    const MeshDistance mesh(nested);
    for (std::uint64_t i = 0; i < 500; ++i) {
        const auto x = random_point(i, 1.5);
        const double r = length(x);
        if (std::abs(r - 1) < 0.03 || std::abs(r - 0.5) < 0.03) continue;
        EXPECT_NEAR(mesh.winding_number(x), r < 0.5 ? 2 : r < 1 ? 1 : 0, 0.05) << r;
    }
}

/// Signs follow from landmarks and the faces on the way; they are those of the winding number, also
/// where shells cut each other, and where ways run along edges and through corners.
TEST(MeshDistance, SignsAreThoseOfTheWindingNumber) {
    const auto moved = [](TriangleMesh m, const Vec<double, 3>& by, double scale, bool turned) {
        for (auto& v : m.vertices) v = v * scale + by;
        for (auto& t : m.triangles)
            if (turned) std::swap(t[0], t[1]);
        return m;
    };
    const auto joined = [](TriangleMesh m, const TriangleMesh& other) {
        const int offset = static_cast<int>(m.vertices.size());
        m.vertices.insert(m.vertices.end(), other.vertices.begin(), other.vertices.end());
        for (const auto& t : other.triangles)
            m.triangles.push_back(t + Vec<int, 3>::filled(offset));
        return m;
    };
    const TriangleMesh all[] = {
        cube(),
        unit_sphere(1),
        moved(unit_sphere(3), {}, 1, true),
        joined(unit_sphere(3), moved(unit_sphere(2), {0.7, 0.1, 0}, 0.8, false)),
        joined(unit_sphere(3), moved(unit_sphere(3), {0.2, 0, 0.1}, 0.5, true)),
        joined(cube(), moved(cube(), {1, 0.5, 0.25}, 0.5, false))};
    for (const TriangleMesh& one : all) {
        const MeshDistance mesh(one);
        ASSERT_TRUE(mesh.closed());
        int inside = 0;
        const auto same = [&](const Vec<double, 3>& x) {
            if (mesh.unsigned_distance(x) < 1e-9) return;
            const bool in = std::abs(mesh.winding_number(x)) >= 0.5;
            ASSERT_EQ(mesh.distance(x) < 0, in) << x[0] << " " << x[1] << " " << x[2];
            inside += in;
        };
        for (std::uint64_t i = 0; i < 3000; ++i) same(random_point(i, 1.6));
        for (int i = 0; i < 17 * 17 * 17; ++i)
            same(Vec<double, 3>{i % 17 - 8.0, i / 17 % 17 - 8.0, i / 289 - 8.0} / 5.0);
        EXPECT_GT(inside, 300);
    }
}

TEST(MeshDistance, NormalsOfBodiesAreThoseOfTheirDistances) {
    for (const double shell : {0.0, 0.2}) {
        TriangleMesh turned = unit_sphere(1);
        for (auto& t : turned.triangles) std::swap(t[0], t[1]);
        for (const TriangleMesh& one : {cube(), turned}) {
            const BodyShape<3> body({.kind = BodyKind::kMesh,
                                     .shell = shell,
                                     .mesh = std::make_shared<MeshDistance>(one),
                                     .scale = 2});
            for (std::uint64_t i = 0; i < 300; ++i) {
                const auto x = random_point(i, 3);
                const auto n = body.normal(x);
                Vec<double, 3> slope{};
                for (int k = 0; k < 3; ++k) {
                    const auto e = Vec<double, 3>::unit(k, 1e-6);
                    slope[k] = (body.distance(x + e) - body.distance(x - e)) / 2e-6;
                }
                // Between two faces that are as near the slope is that of neither.
                if (std::abs(length(slope) - 1) > 1e-3) continue;
                EXPECT_LT(length(n - slope), 2e-3) << i;
            }
        }
    }
}

TEST(MeshDistance, TurnedInsideOutKeepsItsInside) {
    TriangleMesh flipped = unit_sphere(4);
    for (auto& t : flipped.triangles) std::swap(t[0], t[1]);
    const MeshDistance mesh(flipped);
    ASSERT_EQ(mesh.warnings().size(), 1u);
    EXPECT_LT(mesh.distance({0.1, 0.2, 0.3}), 0);
    EXPECT_GT(mesh.distance({1.1, 0.2, 0.3}), 0);
    EXPECT_LT(mesh.enclosed_volume(), 0);
    const BodyShape<3> body(
        {.kind = BodyKind::kMesh, .mesh = std::make_shared<MeshDistance>(flipped), .scale = 2});
    EXPECT_NEAR(body.volume(), 8 * 4.0 / 3 * std::numbers::pi, 0.6);
}

TEST(MeshDistance, HoleDoesNotLeak) {
    TriangleMesh open = unit_sphere(4);
    open.triangles.erase(open.triangles.begin() + 100, open.triangles.begin() + 108);
    const MeshDistance mesh(open);
    EXPECT_FALSE(mesh.closed());
    ASSERT_EQ(mesh.warnings().size(), 1u);
    // It names an edge of the hole: both ends are corners of faces that were taken out.
    double a[3], b[3];
    const std::string& text = mesh.warnings()[0];
    const std::size_t from = text.find('('), to = text.find('(', from + 1);
    ASSERT_EQ(std::sscanf(text.c_str() + from, "(%lf, %lf, %lf)", a, a + 1, a + 2), 3) << text;
    ASSERT_EQ(std::sscanf(text.c_str() + to, "(%lf, %lf, %lf)", b, b + 1, b + 2), 3) << text;
    const TriangleMesh whole = unit_sphere(4);
    const auto in_hole = [&](const double* p) {
        for (int f = 100; f < 108; ++f)
            for (int k = 0; k < 3; ++k)
                if (length(whole.vertices[whole.triangles[f][k]] -
                           Vec<double, 3>{p[0], p[1], p[2]}) < 1e-5)
                    return true;
        return false;
    };
    EXPECT_TRUE(in_hole(a) && in_hole(b)) << text;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const auto x = random_point(i, 1.4);
        const double r = length(x);
        if (r > 0.8 && r < 1.2) continue;
        EXPECT_EQ(mesh.distance(x) < 0, r < 1) << r;
    }
}

TEST(MeshDistance, RepeatedAndRoundedVerticesAreStillClosed) {
    const TriangleMesh shared = cube();
    TriangleMesh split;
    for (const auto& t : shared.triangles) {
        const int n = static_cast<int>(split.vertices.size());
        // As after writing with eight digits: no two copies are equal.
        for (int k = 0; k < 3; ++k)
            split.vertices.push_back(shared.vertices[t[k]] +
                                     random_point(split.vertices.size(), 1e-8));
        split.triangles.push_back({n, n + 1, n + 2});
    }
    EXPECT_TRUE(MeshDistance(split).closed());
}

TEST(MeshDistance, DamagedMeshesAreNamed) {
    TriangleMesh degenerate = cube();
    degenerate.triangles.push_back({0, 0, 1});
    const MeshDistance mesh(degenerate);
    ASSERT_EQ(mesh.warnings().size(), 1u);
    EXPECT_NE(mesh.warnings()[0].find("1 of 13"), std::string::npos);
    EXPECT_NEAR(mesh.distance({0, 0, 3}), 2, 1e-14);

    TriangleMesh bad = cube();
    bad.vertices[3][1] = NAN;
    EXPECT_THROW(MeshDistance{bad}, UserError);
    bad = cube();
    bad.triangles[0][0] = 8;
    EXPECT_THROW(MeshDistance{bad}, UserError);
    EXPECT_THROW(MeshDistance{TriangleMesh{}}, UserError);
}

TEST(MeshDistance, RaysHitTheSphereWhereTheyShould) {
    const MeshDistance mesh(unit_sphere(5));
    for (std::uint64_t i = 0; i < 200; ++i) {
        auto origin = random_point(i, 1);
        origin = origin / length(origin) * 3.0;
        const auto target = random_point(1000 + i, 0.5);
        const auto direction = (target - origin) / length(target - origin);
        Vec<double, 3> normal{};
        const double b = dot(origin, direction);
        const double expected = -b - std::sqrt(b * b - dot(origin, origin) + 1);
        EXPECT_NEAR(mesh.ray(origin, direction, 10, normal), expected, 5e-3);
        EXPECT_GT(dot(normal, origin + direction * expected), 0.995);
        EXPECT_LT(mesh.ray(origin, -direction, 10, normal), 0);
        EXPECT_LT(mesh.ray(origin, direction, expected - 0.01, normal), 0);
    }
}

TEST(BodyShape, ShellOfAMeshHasTheVolumeOfItsWall) {
    const BodyShape<3> shell({.kind = BodyKind::kMesh,
                              .shell = 0.2,
                              .mesh = std::make_shared<MeshDistance>(unit_sphere(4))});
    const double expected = 4.0 / 3 * std::numbers::pi * (1 - 0.8 * 0.8 * 0.8);
    EXPECT_NEAR(shell.volume(), expected, 0.01 * expected);
    EXPECT_NEAR(shell.distance({0, 0.9, 0}), -0.1, 3e-3);
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const auto x = random_point(i, 1.3);
        const double d = shell.distance(x), within = shell.distance_within(x, 0.05);
        ASSERT_EQ(d < 0, within < 0);
        if (std::abs(d) < 0.05) {
            ASSERT_EQ(within, d);
        } else {
            ASSERT_GE(std::abs(within), 0.05);
        }
    }
}

}  // namespace
}  // namespace spume

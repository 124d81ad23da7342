// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "level_sets.h"
#include "spume/core/random.h"

namespace spume {
namespace {

constexpr double kPi = std::numbers::pi;

TriangleMesh ball_mesh(double voxel, const Point<3>& centre, double radius, Context& context) {
    const Box<double, 3> box{centre - Point<3>::filled(radius + 3 * voxel),
                             centre + Point<3>::filled(radius + 3 * voxel)};
    return mesh_of(
        sampled<double, 3>(box, {voxel, {}},
                           [&](const Point<3>& x) { return length(x - centre) - radius; }),
        context);
}

TEST(MeshOf, BallConvergesWithTheSquareOfTheVoxel) {
    Context context(2);
    const double radius = 0.37;
    double volume_before = 0, area_before = 0;
    for (const double voxel : {0.08, 0.04, 0.02}) {
        const TriangleMesh mesh = ball_mesh(voxel, {0.013, -0.021, 0.034}, radius, context);
        const double volume =
            std::abs(enclosed_volume(mesh) / (4 * kPi / 3 * std::pow(radius, 3)) - 1);
        const double area = std::abs(area_of(mesh) / (4 * kPi * radius * radius) - 1);
        EXPECT_GT(enclosed_volume(mesh), 0) << "turned inside out";
        if (volume_before > 0) {
            EXPECT_NEAR(std::log2(volume_before / volume), 2, 0.15);
            EXPECT_NEAR(std::log2(area_before / area), 2, 0.15);
        }
        volume_before = volume;
        area_before = area;
    }
    EXPECT_LT(volume_before, 2e-3);
    EXPECT_LT(area_before, 2e-3);
}

TEST(MeshOf, TopologyOfBallTorusAndTwoBalls) {
    Context context(1);
    const TriangleMesh ball = ball_mesh(0.05, {0.01, 0.02, 0.03}, 0.3, context);
    EXPECT_TRUE(is_watertight(ball));
    EXPECT_EQ(euler_characteristic(ball), 2);

    const Box<double, 3> box{Point<3>::filled(-0.6), Point<3>::filled(0.6)};
    const auto torus = mesh_of(sampled<float, 3>(box, {0.04, {}},
                                                 [](const Point<3>& x) {
                                                     const double ring =
                                                         std::hypot(x[0], x[2]) - 0.35;
                                                     return std::hypot(ring, x[1]) - 0.12;
                                                 }),
                               context);
    EXPECT_TRUE(is_watertight(torus));
    EXPECT_EQ(euler_characteristic(torus), 0);
    EXPECT_NEAR(enclosed_volume(torus), 2 * kPi * kPi * 0.35 * 0.12 * 0.12, 0.003);

    const auto two =
        mesh_of(sampled<float, 3>(box, {0.04, {}},
                                  [](const Point<3>& x) {
                                      return std::min(length(x - Point<3>{-0.3, 0, 0}),
                                                      length(x - Point<3>{0.3, 0.02, 0.01})) -
                                             0.2;
                                  }),
                context);
    EXPECT_TRUE(is_watertight(two));
    EXPECT_EQ(euler_characteristic(two), 4);
}

/// Noise has every case of a cube, also those with ambiguous faces, and cuts through the border.
TEST(MeshOf, NoiseIsWatertight) {
    Context context(2);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        std::uint64_t n = 0;
        const auto field = sampled<float, 3>(
            {Point<3>::filled(0.1), Point<3>::filled(23.9)}, {1, {}},
            [&](const Point<3>&) { return Random(seed, n++, 0, Purpose::kTest).uniform(0) - 0.5; });
        const TriangleMesh mesh = mesh_of(field, context);
        EXPECT_TRUE(is_watertight(mesh));
        EXPECT_GT(mesh.triangles.size(), 20000u);

        // Corners apart from the triangles: cells inside, counted one by one.
        double cells = 0;
        for (int t = 0; t < field.tiles()->active(); ++t)
            for (int o = 0; o < kTileCells<3>; ++o) cells += field.at(t, o) < 0;
        EXPECT_NEAR(enclosed_volume(mesh) / cells, 1, 0.5);
    }
}

TEST(MeshOf, ZerosAtCentresOfCellsLeaveNoEmptyTriangles) {
    Context context(1);
    // The planes of this octahedron pass through centres of cells.
    const auto field = sampled<double, 3>(
        {Point<3>::filled(-8), Point<3>::filled(8)}, {1, Point<3>::filled(0.5)},
        [](const Point<3>& x) {
            return std::round(std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2])) - 5;
        });
    const TriangleMesh mesh = mesh_of(field, context);
    EXPECT_TRUE(is_watertight(mesh));
    EXPECT_EQ(euler_characteristic(mesh), 2);
    for (const auto& t : mesh.triangles) {
        const Point<3> a = mesh.vertices[std::size_t(t[0])];
        EXPECT_GT(length(cross(mesh.vertices[std::size_t(t[1])] - a,
                               mesh.vertices[std::size_t(t[2])] - a)),
                  1e-9);
    }
}

TEST(MeshOf, MovesWithItsBody) {
    Context context(1);
    const double voxel = 1.0 / 32;  // exact, so that a shift by whole voxels loses no bit
    const Vec<double, 3> shift{11 * voxel, -5 * voxel, 17 * voxel};
    const auto here = ball_mesh(voxel, {0.0625, 0.03125, 0.015625}, 0.25, context);
    const auto there = ball_mesh(voxel, Point<3>{0.0625, 0.03125, 0.015625} + shift, 0.25, context);
    ASSERT_EQ(here.vertices.size(), there.vertices.size());
    ASSERT_EQ(here.triangles.size(), there.triangles.size());
    const auto sorted = [](std::vector<Point<3>> v, const Vec<double, 3>& by) {
        std::vector<std::array<double, 3>> r;
        for (const auto& x : v) r.push_back({x[0] + by[0], x[1] + by[1], x[2] + by[2]});
        std::sort(r.begin(), r.end());
        return r;
    };
    const auto a = sorted(here.vertices, shift), b = sorted(there.vertices, {});
    double far = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int k = 0; k < 3; ++k)
            far = std::max(far, std::abs(a[i][std::size_t(k)] - b[i][std::size_t(k)]));
    EXPECT_LT(far, 1e-12);
    EXPECT_NEAR(enclosed_volume(here), enclosed_volume(there), 1e-12);
}

TEST(MeshOf, ThreadsChangeNoBit) {
    std::vector<TriangleMesh> meshes;
    for (int threads : {1, 2, 5}) {
        Context context(threads);
        meshes.push_back(ball_mesh(0.02, {0.01, 0.02, 0.03}, 0.3, context));
    }
    ASSERT_GT(meshes[0].triangles.size(), 3000u);
    for (const TriangleMesh& mesh : meshes) {
        EXPECT_EQ(mesh.vertices, meshes[0].vertices);
        EXPECT_EQ(mesh.triangles, meshes[0].triangles);
    }
}

TEST(OutlineOf, DiscIsClosedAndOfSecondOrder) {
    Context context(2);
    double before = 0;
    for (const double voxel : {0.04, 0.02, 0.01}) {
        const Point<2> centre{0.017, 0.023};
        const auto outline = outline_of(
            sampled<double, 2>({Point<2>::filled(-0.5), Point<2>::filled(0.5)}, {voxel, {}},
                               [&](const Point<2>& x) { return length(x - centre) - 0.3; }),
            context);
        double area = 0;
        std::vector<int> leaving(outline.vertices.size(), 0), arriving(leaving);
        for (const auto& s : outline.segments) {
            const Point<2> a = outline.vertices[std::size_t(s[0])],
                           b = outline.vertices[std::size_t(s[1])];
            area += (a[0] * b[1] - a[1] * b[0]) / 2;
            ++leaving[std::size_t(s[0])];
            ++arriving[std::size_t(s[1])];
        }
        EXPECT_EQ(leaving, std::vector<int>(leaving.size(), 1));
        EXPECT_EQ(arriving, leaving);
        const double error = std::abs(area / (kPi * 0.09) - 1);
        if (before > 0) {
            EXPECT_NEAR(std::log2(before / error), 2, 0.3);
        }
        before = error;
    }
    EXPECT_LT(before, 1e-3);
}

}  // namespace
}  // namespace spume

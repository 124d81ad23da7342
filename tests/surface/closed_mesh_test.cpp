// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/closed_mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "level_sets.h"

namespace spume {
namespace {

const Point<3> kCentre{0.55, 0.35, 0.24};
constexpr double kRadius = 0.16;

/// Leaning water in a tank, around a ball or without it.
struct Tank {
    Context context{2};
    double h = 1.0 / 16;
    Box<double, 3> box{{0, 0, 0}, {1, 1, 0.5}};
    LevelSet<3> phi;
    ClosingSheets<3> sheets;

    explicit Tank(bool ball)
        : phi(sampled<double, 3>({{0, 0, 0}, {0.99, 0.99, 0.49}}, {h, {}}, level)),
          sheets{phi, box, ball ? DistanceWithin<3>(to_ball) : DistanceWithin<3>()} {}

    static double level(const Point<3>& x) {
        const Vec<double, 3> n{-0.3, 1, 0.1};
        return dot(n, x - Point<3>{0.5, 0.4, 0.25}) / length(n);
    }
    static double to_ball(const Point<3>& x, double) { return length(x - kCentre) - kRadius; }

    TriangleMesh mesh(bool fitted) {
        const LevelSet<3> closed = closed_surface<3>(phi, box, sheets.solids, context);
        return fitted ? closed_mesh(closed, sheets, context) : mesh_of(closed, context);
    }
    double to_sheet(const Point<3>& x) const {
        double r = std::abs(level(x));
        if (sheets.solids) r = std::min(r, std::abs(to_ball(x, 1)));
        for (int a = 0; a < 3; ++a)
            r = std::min({r, std::abs(x[a] - box.lo[a]), std::abs(x[a] - box.hi[a])});
        return r / h;
    }
    /// Area of triangles whose middle lies off every sheet by more than a part of a voxel.
    double bevelled(const TriangleMesh& mesh, double part) const {
        double sum = 0;
        for (const auto& t : mesh.triangles) {
            const auto &a = mesh.vertices[std::size_t(t[0])], &b = mesh.vertices[std::size_t(t[1])],
                       &c = mesh.vertices[std::size_t(t[2])];
            if (to_sheet((a + b + c) / 3.0) > part) sum += length(cross(b - a, c - a)) / 2;
        }
        return sum;
    }
};

TEST(ClosedMesh, WaterInATankHasSharpEdgesAndItsVolume) {
    Tank tank(false);
    const TriangleMesh mesh = tank.mesh(true);
    EXPECT_TRUE(is_watertight(mesh));
    EXPECT_NEAR(enclosed_volume(mesh), 0.4 * 0.5, 1e-9) << "planes are met exactly";
    const double top = 0.5 * std::sqrt(1 + 0.09 + 0.01), walls = 0.5 + 2 * 0.4 * 1.5;
    EXPECT_NEAR(area_of(mesh), top + walls, 1e-6) << "without folds";
    EXPECT_LT(tank.bevelled(mesh, 1e-6), 1e-9);
    EXPECT_GT(tank.bevelled(tank.mesh(false), 0.01), 0.01) << "marching cubes alone";
}

TEST(ClosedMesh, WaterAroundABallEndsOnIt) {
    Tank tank(true);
    const TriangleMesh mesh = tank.mesh(true);
    EXPECT_TRUE(is_watertight(mesh));
    double inside = 0;
    for (const auto& x : mesh.vertices) inside = std::max(inside, -Tank::to_ball(x, 1) / tank.h);
    EXPECT_LT(inside, 0.02);
    // Triangles inside circles of a voxel lie within h²/2R, 0.2 of a voxel, of the ball.
    EXPECT_LT(tank.bevelled(mesh, 0.2), 1e-9);
    EXPECT_GT(tank.bevelled(tank.mesh(false), 0.2), 0.01) << "marching cubes alone";
}

}  // namespace
}  // namespace spume

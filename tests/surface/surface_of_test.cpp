// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/surface_of.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "level_sets.h"
#include "spume/core/random.h"
#include "spume/surface/connected.h"

namespace spume {
namespace {

constexpr double kVoxel = 0.01;

template <int D>
Bubbles<D> bubbles_at(const std::vector<Point<D>>& places, double radius) {
    Bubbles<D> b;
    resize(b, places.size());
    auto x = b.position.write();
    auto id = b.id.write();
    for (std::size_t i = 0; i < places.size(); ++i) {
        x[i] = places[i];
        id[i] = b.next_id++;
    }
    b.radius.fill(static_cast<float>(radius));
    return b;
}

/// A lattice of points inside a shape, shaken by up to a fifth of the spacing.
template <int D, class Inside>
std::vector<Point<D>> filled(double spacing, double half, Inside&& inside) {
    std::vector<Point<D>> r;
    const int n = static_cast<int>(std::ceil(half / spacing));
    const int wide = 2 * n + 1;
    for (int i = 0; i < (D == 2 ? wide * wide : wide * wide * wide); ++i) {
        Point<D> x{};
        const auto shake =
            Random(1, std::uint64_t(i), 0, Purpose::kTest).template uniform_vec<D>(0);
        for (int a = 0, rest = i; a < D; ++a, rest /= wide)
            x[a] = (rest % wide - n + 0.2 * (shake[a] - 0.5)) * spacing;
        if (inside(x)) r.push_back(x);
    }
    return r;
}

template <int D>
void expect_classes() {
    Context context(2);
    std::vector<Point<D>> places =
        filled<D>(kVoxel / 2, 0.05, [](const Point<D>& x) { return length(x) < 0.05; });
    const std::size_t body = places.size();
    // Single ones, pairs and a row of particles, at any place in their cells.
    for (int n = 0; n < 40; ++n) {
        const auto u = Random(7, std::uint64_t(n), 0, Purpose::kTest).template uniform_vec<D>(0);
        Point<D> x = u * kVoxel + Point<D>::unit(0, 0.12 + 0.06 * n);
        places.push_back(x);
        if (n % 2) places.push_back(x + Point<D>::unit(1, 0.5 * kVoxel));
    }
    for (int n = 0; n < 12; ++n) places.push_back(Point<D>::unit(1, 0.2 + 0.6 * kVoxel * n));
    const auto type = connected<D>(places, {kVoxel, {}}, context);
    std::size_t wrong_body = 0, wrong_rest = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
        (i < body ? wrong_body : wrong_rest) += type[i] != (i < body);
    EXPECT_EQ(wrong_body, 0u) << D;
    EXPECT_EQ(wrong_rest, 0u) << D;
}
TEST(Connected, BodiesButNotStraysNorRows) {
    expect_classes<2>();
    expect_classes<3>();
}

TEST(Connected, NothingFromNothing) {
    Context context(1);
    EXPECT_TRUE(connected<3>({}, {kVoxel, {}}, context).empty());
    const auto surface = surface_of<3>({}, {kVoxel, {}}, {}, context);
    EXPECT_TRUE(mesh_of(surface.level_set, context).triangles.empty());
}

TEST(Ellipsoid, DistanceIsExactForBallsAndOnTheSurface) {
    Context context(1);
    // A flat layer: its ellipsoids are flat too.
    const auto places = filled<3>(kVoxel / 2, 0.05, [](const Point<3>& x) {
        return std::abs(x[1]) < 0.006 && std::hypot(x[0], x[2]) < 0.05;
    });
    const std::vector<double> radii(places.size(), 0.0087);
    const auto shapes = ellipsoids_of<3>(places, radii, 0.0174, {}, context);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (std::hypot(places[i][0], places[i][2]) > 0.03) continue;
        const Ellipsoid<3>& e = shapes[i];
        EXPECT_LT(e.shortest, 0.95 * e.longest);
        // Lengths of the axes from the distance: along y it is short.
        const auto axis = [&](const Vec<double, 3>& n) {
            double lo = 0, hi = 0.1;
            while (hi - lo > 1e-12)
                (e.distance(e.centre + n * ((lo + hi) / 2)) < 0 ? lo : hi) = (lo + hi) / 2;
            return lo;
        };
        const double y = axis({0, 1, 0}), x = axis({1, 0, 0}), z = axis({0, 0, 1});
        EXPECT_LT(y, 0.9 * std::min(x, z));
        EXPECT_GT(y * 4.2, std::max(x, z));
        // Determinant of G is the inverse of the product of the axes: volume is kept.
        const double det = dot(e.g[0], cross(e.g[1], e.g[2]));
        EXPECT_NEAR(det * std::pow(radii[i], 3), 1, 1e-9);
    }
}

TEST(SurfaceOf, BallOfParticlesHasItsVolumeAndNoHoles) {
    Context context(2);
    const double radius = 0.06;
    const auto places =
        filled<3>(kVoxel / 2, radius, [&](const Point<3>& x) { return length(x) < radius; });
    const auto bubbles = bubbles_at<3>(places, surfacing_radius<3>(kVoxel));
    for (int scale : {1, 2, 3}) {
        Surfacing how;
        how.scale = scale;
        const auto surface = surface_of<3>(bubbles, {kVoxel, {}}, how, context);
        const TriangleMesh mesh = mesh_of(surface.level_set, context);
        EXPECT_TRUE(is_watertight(mesh));
        EXPECT_EQ(euler_characteristic(mesh), 2) << scale;
        const double volume =
            enclosed_volume(mesh) / (4 * std::numbers::pi / 3 * radius * radius * radius);
        EXPECT_NEAR(volume, 1, 0.05) << scale;
        RecordProperty("volume_" + std::to_string(scale), std::to_string(volume));
        double low = 1e9, high = 0;
        for (const auto& x : mesh.vertices) {
            low = std::min(low, length(x));
            high = std::max(high, length(x));
        }
        EXPECT_LT(high - low, kVoxel) << scale;
    }
}

TEST(SurfaceOf, ThreadsChangeNoBit) {
    const auto places = filled<3>(kVoxel / 2, 0.03, [](const Point<3>& x) {
        return length(x) < 0.03 || x[0] * x[0] + x[1] * x[1] < 4e-6;
    });
    const auto bubbles = bubbles_at<3>(places, 0.003);
    Context one(1), five(5);
    const auto a = surface_of<3>(bubbles, {kVoxel, {}}, {}, one);
    const auto b = surface_of<3>(bubbles, {kVoxel, {}}, {}, five);
    EXPECT_TRUE(std::equal(a.type.begin(), a.type.end(), b.type.begin()));
    ASSERT_EQ(a.level_set.values().size(), b.level_set.values().size());
    EXPECT_TRUE(std::equal(a.level_set.values().begin(), a.level_set.values().end(),
                           b.level_set.values().begin()));
}

}  // namespace
}  // namespace spume

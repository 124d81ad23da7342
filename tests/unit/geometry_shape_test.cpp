// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/geometry/solid_shape.h"

namespace spume {
namespace {

template <int D>
Point<D> random_point(std::uint64_t id, double scale) {
    return (Random(11, id, 0, Purpose::kTest).uniform_vec<D>(0) * 2.0 -
            Vec<double, D>::filled(1.0)) *
           scale;
}

TEST(BodyShape, ClosedFormsInThreeDimensions) {
    const BodyShape<3> box({.kind = BodyKind::kBox, .size = {2, 4, 6}});
    EXPECT_DOUBLE_EQ(box.distance({0, 0, 0}), -1);
    EXPECT_DOUBLE_EQ(box.distance({1 + 3, 2 + 4, 0}), 5);
    EXPECT_DOUBLE_EQ(box.distance({1 + 1, 2 + 2, 3 + 2}), 3);
    EXPECT_DOUBLE_EQ(box.volume(), 48);

    const BodyShape<3> sphere({.kind = BodyKind::kSphere, .radius = 2});
    EXPECT_DOUBLE_EQ(sphere.distance({3, 4, 0}), 3);
    EXPECT_DOUBLE_EQ(sphere.distance({0, 0, 0}), -2);
    EXPECT_DOUBLE_EQ(sphere.volume(), 4.0 / 3 * std::numbers::pi * 8);

    const BodyShape<3> cylinder({.kind = BodyKind::kCylinder, .radius = 5, .height = 4});
    EXPECT_DOUBLE_EQ(cylinder.distance({3, 0, 4}), 0);
    EXPECT_DOUBLE_EQ(cylinder.distance({0, 5, 0}), 3);
    EXPECT_DOUBLE_EQ(cylinder.distance({8, 2 + 4, 0}), 5);
    EXPECT_DOUBLE_EQ(cylinder.distance({4.5, 0, 0}), -0.5);
    EXPECT_DOUBLE_EQ(cylinder.volume(), 100 * std::numbers::pi);
}

TEST(BodyShape, ClosedFormsInTwoDimensions) {
    const BodyShape<2> disc({.kind = BodyKind::kSphere, .radius = 2});
    EXPECT_DOUBLE_EQ(disc.distance({3, 4}), 3);
    EXPECT_DOUBLE_EQ(disc.volume(), 4 * std::numbers::pi);
    const BodyShape<2> side({.kind = BodyKind::kCylinder, .radius = 5, .height = 4});
    EXPECT_DOUBLE_EQ(side.distance({-8, 2 + 4}), 5);
    EXPECT_DOUBLE_EQ(side.volume(), 40);
    const BodyShape<2> box({.kind = BodyKind::kBox, .size = {2, 4, 1e-9}});
    EXPECT_DOUBLE_EQ(box.distance({0, 0}), -1);
    EXPECT_DOUBLE_EQ(box.volume(), 8);
}

TEST(BodyShape, ShellsAndTubs) {
    const BodyShape<3> shell({.kind = BodyKind::kSphere, .radius = 2, .shell = 0.5});
    EXPECT_DOUBLE_EQ(shell.distance({0, 0, 0}), 1.5);
    EXPECT_DOUBLE_EQ(shell.distance({0, 1.75, 0}), -0.25);
    EXPECT_NEAR(shell.volume(), 4.0 / 3 * std::numbers::pi * (8 - 1.5 * 1.5 * 1.5), 1e-13);

    const BodyShape<3> tub(
        {.kind = BodyKind::kBox, .size = {4, 2, 4}, .shell = 0.5, .open_top = true});
    EXPECT_DOUBLE_EQ(tub.distance({0, 0, 0}), 0.5);      // floor
    EXPECT_DOUBLE_EQ(tub.distance({0, 1, 0}), 1.5);      // middle of the opening: floor and walls
    EXPECT_DOUBLE_EQ(tub.distance({0, 1 + 2, 0}), 2.5);  // above: 1.5 across, 2 up to the rim
    EXPECT_DOUBLE_EQ(tub.distance({1.75, 0.9, 0}), -0.1);
    EXPECT_DOUBLE_EQ(tub.volume(), 32 - 3 * 3 * 1.5);

    const BodyShape<3> cup(
        {.kind = BodyKind::kCylinder, .radius = 2, .height = 2, .shell = 0.5, .open_top = true});
    EXPECT_DOUBLE_EQ(cup.distance({0, 1 + 2, 0}), 2.5);
    EXPECT_DOUBLE_EQ(cup.distance({0, -0.75, 0}), -0.25);
    EXPECT_NEAR(cup.volume(), std::numbers::pi * (4 * 2 - 1.5 * 1.5 * 1.5), 1e-13);

    const BodyShape<2> u(
        {.kind = BodyKind::kBox, .size = {4, 2, 0}, .shell = 0.5, .open_top = true});
    EXPECT_DOUBLE_EQ(u.distance({0, 3}), 2.5);
    EXPECT_DOUBLE_EQ(u.volume(), 8 - 3 * 1.5);

    // A wall thicker than the body leaves no hollow.
    const BodyShape<3> full({.kind = BodyKind::kBox, .size = {2, 2, 2}, .shell = 1.5});
    EXPECT_DOUBLE_EQ(full.distance({0, 0, 0}), -1);
    EXPECT_DOUBLE_EQ(full.volume(), 8);
}

template <int D>
std::vector<BodyShape<D>> all_shapes() {
    std::vector<BodyShape<D>> shapes;
    for (const double shell : {0.0, 0.2})
        for (const BodyKind kind : {BodyKind::kBox, BodyKind::kSphere, BodyKind::kCylinder})
            for (const bool open : {false, true}) {
                if (open && (shell == 0 || kind == BodyKind::kSphere)) continue;
                shapes.emplace_back(BodyParameters{.kind = kind,
                                                   .size = {1.4, 1.8, 1.1},
                                                   .radius = 0.8,
                                                   .height = 1.3,
                                                   .shell = shell,
                                                   .open_top = open});
            }
    for (const double shell : {0.0, 0.2}) {
        using K = BodyKind;
        shapes.emplace_back(
            BodyParameters{.kind = K::kBox, .size = {1.4, 1.8, 1.1}, .shell = shell, .round = 0.3});
        shapes.emplace_back(
            BodyParameters{.kind = K::kCapsule, .radius = 0.4, .height = 1.7, .shell = shell});
        shapes.emplace_back(
            BodyParameters{.kind = K::kTorus, .radius = 0.7, .shell = shell, .tube = 0.35});
        for (const double top : {0.2, 0.4, 0.9})
            shapes.emplace_back(BodyParameters{.kind = K::kCone,
                                               .radius = 0.8,
                                               .height = 1.5,
                                               .shell = shell / 2,
                                               .open_top = shell > 0 && top > 0.3,
                                               .radius_top = top});
        shapes.emplace_back(BodyParameters{
            .kind = K::kCone, .radius = 0.2, .height = 1.5, .shell = shell, .radius_top = 0.9});
    }
    // A glass with a foot, and a ring of square section.
    shapes.emplace_back(BodyParameters{.kind = BodyKind::kLathe,
                                       .outline = {{0, -0.8},
                                                   {0.5, -0.8},
                                                   {0.1, -0.6},
                                                   {0.1, -0.2},
                                                   {0.6, 0.1},
                                                   {0.7, 0.9},
                                                   {0.5, 0.9},
                                                   {0.4, 0.2},
                                                   {0, 0}}});
    shapes.emplace_back(BodyParameters{.kind = BodyKind::kLathe,
                                       .outline = {{0.9, 0}, {0.9, 0.5}, {0.4, 0.5}, {0.4, 0}}});
    return shapes;
}

/// Independent of the closed forms: |d(x)| must be the radius of the largest ball around x that
/// does not cross the surface. A ball that is too large would contain a point of the other sign;
/// one that is too small leaves a shell without one.
template <int D>
void distance_is_exact() {
    const auto shapes = all_shapes<D>();
    for (std::size_t s = 0; s < shapes.size(); ++s)
        for (std::uint64_t i = 0; i < 60; ++i) {
            const Point<D> x = random_point<D>(i, 1.3);
            const double d = shapes[s].distance(x);
            bool touched = false;
            for (std::uint64_t k = 0; k < 4000; ++k) {
                Vec<double, D> u = random_point<D>(1000 + k, 1);
                if (length(u) > 1 || length(u) < 0.05) continue;
                u = u / length(u);
                const double inside_ball = shapes[s].distance(x + u * (std::abs(d) * (1 - 1e-9)));
                ASSERT_GE(inside_ball * d, 0) << "shape " << s << " ball of " << d << " too large";
                touched |= shapes[s].distance(x + u * (std::abs(d) + 0.06)) * d <= 0;
            }
            ASSERT_TRUE(touched) << "shape " << s << " ball of " << d << " too small";
        }
}

TEST(BodyShape, DistanceIsTheLargestEmptyBall2) { distance_is_exact<2>(); }
TEST(BodyShape, DistanceIsTheLargestEmptyBall3) { distance_is_exact<3>(); }

template <int D>
void gradient_has_norm_one() {
    const auto shapes = all_shapes<D>();
    for (const auto& shape : shapes) {
        int off = 0;
        for (std::uint64_t i = 0; i < 400; ++i) {
            const Point<D> x = random_point<D>(i, 1.5);
            Vec<double, D> g{};
            const double h = 1e-6;
            for (int k = 0; k < D; ++k) {
                const auto e = Vec<double, D>::unit(k, h);
                g[k] = (shape.distance(x + e) - shape.distance(x - e)) / (2 * h);
            }
            if (std::abs(length(g) - 1) > 1e-4) ++off;
        }
        EXPECT_LE(off, 1) << "only points on a ridge may differ";
    }
}

TEST(BodyShape, GradientHasNormOne2) { gradient_has_norm_one<2>(); }
TEST(BodyShape, GradientHasNormOne3) { gradient_has_norm_one<3>(); }

template <int D>
void volume_is_what_random_points_find() {
    for (const auto& shape : all_shapes<D>()) {
        const int n = 40000;
        int inside = 0;
        for (int i = 0; i < n; ++i)
            inside += shape.pick(Random(5, static_cast<std::uint64_t>(i), 0, Purpose::kTest)
                                     .template uniform_vec<D>(0))
                          ? 1
                          : 0;
        const double box = product(shape.bounds().size()), p = shape.volume() / box;
        EXPECT_NEAR(inside / double(n), p, 4 * std::sqrt(p * (1 - p) / n) + 1e-12);
    }
}

TEST(BodyShape, VolumeMatchesMonteCarlo2) { volume_is_what_random_points_find<2>(); }
TEST(BodyShape, VolumeMatchesMonteCarlo3) { volume_is_what_random_points_find<3>(); }

TEST(BodyShape, RandomPointsFillTheShapeEvenly) {
    const BodyShape<3> sphere({.kind = BodyKind::kSphere, .radius = 1});
    const int n = 20000;
    double second = 0;
    Point<3> mean{};
    for (int i = 0; i < n; ++i) {
        const Random random(9, static_cast<std::uint64_t>(i), 0, Purpose::kTest);
        const auto x = sphere.random_point(
            [&](int k) { return random.uniform_vec<3>(static_cast<std::uint32_t>(3 * k)); });
        ASSERT_TRUE(x);
        ASSERT_LE(length(*x), 1);
        mean += *x / double(n);
        second += dot(*x, *x) / n;
    }
    EXPECT_NEAR(second, 0.6, 0.01);  // ∫ r² dV / V = 3/5
    EXPECT_LT(length(mean), 0.02);
}

TEST(BodyShape, RejectsWhatMakesNoSense) {
    EXPECT_THROW(BodyShape<3>({.kind = BodyKind::kSphere, .radius = -1}), UserError);
    EXPECT_THROW(BodyShape<3>({.kind = BodyKind::kBox, .size = {1, NAN, 1}}), UserError);
    EXPECT_THROW(BodyShape<3>({.kind = BodyKind::kBox, .open_top = true}), UserError);
    EXPECT_THROW(BodyShape<3>({.kind = BodyKind::kSphere, .shell = 0.1, .open_top = true}),
                 UserError);
    EXPECT_THROW(BodyShape<2>({.kind = BodyKind::kMesh}), UserError);
}

}  // namespace
}  // namespace spume

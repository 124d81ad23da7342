// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/geometry/moving_body.h"
#include "spume/geometry/pose.h"

namespace spume {
namespace {

Vec<double, 3> random_vec(std::uint64_t id, double scale = 1) {
    return (Random(3, id, 0, Purpose::kTest).uniform_vec<3>(0) * 2.0 -
            Vec<double, 3>::filled(1.0)) *
           scale;
}

void expect_near(const Vec<double, 3>& a, const Vec<double, 3>& b, double tolerance) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
}

TEST(Pose, EulerAnglesTurnAboutFixedAxesInOrder) {
    // x: y → z. Then y: z → x. Then z: x → y.
    expect_near(Rotation::from_degrees({90, 0, 0}).apply({0, 1, 0}), {0, 0, 1}, 1e-15);
    expect_near(Rotation::from_degrees({90, 90, 0}).apply({0, 1, 0}), {1, 0, 0}, 1e-15);
    expect_near(Rotation::from_degrees({90, 90, 90}).apply({0, 1, 0}), {0, 1, 0}, 1e-15);
}

TEST(Pose, InverseUndoesAndProductComposes) {
    const Pose a{Rotation::from_degrees({20, -70, 130}), {1, 2, 3}};
    const Pose b{Rotation::from_degrees({-200, 15, 33}), {-3, 0.5, 1}};
    for (std::uint64_t i = 0; i < 20; ++i) {
        const auto x = random_vec(i, 5);
        expect_near(a.inverse().to_world(a.to_world(x)), x, 1e-13);
        expect_near(a.to_body(a.to_world(x)), x, 1e-13);
        expect_near((a * b).to_world(x), a.to_world(b.to_world(x)), 1e-13);
    }
}

TEST(Pose, QuaternionAndMatrixAgree) {
    for (std::uint64_t i = 0; i < 50; ++i) {
        const Rotation r = Rotation::from_degrees(random_vec(i, 180));
        const Rotation q = Quaternion::from_rotation(r).rotation();
        for (int k = 0; k < 3; ++k) expect_near(q.row[k], r.row[k], 1e-14);
    }
    const Quaternion turned = Quaternion{}.turned({0, 0, std::numbers::pi / 3});
    const Rotation expected = Rotation::from_degrees({0, 0, 60});
    for (int k = 0; k < 3; ++k) expect_near(turned.rotation().row[k], expected.row[k], 1e-15);
}

KeyedMotion winding_path() {
    return KeyedMotion({{0.0, {0, 0, 0}, {0, 0, 0}},
                        {0.5, {1, 0.5, -1}, {40, -20, 90}},
                        {0.8, {1.5, 0.5, 2}, {60, 100, 270}},
                        {2.0, {0, 1, 3}, {-30, 120, 900}}});
}

TEST(KeyedMotion, PassesThroughItsKeysAndHoldsBeyond) {
    const KeyedMotion motion = winding_path();
    expect_near(motion.pose(0.5).position, {1, 0.5, -1}, 1e-14);
    expect_near(motion.pose(-7).position, {0, 0, 0}, 0);
    expect_near(motion.pose(9).position, {0, 1, 3}, 0);
    expect_near(motion.pose(9).rotation.apply({1, 2, 3}),
                Rotation::from_degrees({-30, 120, 180}).apply({1, 2, 3}), 1e-13);
    EXPECT_EQ(motion.twist(-1).linear, (Vec<double, 3>{}));
    EXPECT_EQ(motion.twist(2.0).angular, (Vec<double, 3>{}));
}

TEST(KeyedMotion, VelocityOfEveryPointIsTheDerivativeOfItsPosition) {
    const MovingBody<3> body(BodyShape<3>({.kind = BodyKind::kSphere, .radius = 1}),
                             rest_pose<3>({0.3, -1, 2}, {10, 20, 30}), winding_path());
    const Vec<double, 3> material{0.4, -0.7, 0.2};
    double errors[2] = {0, 0};
    for (int level = 0; level < 2; ++level) {
        const double h = level == 0 ? 2e-3 : 1e-3;
        for (int i = 0; i < 100; ++i) {
            const double t = 0.013 + 0.0197 * i;
            // A difference across a key sees the jump of the acceleration: order one there.
            if (std::abs(t - 0.5) < 3e-3 || std::abs(t - 0.8) < 3e-3) continue;
            const auto world = [&](double s) { return body.pose(s).to_world(material); };
            const auto difference = (world(t + h) - world(t - h)) / (2 * h);
            const auto exact = body.velocity(world(t), t);
            errors[level] = std::max(errors[level], length(exact - difference));
        }
    }
    EXPECT_LT(errors[1], 1e-3);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.1);
}

TEST(KeyedMotion, VelocityIsContinuousAcrossKeys) {
    const KeyedMotion motion = winding_path();
    for (const double key : {0.0, 0.5, 0.8, 2.0}) {
        const Twist before = motion.twist(key - 1e-9), after = motion.twist(key + 1e-9);
        expect_near(before.linear, after.linear, 1e-5);
        expect_near(before.angular, after.angular, 1e-5);
    }
}

TEST(KeyedMotion, NeverOvershootsItsKeys) {
    const KeyedMotion motion({{0, {0, 0, 0}, {}},
                              {1, {0, 1, 0}, {}},
                              {1.1, {0, 5, 0}, {}},
                              {2, {0, 5, 0}, {}},
                              {3, {0, 2, 0}, {}}});
    for (int i = 0; i <= 300; ++i) {
        const double t = 0.01 * i, y = motion.pose(t).position[1];
        EXPECT_GE(y, 0);
        EXPECT_LE(y, 5 + 1e-14);
        if (t >= 1.1 && t <= 2) {
            EXPECT_NEAR(y, 5, 1e-14) << t;
        }
    }
}

TEST(KeyedMotion, RejectsKeysOutOfOrderAndNonFinite) {
    EXPECT_THROW(KeyedMotion({{1, {}, {}}, {1, {}, {}}}), UserError);
    EXPECT_THROW(KeyedMotion({{0, {}, {}}, {1, {NAN, 0, 0}, {}}}), UserError);
}

TEST(MovingBody, DistanceFollowsThePose) {
    const MovingBody<3> body(BodyShape<3>({.kind = BodyKind::kBox, .size = {2, 4, 6}}),
                             rest_pose<3>({1, 1, 1}, {0, 0, 90}),
                             keyed_motion<3>({{0, {}, {}}, {1, {0, 0, 5}, {0, 90, 0}}}));
    // At the end: edges along x, y, z are 6, 2, 4, centre (1, 1, 6).
    EXPECT_NEAR(body.distance({1 + 3 + 0.25, 1, 6}, 1), 0.25, 1e-14);
    EXPECT_NEAR(body.distance({1, 1 + 1 + 0.5, 6}, 1), 0.5, 1e-14);
    EXPECT_NEAR(body.distance({1, 1, 6 - 2 - 0.75}, 1), 0.75, 1e-14);
    EXPECT_NEAR(body.at(1).normal({1, 1, 3})[2], -1, 1e-9);
    expect_near(body.at(1).bounds().lo, {-2, 0, 4}, 1e-14);
    expect_near(body.at(1).bounds().hi, {4, 2, 8}, 1e-14);
}

TEST(MovingBody, TwoDimensionalBodiesStayInThePlane) {
    const MovingBody<2> body(BodyShape<2>({.kind = BodyKind::kBox, .size = {4, 2, 99}}),
                             rest_pose<2>({1, 2, 7}, {45, 45, 90}),
                             keyed_motion<2>({{0, {}, {}}, {1, {2, 0, 9}, {11, 22, 180}}}));
    EXPECT_NEAR(body.distance({1, 2 + 2 + 0.5}, 0), 0.5, 1e-14);
    EXPECT_NEAR(body.distance({3 + 1 + 0.5, 2}, 1), 0.5, 1e-14);
    const double t = 0.4, h = 1e-5;
    const auto world = [&](double s) { return flattened<2>(body.pose(s).to_world({0.3, 0.8, 0})); };
    const auto difference = (world(t + h) - world(t - h)) / (2 * h);
    EXPECT_LT(length(difference - body.velocity(world(t), t)), 1e-7);
}

}  // namespace
}  // namespace spume

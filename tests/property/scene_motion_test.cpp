// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/physics/domain/liquid_set.h"
#include "spume/scene/bodies.h"
#include "spume/scene/parse.h"
#include "spume/scene/print.h"
#include "spume/scene/shape_bounds.h"

// What moves in a scene, what carries it, and the shapes of bodies with many keys.

namespace spume {
namespace {

std::string complaint_of(const std::string& text) {
    try {
        parse_scene(text, "s.toml");
    } catch (const UserError& error) {
        return to_text(error.complaints().at(0));
    }
    return "";
}

TEST(SceneMotion, ACameraGoesThroughItsKeys) {
    const Scene scene = parse_scene(R"(
[camera]
field_of_view = 50
keys = [{ time = 1, position = [0, 0, 4], target = [0, 0, 0] },
        { time = 3, position = [4, 0, 4], target = [0, 1, 0], field_of_view = 30 }]
)",
                                    "s.toml");
    EXPECT_FALSE(scene.camera.automatic);
    const Camera before = camera_at(scene.camera, 0), middle = camera_at(scene.camera, 2),
                 after = camera_at(scene.camera, 9);
    EXPECT_EQ(before.position, (Vec<double, 3>{0, 0, 4}));
    EXPECT_EQ(before.field_of_view, 50);
    EXPECT_NEAR(middle.position[0], 2, 1e-12);
    EXPECT_NEAR(middle.target[1], 0.5, 1e-12);
    EXPECT_NEAR(middle.field_of_view, 40, 1e-12);
    EXPECT_EQ(after.position, (Vec<double, 3>{4, 0, 4}));
    EXPECT_EQ(after.field_of_view, 30);
    // Its words lead to the same.
    const Scene again = parse_scene(print_scene(scene), "s.toml");
    EXPECT_EQ(camera_at(again.camera, 1.7).position, camera_at(scene.camera, 1.7).position);
    EXPECT_NE(complaint_of("[camera]\nposition = [0, 0, 1]\nkeys = [{ time = 0, position = [0, 0, "
                           "1], target = [0, 0, 0] }]\n")
                  .find("keys"),
              std::string::npos);
}

TEST(SceneMotion, WhatIsAttachedNamesASolidThatCanCarryIt) {
    const auto scene = [](const char* name, const char* motion) {
        return std::string("method = \"constraint\"\n[[solid]]\nname = \"arm\"\nmotion = \"") +
               motion +
               "\"\nshape = { kind = \"sphere\", radius = 0.1 }\n[[liquid]]\nmode = \"source\"\n"
               "attach = \"" +
               name + "\"\nshape = { kind = \"sphere\", radius = 0.1 }\n";
    };
    EXPECT_EQ(complaint_of(scene("arm", "fixed")), "");
    const std::string unknown = complaint_of(scene("leg", "fixed"));
    EXPECT_NE(unknown.find("names no solid"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("\"arm\""), std::string::npos) << unknown;
    EXPECT_EQ(complaint_of(scene("arm", "dynamic")), "");
}

/// A source beside a free body: where the body is when it is asked, and where it came from before.
TEST(SceneMotion, ASourceRidesOnAFreeBody) {
    Solid raft;
    raft.name = "raft";
    raft.motion = Motion::kDynamic;
    raft.shape.center = {1, 0, 0};
    LiquidBody tap;
    tap.mode = LiquidMode::kSource;
    tap.shape.center = {2, 0, 0};
    tap.shape.size = {0.2, 0.2, 0.2};
    tap.velocity = {3, 0, 0};
    tap.attach = "raft";
    const LiquidSet<3> liquids({tap}, 1000, 1, {}, {raft});
    EXPECT_EQ(liquids.flow_at(0, 0.05).sources.at(0).body.pose().position, tap.shape.center);
    // Turned by 90° about z and at (5, 1, 0) now, it goes up and turns further.
    const Twist twist{{0, 0.5, 0}, {0, 0, 2}};
    const Pose pose{Rotation::from_degrees({0, 0, 90}), {5, 1, 0}};
    PlacedSolids<3> bodies{{PlacedBody<3>(body_shape<3>(raft.shape, {}), pose, twist)}};
    const auto now = liquids.flow_at(0.3, 0.05, bodies).sources.at(0);
    EXPECT_LT(length(now.body.pose().position - Vec<double, 3>{5, 2, 0}), 1e-12);
    EXPECT_LT(length(now.velocity - Vec<double, 3>{0, 3, 0}), 1e-12);
    EXPECT_LT(length(now.body.velocity({5, 2, 0}) - Vec<double, 3>{-2, 0.5, 0}), 1e-12);
    const double dt = 1e-5;
    const auto before = liquids.flow_at(0.3 - dt, 0.05, bodies, dt).sources.at(0);
    EXPECT_LT(length((now.body.pose().position - before.body.pose().position) / dt -
                     Vec<double, 3>{-2, 0.5, 0}),
              1e-4);
    // It goes with what brought the body here, not with a velocity that it gets only now.
    bodies.placed[0].set_came({});
    EXPECT_EQ(length(liquids.flow_at(0.3, 0.05, bodies).sources.at(0).body.velocity({5, 2, 0})), 0);
}

/// A source on an arm that swings: it is where the arm has it, blows where the arm points, and what
/// it gives has the arm's velocity too.
TEST(SceneMotion, ASourceIsCarriedByItsSolid) {
    Solid arm;
    arm.name = "arm";
    arm.motion = Motion::kKeyed;
    arm.shape.center = {1, 0, 0};
    arm.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {2, {0, 1, 0}, {0, 0, 180}}};
    LiquidBody tap;
    tap.mode = LiquidMode::kSource;
    tap.shape.center = {2, 0, 0};
    tap.shape.size = {0.2, 0.2, 0.2};
    tap.velocity = {3, 0, 0};
    tap.attach = "arm";
    const LiquidSet<3> liquids({tap}, 1000, 1, {}, {arm});
    const auto at = [&](double time) { return liquids.flow_at(time, 0.05).sources.at(0); };
    // Half way: the arm is at (1, ½), turned by 90°.
    const auto half = at(1);
    EXPECT_LT(length(half.body.pose().position - Vec<double, 3>{1, 1.5, 0}), 1e-12);
    EXPECT_LT(length(half.velocity - Vec<double, 3>{0, 3, 0}), 1e-12);
    // Its own motion is that of its places before and after.
    const double dt = 1e-5;
    const Vec<double, 3> moved =
        (at(1 + dt).body.pose().position - at(1 - dt).body.pose().position) / (2 * dt);
    EXPECT_LT(length(half.body.velocity({1, 1.5, 0}) - moved), 1e-6);
    EXPECT_GT(length(moved), 1);
}

TEST(SceneMotion, BoundsHoldTheShapesAndNoMore) {
    const Scene scene = parse_scene(R"(
[[solid]]
shape = { kind = "cone", center = [1, 2, 3], radius = 0.5, radius_top = 0.2, height = 2, rotation = [20, 0, 50] }
[[solid]]
shape = { kind = "capsule", radius = 0.3, height = 2, rotation = [0, 10, 70] }
[[solid]]
shape = { kind = "torus", radius = 1, tube = 0.2, rotation = [30, 0, 40] }
[[solid]]
shape = { kind = "lathe", rotation = [0, 0, 30], profile = [{ radius = 0, height = 0 }, { radius = 1, height = 0 }, { radius = 0.5, height = 3 }] }
[[solid]]
shape.kind = "compound"
shape.rotation = [0, 0, 90]
shape.part = [{ kind = "box", size = [2, 1, 1] },
    { kind = "sphere", radius = 0.4, center = [1, 0, 0], combine = "difference" }]
)",
                                    "s.toml");
    ASSERT_EQ(scene.solids.size(), 5u);
    for (const Solid& solid : scene.solids) {
        const Box<double, 3> box = shape_bounds(solid.shape);
        const PlacedBody<3> body = placed<3>(solid.shape, {});
        Box<double, 3> found{Vec<double, 3>::filled(1e9), Vec<double, 3>::filled(-1e9)};
        for (std::uint64_t i = 0; i < 60000; ++i) {
            const Vec<double, 3> x = box.lo - Vec<double, 3>::filled(0.2) +
                                     multiply(box.size() + Vec<double, 3>::filled(0.4),
                                              Random(5, i, 0, Purpose::kTest).uniform_vec<3>(0));
            if (body.distance(x) < 0) found = found.including(x);
        }
        for (int a = 0; a < 3; ++a) {
            EXPECT_GE(found.lo[a], box.lo[a] - 1e-12);
            EXPECT_LE(found.hi[a], box.hi[a] + 1e-12);
            EXPECT_NEAR(found.lo[a], box.lo[a], 0.12) << int(solid.shape.kind) << " " << a;
            EXPECT_NEAR(found.hi[a], box.hi[a], 0.12) << int(solid.shape.kind) << " " << a;
        }
    }
}

TEST(SceneMotion, ImpossibleShapesAreTold) {
    const std::string head = "[[solid]]\nshape.kind = ";
    EXPECT_NE(complaint_of(head + "\"torus\"\nshape.radius = 1\nshape.tube = 2\n").find("tube"),
              std::string::npos);
    EXPECT_NE(complaint_of(head + "\"capsule\"\nshape.radius = 1\nshape.height = 1\n").find("caps"),
              std::string::npos);
    EXPECT_NE(complaint_of(
                  head + "\"lathe\"\nshape.profile = [{ radius = 0, height = 0 }, { radius = 1, "
                         "height = 1 }, { radius = 1, height = 0 }, { radius = 0, height = 1 }]\n")
                  .find("cross"),
              std::string::npos);
    EXPECT_NE(complaint_of(head +
                           "\"compound\"\nshape.part = [{ kind = \"sphere\", radius = 1, combine = "
                           "\"difference\" }]\n")
                  .find("first part"),
              std::string::npos);
    EXPECT_NE(complaint_of(head + "\"compound\"\nshape.part = [{ kind = \"compound\" }]\n"), "");
}

}  // namespace
}  // namespace spume

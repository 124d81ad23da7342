// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/geometry/rigid.h"
#include "spume/geometry/solid_shape.h"

// Cones, capsules, tori, lathes, rounded boxes and compounds.

namespace spume {
namespace {

constexpr double kPi = std::numbers::pi;
using K = BodyKind;

BodyParameters compound(std::vector<BodyPart> parts) {
    BodyParameters p;
    p.kind = K::kCompound;
    p.parts = std::make_shared<const std::vector<BodyPart>>(std::move(parts));
    return p;
}

Pose at(double x, double y, double z) { return {{}, {x, y, z}}; }

/// A ball with a hole along y, of which only the upper half stays.
BodyParameters drilled_dome() {
    return compound({{{.kind = K::kSphere, .radius = 1}, {}, Combine::kUnion},
                     {{.kind = K::kCylinder, .radius = 0.5, .height = 4}, {}, Combine::kDifference},
                     {{.kind = K::kBox, .size = {4, 2, 4}}, at(0, 1, 0), Combine::kIntersection}});
}

TEST(Shapes, VolumesAreThoseOfTheirFormulas) {
    const auto volume = [](const BodyParameters& p) { return BodyShape<3>(p).volume(); };
    const auto area = [](const BodyParameters& p) { return BodyShape<2>(p).volume(); };
    const BodyParameters frustum{.kind = K::kCone, .radius = 2, .height = 3, .radius_top = 1};
    EXPECT_NEAR(volume(frustum), kPi * 3 / 3 * (4 + 2 + 1), 1e-12);
    EXPECT_NEAR(area(frustum), 9, 1e-12);
    const BodyParameters capsule{.kind = K::kCapsule, .radius = 1, .height = 5};
    EXPECT_NEAR(volume(capsule), kPi * 3 + 4 * kPi / 3, 1e-12);
    EXPECT_NEAR(area(capsule), 6 + kPi, 1e-12);
    const BodyParameters torus{.kind = K::kTorus, .radius = 2, .tube = 0.5};
    EXPECT_NEAR(volume(torus), 2 * kPi * kPi * 2 * 0.25, 1e-12);
    EXPECT_NEAR(area(torus), 0.5 * kPi, 1e-12);
    // Of a unit sphere only half is left, and of that what is outside of the hole.
    EXPECT_NEAR(volume(drilled_dome()), 2 * kPi / 3 * std::pow(0.75, 1.5), 2e-3);
}

TEST(Shapes, TipsAreAsFarAsTheyAre) {
    const BodyShape<3> up({.kind = K::kCone, .radius = 3, .height = 4});
    EXPECT_DOUBLE_EQ(up.distance({0, 5, 0}), 3);
    EXPECT_DOUBLE_EQ(up.distance({0, -2.5, 0}), 0.5);
    EXPECT_NEAR(up.distance({0, 0, 0}), -3 * 2 / 5.0, 1e-12);  // to the side: 3-4-5
    const BodyShape<2> down({.kind = K::kCone, .radius = 0, .height = 4, .radius_top = 3});
    EXPECT_DOUBLE_EQ(down.distance({0, -3}), 1);
    EXPECT_NEAR(down.distance({0, 0}), -3 * 2 / 5.0, 1e-12);
}

TEST(Shapes, MassMomentsAreThoseOfTheirFormulas) {
    const auto of = [](const BodyParameters& p) { return mass_moments(BodyShape<3>(p)); };
    // A solid cone: centre at a quarter of its height, 3/10 m r² about its axis.
    const MassMoments cone = of({.kind = K::kCone, .radius = 1, .height = 2});
    const double m = 2 * kPi / 3;
    EXPECT_NEAR(cone.volume, m, 1e-12);
    EXPECT_NEAR(cone.centre[1], -0.5, 1e-12);
    EXPECT_NEAR(cone.inertia[1][1], 0.3 * m, 1e-12);
    EXPECT_NEAR(cone.inertia[0][0], m * (3.0 / 20 + 3.0 / 80 * 4), 1e-12);
    const MassMoments torus = of({.kind = K::kTorus, .radius = 2, .tube = 0.5});
    EXPECT_NEAR(torus.inertia[1][1], torus.volume * (4 + 0.75 * 0.25), 1e-12);
    EXPECT_NEAR(torus.inertia[0][0], torus.volume * (2 + 0.625 * 0.25), 1e-12);
    // Two balls far apart, by the theorem of parallel axes.
    const MassMoments pair = of(compound({{{.kind = K::kSphere, .radius = 1}, at(-2, 0, 0), {}},
                                          {{.kind = K::kSphere, .radius = 1}, at(4, 0, 0), {}}}));
    const double ball = 4 * kPi / 3;
    EXPECT_NEAR(pair.volume, 2 * ball, 2e-3 * ball);
    EXPECT_NEAR(pair.centre[0], 1, 1e-3);
    EXPECT_NEAR(pair.inertia[1][1], 2 * ball * (0.4 + 9), 0.01 * 2 * ball * 9.4);
    EXPECT_NEAR(pair.inertia[0][0], 2 * ball * 0.4, 0.01 * 2 * ball * 0.4);
}

TEST(Shapes, CompoundsAreWhatTheirPartsMake) {
    const BodyShape<3> dome(drilled_dome());
    int inside = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Point<3> x =
            (Random(3, i, 0, Purpose::kTest).uniform_vec<3>(0) - Point<3>::filled(0.5)) * 2.4;
        const bool in = length(x) < 1 && x[1] > 0 && std::hypot(x[0], x[2]) > 0.5;
        EXPECT_EQ(dome.distance(x) < 0, in);
        EXPECT_EQ(dome.distance_within(x, 0.1) < 0, in);
        inside += in ? 1 : 0;
    }
    EXPECT_GT(inside, 200);
    EXPECT_NEAR(dome.bounds().lo[1], 0, 1e-12);
    // The wall of a box from which a box is cut.
    const BodyShape<3> vessel(compound(
        {{{.kind = K::kBox, .size = {2, 2, 2}}, {}, {}},
         {{.kind = K::kBox, .size = {1.9, 2, 1.9}}, at(0, 0.1, 0), Combine::kDifference}}));
    EXPECT_NEAR(vessel.thickness(), 0.05, 1e-3);
}

TEST(Shapes, ThicknessIsThatOfTheWall) {
    EXPECT_NEAR(BodyShape<3>({.kind = K::kLathe,
                              .outline = {{0, 0}, {1, 0}, {1, 2}, {0.9, 2}, {0.9, 0.2}, {0, 0.2}}})
                    .thickness(),
                0.1, 1e-12);
    EXPECT_NEAR(BodyShape<3>({.kind = K::kTorus, .radius = 1, .tube = 0.2}).thickness(), 0.4,
                1e-12);
}

TEST(Shapes, RejectWhatMakesNoSense) {
    EXPECT_THROW(BodyShape<3>({.kind = K::kTorus, .radius = 1, .tube = 1.5}), UserError);
    EXPECT_THROW(BodyShape<3>({.kind = K::kCapsule, .radius = 1, .height = 1}), UserError);
    EXPECT_THROW(BodyShape<3>({.kind = K::kCone, .radius = 0, .radius_top = 0}), UserError);
    EXPECT_THROW(BodyShape<3>({.kind = K::kBox, .size = {1, 1, 1}, .round = 0.6}), UserError);
    EXPECT_THROW(BodyShape<3>({.kind = K::kLathe, .outline = {{0, 0}, {1, 0}}}), UserError);
    EXPECT_THROW(BodyShape<3>({.kind = K::kLathe, .outline = {{0, 0}, {1, 1}, {1, 0}, {0, 1}}}),
                 UserError)
        << "a bow tie";
    EXPECT_THROW(BodyShape<3>(compound({})), UserError);
    EXPECT_THROW(
        BodyShape<3>(compound({{{.kind = K::kSphere}, {}, {}},
                               {{.kind = K::kSphere}, at(5, 0, 0), Combine::kIntersection}})),
        UserError);
}

}  // namespace
}  // namespace spume

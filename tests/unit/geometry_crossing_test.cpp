// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/geometry/moving_body.h"

// Where straight ways enter bodies, against steps of the distance along them.

namespace spume {
namespace {

template <int D>
Point<D> random_point(std::uint64_t id, int draw) {
    return (Random(23, id, 0, Purpose::kTest).uniform_vec<D>(draw) - Vec<double, D>::filled(0.5)) *
           4.0;
}

/// The way enters where it is said to: outside before, on the surface there, and inside soon after.
template <int D>
void expect_crossings(const BodyShape<D>& body, const char* what) {
    constexpr int kSteps = 4000;
    int found = 0, missed = 0;
    for (std::uint64_t n = 0; n < 400; ++n) {
        const Point<D> a = random_point<D>(n, 0), b = random_point<D>(n, 1);
        if (!(body.distance(a) > 1e-9)) {
            EXPECT_FALSE(body.first_crossing(a, b)) << what << " begins inside";
            continue;
        }
        double enters = 2;
        for (int k = 1; k <= kSteps && enters > 1; ++k)
            if (body.distance(a + (b - a) * (double(k) / kSteps)) < 0) enters = double(k) / kSteps;
        const auto at = body.first_crossing(a, b);
        if (!at) {
            EXPECT_GT(enters, 1) << what << ", way " << n;
            ++missed;
            continue;
        }
        ++found;
        const Point<D> x = a + (b - a) * at->part;
        EXPECT_NEAR(body.distance(x), 0, 1e-9) << what << ", way " << n;
        EXPECT_LE(at->part, enters + 1e-9);
        EXPECT_LT(dot(at->normal, b - a), 1e-12);
        EXPECT_NEAR(length(at->normal), 1, 1e-9);
        EXPECT_GT(body.distance(x + at->normal * 1e-6), 0.99e-6);
    }
    EXPECT_GT(found, 20) << what;
    EXPECT_GT(missed, 20) << what;
}

template <int D>
void expect_all_kinds() {
    expect_crossings<D>(BodyShape<D>({.kind = BodyKind::kBox, .size = {1.5, 0.4, 2}}), "box");
    expect_crossings<D>(BodyShape<D>({.kind = BodyKind::kBox, .size = {2, 0.01, 2}}), "plate");
    expect_crossings<D>(BodyShape<D>({.kind = BodyKind::kBox, .size = {2, 2, 2}, .shell = 0.02}),
                        "hollow box");
    expect_crossings<D>(
        BodyShape<D>({.kind = BodyKind::kBox, .size = {2, 2, 2}, .shell = 0.02, .open_top = true}),
        "tub");
    expect_crossings<D>(BodyShape<D>({.kind = BodyKind::kSphere, .radius = 1}), "ball");
    expect_crossings<D>(BodyShape<D>({.kind = BodyKind::kSphere, .radius = 1, .shell = 0.01}),
                        "hollow ball");
    expect_crossings<D>(BodyShape<D>({.kind = BodyKind::kCylinder, .radius = 1, .height = 1.5}),
                        "cylinder");
    expect_crossings<D>(BodyShape<D>({.kind = BodyKind::kCylinder,
                                      .radius = 1,
                                      .height = 2,
                                      .shell = 0.03,
                                      .open_top = true}),
                        "cup");
}

template <int D>
void expect_new_kinds() {
    using K = BodyKind;
    expect_crossings<D>(BodyShape<D>({.kind = K::kBox, .size = {1.5, 1, 2}, .round = 0.2}),
                        "rounded box");
    expect_crossings<D>(BodyShape<D>({.kind = K::kCapsule, .radius = 0.6, .height = 2}), "capsule");
    expect_crossings<D>(
        BodyShape<D>({.kind = K::kTorus, .radius = 0.9, .shell = 0.01, .tube = 0.5}), "inner tube");
    expect_crossings<D>(BodyShape<D>({.kind = K::kCone,
                                      .radius = 0.6,
                                      .height = 2,
                                      .shell = 0.01,
                                      .open_top = true,
                                      .radius_top = 1.1}),
                        "beaker");
}

TEST(Crossing, IsWhereAWayEntersABody) {
    expect_all_kinds<2>();
    expect_all_kinds<3>();
    expect_new_kinds<2>();
    expect_new_kinds<3>();
}

TEST(Crossing, SheetsAreCrossedFromBothSides) {
    const BodyShape<3> sheet({.kind = BodyKind::kBox, .size = {2, 0, 2}});
    for (const double side : {1.0, -1.0}) {
        const auto at = sheet.first_crossing({0.2, 3 * side, 0.1}, {0.2, -side, 0.1});
        ASSERT_TRUE(at);
        EXPECT_DOUBLE_EQ(at->part, 0.75);
        EXPECT_DOUBLE_EQ(at->normal[1], side);
        EXPECT_FALSE(sheet.first_crossing({1.2, side, 0}, {1.2, -side, 0})) << "beside it";
        EXPECT_FALSE(sheet.first_crossing({0, 2 * side, 0}, {0, side, 0})) << "before it";
    }
    EXPECT_EQ(sheet.thickness(), 0);
    EXPECT_THROW(BodyShape<3>({.kind = BodyKind::kBox, .size = {0, 0, 2}}), UserError);
    EXPECT_THROW(BodyShape<2>({.kind = BodyKind::kBox, .size = {0, 1, 2}, .shell = 0.1}),
                 UserError);
}

TEST(Crossing, MeshesAreCrossedAtTheirFaces) {
    // A square of two faces: the diagonal that they share belongs to both.
    TriangleMesh square;
    square.vertices = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    square.triangles = {{0, 1, 2}, {0, 2, 3}};
    const BodyShape<3> sheet(
        {.kind = BodyKind::kMesh, .mesh = std::make_shared<MeshDistance>(square)});
    EXPECT_EQ(sheet.thickness(), 0);
    for (int i = -9; i <= 9; ++i)
        for (const double side : {1.0, -1.0}) {
            const double x = 0.1 * i;
            const auto at = sheet.first_crossing({x, side, x}, {x, -side, x});
            ASSERT_TRUE(at) << i;
            EXPECT_NEAR(at->part, 0.5, 1e-12);
            EXPECT_NEAR(at->normal[1], side, 1e-12);
        }
}

TEST(Crossing, OfAMovingBodyIsThatOfTheWayRelativeToIt) {
    const BodyShape<2> sheet({.kind = BodyKind::kBox, .size = {0, 4, 1}});
    const PlacedBody<2> before(sheet, {Rotation::from_degrees({0, 0, 0}), {0, 0, 0}}, {});
    const PlacedBody<2> after(sheet, {Rotation::from_degrees({0, 0, 0}), {1, 0, 0}}, {});
    EXPECT_FALSE(after.first_crossing({0.5, 0}, {0.6, 0})) << "it stands behind the sheet";
    EXPECT_TRUE(after.first_crossing(before, {0.5, 0}, {0.6, 0})) << "the sheet passed it";
    EXPECT_FALSE(after.first_crossing(before, {0.5, 0}, {1.5, 0})) << "it went along";
    EXPECT_FALSE(after.first_crossing(before, {-0.5, 0}, {0.5, 0})) << "it came after";
}

}  // namespace
}  // namespace spume

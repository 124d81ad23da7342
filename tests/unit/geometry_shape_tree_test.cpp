// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/geometry/shape_tree.h"

namespace spume {
namespace {

template <int D>
using Parts = std::vector<typename ShapeTree<D>::Part>;

template <int D>
Point<D> place(std::uint64_t id, int draw, double scale) {
    return (Random(5, id, 0, Purpose::kTest).uniform_vec<D>(draw) * 2.0 - Point<D>::filled(1.0)) *
           scale;
}

/// A block of liquid, then balls, boxes and cylinders of many sizes, turned, added and cut.
template <int D>
Parts<D> many_shapes(std::size_t count) {
    Parts<D> r;
    r.push_back(
        {PlacedBody<D>(BodyShape<D>({.kind = BodyKind::kBox, .size = {2, 1, 2}}), {}, {}), false});
    for (std::size_t i = 1; i < count; ++i) {
        const auto u = Random(6, i, 0, Purpose::kTest).uniform_vec<3>(0);
        const double size = 0.02 + 0.2 * u[0] * u[0] * u[0];
        const BodyKind kinds[] = {BodyKind::kBox, BodyKind::kSphere, BodyKind::kCylinder};
        const BodyShape<D> shape({.kind = kinds[i % 3],
                                  .size = {size, 2 * size, size},
                                  .radius = size,
                                  .height = size,
                                  .shell = i % 7 == 0 ? size / 5 : 0});
        const Vec<double, 3> turn{D == 3 ? 90 * u[1] : 0, 0, 90 * u[2]};
        r.push_back({PlacedBody<D>(shape, rest_pose<D>(lifted(place<D>(i, 1, 1.2)), turn), {}),
                     u[1] < 0.6});
    }
    return r;
}

template <int D>
double by_all(const Parts<D>& parts, const Point<D>& x) {
    double d = std::numeric_limits<double>::infinity();
    for (const auto& part : parts)
        d = part.cut ? std::max(d, -part.body.distance(x)) : std::min(d, part.body.distance(x));
    return d;
}

template <int D>
void answers_are_those_of_all(std::size_t count) {
    const auto parts = many_shapes<D>(count);
    const ShapeTree<D> tree(parts);
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const Point<D> x = place<D>(i, 7, i % 2 == 0 ? 1.4 : 3.0);  // also beyond all shapes
        ASSERT_EQ(tree.distance(x), by_all(parts, x)) << i;
    }
}

TEST(ShapeTree, AnswersAreThoseOfAskingAll2) { answers_are_those_of_all<2>(400); }
TEST(ShapeTree, AnswersAreThoseOfAskingAll3) { answers_are_those_of_all<3>(400); }
TEST(ShapeTree, AFewShapesNeedNoTree) { answers_are_those_of_all<3>(3); }

TEST(ShapeTree, CutsBeforeAnythingIsThereAndNothingAtAll) {
    EXPECT_EQ(ShapeTree<3>().distance({0, 0, 0}), std::numeric_limits<double>::infinity());
    Parts<2> parts = many_shapes<2>(50);
    for (auto& part : parts) part.cut = true;
    EXPECT_EQ(ShapeTree<2>(parts).distance({0, 0}), std::numeric_limits<double>::infinity());
}

TEST(ShapeTree, ShapesThatOverlapEverywhereKeepItSmall) {
    Parts<3> parts;
    for (int i = 0; i < 200; ++i)
        parts.push_back(
            {PlacedBody<3>(BodyShape<3>({.kind = BodyKind::kSphere, .radius = 1 + 1e-9 * i}), {},
                           {}),
             i % 2 == 1});
    const ShapeTree<3> tree(parts);
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Point<3> x = place<3>(i, 3, 1);
        ASSERT_EQ(tree.distance(x), by_all(parts, x)) << i;
    }
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "cip_run.h"
#include "spume/methods/cip/method.h"

namespace spume {
namespace {

Solid solid(const Vec<double, 3>& center, double radius, Motion motion) {
    Solid s;
    s.shape.kind = ShapeKind::kSphere;
    s.shape.center = center;
    s.shape.radius = radius;
    s.motion = motion;
    s.density = 500;
    return s;
}

template <int D>
void expect_warning(std::vector<Solid> solids, const std::string& part) {
    Scene scene = cip_box(D, 1.0 / 16, {1, 1, 1});
    scene.solids = std::move(solids);
    Context context(1);
    const auto lines = cip::foreseen(scene, {}, Inputs{}, context);
    ASSERT_EQ(lines.size(), part.empty() ? 0u : 1u);
    for (const std::string& line : lines) EXPECT_NE(line.find(part), std::string::npos) << line;
}

/// What cannot move from where it begins is told before the run, with the place.
template <int D>
void bodies_without_room() {
    const auto free = Motion::kDynamic, fixed = Motion::kFixed;
    const Vec<double, 3> middle{0.5, 0.5, 0.5};
    expect_warning<D>({solid(middle, 0.2, free)}, "");
    expect_warning<D>({solid({0.2, 0.5, 0.5}, 0.2, free)}, "");  // touches the wall
    expect_warning<D>({solid({0, 0.5, 0.5}, 0.2, free)},
                      "solid[0] is free to move and begins in "
                      "the side x- of the box at (0, ");
    expect_warning<D>({solid({0.5, 0.95, 0.5}, 0.2, free)}, "the side y+ of the box at (");
    expect_warning<D>({solid({3, 0.5, 0.5}, 0.2, free)}, "outside of the box");
    expect_warning<D>({solid(middle, 0.2, fixed), solid({0.6, 0.5, 0.5}, 0.1, free)},
                      "solid[1] is free to move and begins in solid[0] at (");
    expect_warning<D>({solid(middle, 2, fixed)}, "solids fill the box");
}

TEST(CipForeseen, BodiesWithoutRoom) {
    bodies_without_room<2>();
    bodies_without_room<3>();
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "spume/io/vdb_foreign_grids.h"

namespace spume {
namespace {

using openvdb::Coord;
using openvdb::FloatGrid;

/// The largest error on the faces of a line along an axis, from means and what is added to them.
template <class F, class Error>
double worst(int axis, int cells, F&& face, Error&& added) {
    const auto means = FloatGrid::create(0);
    Coord at(3, -5, 7);
    const int first = at[axis];
    for (int i = 0; i < cells; ++i) {
        at[axis] = first + i;
        means->tree().setValue(at, float((face(i) + face(i + 1)) / 2 + added(i)));
    }
    const auto faces = faces_of_means(*means, axis);
    double r = 0;
    for (int i = 0; i <= cells; ++i) {
        at[axis] = first + i;
        EXPECT_TRUE(faces->tree().isValueOn(at)) << i;
        r = std::max(r, std::abs(double(faces->tree().getValue(at)) - face(i)));
    }
    EXPECT_EQ(faces->activeVoxelCount(), std::uint64_t(cells) + 1);
    return r;
}
constexpr auto kNothing = [](int) { return 0.0; };

TEST(FacesOfMeans, ALineIsExactAndAFrontIsNotSeenFarAway) {
    const auto line = [](int i) { return 2 - 0.3 * i; };
    for (int axis = 0; axis < 3; ++axis)
        for (int cells : {2, 3, 9, 60}) EXPECT_LT(worst(axis, cells, line, kNothing), 1e-5);
    EXPECT_LT(worst(
                  1, 1, [](int) { return 0.7; }, kNothing),
              1e-6);
    const auto front = [&](int i) { return i < 23 ? line(i) : 5.0; };
    EXPECT_LT(worst(0, 60, front, kNothing), 1e-5);
}

/// Waves of eight voxels: means have lost 8 % of them.
TEST(FacesOfMeans, AWaveComesBack) {
    const auto wave = [](int i) { return std::sin(i * 2 * 3.14159265358979 / 8); };
    EXPECT_LT(worst(2, 100, wave, kNothing), 1e-4);
}

/// What is no mean adds up along a line; only what adds up nearby may be left.
TEST(FacesOfMeans, ErrorsOfMeansDoNotAddUp) {
    const auto still = [](int) { return 1.0; };
    const auto alternating = [](int i) { return i & 1 ? 1e-3 : -1e-3; };
    EXPECT_LT(worst(0, 16, still, alternating), 0.02);
    EXPECT_LT(worst(0, 1000, still, alternating), 0.02);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/particles/neighbours.h"

namespace spume {
namespace {

/// A crowd, a haze and a few points far away.
template <int D>
std::vector<Point<D>> crowd(std::size_t n) {
    std::vector<Point<D>> points;
    for (std::size_t i = 0; i < n; ++i) {
        const Point<D> u = Random(31, i, 0, Purpose::kTest).uniform_vec<D>(0);
        const double size = i % 3 ? 1.0 : i % 50 ? 6.0 : 4000.0;
        points.push_back((u - Point<D>::filled(0.5)) * size);
    }
    points.push_back(points[0]);  // two in one place
    return points;
}

template <int D>
void expect_brute_force(std::size_t n, double radius) {
    const auto points = crowd<D>(n);
    Context context(2);
    const NeighbourLists lists = find_neighbours<D>(points, radius, context);
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<std::uint32_t> expected;
        for (std::size_t j = 0; j < points.size(); ++j) {
            double squared = 0;
            for (int a = 0; a < D; ++a)
                squared += (points[i][a] - points[j][a]) * (points[i][a] - points[j][a]);
            if (j != i && squared <= radius * radius)
                expected.push_back(static_cast<std::uint32_t>(j));
        }
        std::vector<std::uint32_t> found(lists.of(i).begin(), lists.of(i).end());
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, expected) << "point " << i;
        pairs += expected.size();
    }
    EXPECT_EQ(lists.pairs(), pairs);
    EXPECT_GT(pairs, points.size());
}

TEST(Neighbours, AgreeWithBruteForce) {
    expect_brute_force<2>(2000, 0.05);
    expect_brute_force<2>(2000, 0.4);
    expect_brute_force<3>(2000, 0.15);
    expect_brute_force<3>(2000, 0.7);
}

TEST(Neighbours, DistanceEqualToTheRadiusCounts) {
    const std::vector<Point<2>> points{{0, 0}, {1, 0}, {2, 0}, {0, -1}};
    Context context;
    const NeighbourLists lists = find_neighbours<2>(points, 1.0, context);
    EXPECT_EQ(lists.count[0], 2u);
    EXPECT_EQ(lists.count[1], 2u);
    EXPECT_EQ(lists.count[2], 1u);
    EXPECT_EQ(lists.count[3], 1u);
}

TEST(Neighbours, SameListsOnAnyThreadCount) {
    const auto points = crowd<3>(30000);
    Context one(1);
    const NeighbourLists expected = find_neighbours<3>(points, 0.06, one);
    EXPECT_GT(expected.pairs(), points.size());
    for (int threads : {2, 3, 4, 8}) {
        Context context(threads);
        const NeighbourLists lists = find_neighbours<3>(points, 0.06, context);
        EXPECT_TRUE(std::ranges::equal(lists.pool.read(), expected.pool.read()));
        EXPECT_TRUE(std::ranges::equal(lists.first.read(), expected.first.read()));
        EXPECT_TRUE(std::ranges::equal(lists.count.read(), expected.count.read()));
    }
}

TEST(Neighbours, NobodyAndOne) {
    Context context;
    EXPECT_EQ(find_neighbours<2>({}, 1.0, context).pairs(), 0u);
    const std::vector<Point<3>> alone{{1, 2, 3}};
    EXPECT_TRUE(find_neighbours<3>(alone, 1.0, context).of(0).empty());
}

TEST(Neighbours, NotANumberIsADefect) {
    Context context;
    const std::vector<Point<2>> points{{0, 0}, {std::nan(""), 0}};
    EXPECT_THROW(find_neighbours<2>(points, 1.0, context), Defect);
}

}  // namespace
}  // namespace spume

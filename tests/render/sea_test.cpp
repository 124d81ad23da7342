// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/sea.h"

#include <gtest/gtest.h>

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

// Water around a domain that is much wider than deep: none of it stands above the level, and the
// surface of the domain becomes level towards its sides.
TEST(Sea, OfAWideShallowDomainIsLevel) {
    const Sea sea{{{0, -2, 0}, {400, 2, 400}}, {200, 0, 200}, 0.0, 1e4, 4.0};
    World world;
    add_sea(world, sea, 0);
    ASSERT_EQ(world.surfaces.size(), 5u);
    for (const Surface& s : world.surfaces)
        for (const auto& x : s.begin) EXPECT_LE(x[1], 1e-6f);
    std::vector<Vec3> wave{{3, 0.5, 200}, {200, 0.5, 200}, {200, -2, 200}};
    fade_to_level(wave, sea);
    EXPECT_NEAR(wave[0][1], 0, 1e-12);
    EXPECT_EQ(wave[1][1], 0.5);
    EXPECT_EQ(wave[2][1], -2);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/csv.h"

#include <gtest/gtest.h>

namespace spume {
namespace {

TEST(Csv, IsATableOfPointsWithTheirIdsFirst) {
    PointSet set{"bubbles", Array<Vec<double, 3>>(2), {}};
    Array<Vec<float, 3>> v(2);
    Array<float> radius(2, 0.002f);
    Array<std::uint64_t> id(2, 7);
    set.position.write()[1] = {0.1, -2, 1e-9};
    v.write()[1] = {1, 0.5f, 0};
    id.write()[1] = 18446744073709551615u;
    set.columns = {{"v", "m/s", v}, {"pscale", "m", radius}, {"id", "", id}};
    EXPECT_EQ(encode_csv(set),
              "id,x,y,z,vx,vy,vz,pscale\n"
              "7,0,0,0,0,0,0,0.002\n"
              "18446744073709551615,0.1,-2,1e-09,1,0.5,0,0.002\n");
    set.columns.pop_back();
    EXPECT_EQ(encode_csv(set).substr(25, 20), "0,0,0,0,0,0,0,0.002\n");
}

}  // namespace
}  // namespace spume

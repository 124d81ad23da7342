// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

/// The only complaint about a scene with a still bulk and these lines.
Complaint complaint_of(const std::string& lines,
                       const std::string& bulk = "[bulk]\nkind = \"still\"\nlevel = 0.8\n") {
    try {
        parse_scene("[domain]\nvoxel = 0.02\n" + bulk + lines, "s.toml");
    } catch (const UserError& error) {
        EXPECT_EQ(error.complaints().size(), 1u) << error.what();
        return error.complaints().at(0);
    }
    ADD_FAILURE() << "nothing wrong with " << lines;
    return {};
}
bool says(const Complaint& c, const std::string& message, const std::string& remedy) {
    return c.message.find(message) != std::string::npos &&
           c.remedy.find(remedy) != std::string::npos && c.place.line > 0;
}

TEST(EmissionScene, AnEmptyRangeOfAerationIsRefused) {
    const Complaint c = complaint_of("[aeration]\na_min = 10\na_max = 10\n");
    EXPECT_TRUE(says(c, "aeration.a_max = 10 is not above a_min = 10", "1 and 100")) << c.message;
    EXPECT_EQ(c.place.line, 8);
}

TEST(EmissionScene, NeedsABulk) {
    const Complaint c = complaint_of("[emission]\n", "");
    EXPECT_TRUE(says(c, "there is none", "[[emitter]]")) << c.message;
}

TEST(EmissionScene, BubblesMustFitTheirVoxels) {
    const Complaint c = complaint_of("[emission]\nradius_max = \"13 mm\"\n");
    EXPECT_TRUE(says(c, "more air than a voxel of 0.02 m holds", "0.0124"))
        << c.message << c.remedy;
    parse_scene(
        "[domain]\nvoxel = 0.02\n[bulk]\nkind = \"still\"\nlevel = 0.8\n[emission]\n"
        "radius_max = \"12.4 mm\"\n",
        "s.toml");
}

TEST(EmissionScene, RadiiMustBeInOrder) {
    EXPECT_TRUE(
        says(complaint_of("[emission]\nradius_min = 0.006\n"), "is above radius_max", "Exchange"));
    EXPECT_TRUE(says(complaint_of("[emission]\ndistribution = \"two_slope\"\n"
                                  "split_radius = 0.006\n"),
                     "split_radius = 0.006 m is not between", "within the range"));
}

TEST(EmissionScene, PlacesMustBeInTheDomain) {
    const std::string far = "shape = { kind = \"sphere\", center = [9, 0, 0], radius = 1 }\n";
    EXPECT_TRUE(says(complaint_of("[emission]\n[[emission.region]]\n" + far),
                     "emission.region[0] is outside the domain", "Move"));
    EXPECT_TRUE(says(complaint_of("[emission]\n[[emission.kill]]\n" + far),
                     "emission.kill[0] is outside the domain", "Move"));
}

TEST(EmissionScene, OnlyACacheHasVolumes) {
    EXPECT_TRUE(says(complaint_of("[emission]\nmask = \"foam\"\n"), "only a cached bulk has any",
                     "[[emission.region]]"));
}

TEST(EmissionScene, AerationNeedsSurfaceTension) {
    EXPECT_TRUE(says(complaint_of("[physics]\nsurface_tension = 0\n[emission]\n"),
                     "compares with surface tension", "0.072"));
}

TEST(EmissionScene, KeysThatDoNothingAreRefused) {
    EXPECT_TRUE(says(complaint_of("[emission]\nsplit_radius = 0.001\n"), "split_radius", ""));
    EXPECT_TRUE(says(complaint_of("[emission]\noutside = 0.5\n"), "outside", ""));
}

}  // namespace
}  // namespace spume

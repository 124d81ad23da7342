// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "spume/io/usd.h"

namespace spume {
namespace {

Frame two_bubbles() {
    Frame frame;
    frame.number = 12;
    PointSet points;
    points.name = "bubbles";
    points.position = Array<Vec<double, 3>>(2);
    points.position.write()[1] = {0.1, 2, -3};
    Array<float> radius(2, 0.25f);
    Array<std::uint64_t> id(2);
    id.write()[1] = 7;
    points.columns = {{"pscale", "m", radius}, {"id", "", id}};
    frame.points = {points};
    frame.meshes = {{"bubbles", {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}}};
    return frame;
}

TEST(Usd, AFrameHoldsPointsMeshesAndVolumes) {
    const std::string text =
        encode_usda(two_bubbles(), {{"density", "./volumes/density.0012.vdb"}});
    for (const char* part :
         {"#usda 1.0\n", "upAxis = \"Y\"", "metersPerUnit = 1", "def Points \"bubbles\"",
          "point3f[] points.timeSamples = { 12: [(0, 0, 0), (0.1, 2, -3)] }",
          "float[] widths.timeSamples = { 12: [0.5, 0.5] }",  // diameters
          "int64[] ids.timeSamples = { 12: [0, 7] }", "def Mesh \"bubbles_mesh\"",
          "int[] faceVertexIndices.timeSamples = { 12: [0, 1, 2] }",
          "asset filePath = @./volumes/density.0012.vdb@"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Usd, TheStageTiesFramesTogether) {
    UsdSequence s;
    s.fps = 48;
    s.frames = {3, 5};
    s.files = {"./frame.0003.usda", "./frame.0005.usda"};
    s.points = {"bubbles"};
    s.volumes = {{"density", {"", "./volumes/density.0005.vdb"}}};
    const std::string text = encode_usda_stage(s, "./clips.usda");
    for (const char* part :
         {"timeCodesPerSecond = 48", "startTimeCode = 3", "endTimeCode = 5",
          "asset[] assetPaths = [@./frame.0003.usda@, @./frame.0005.usda@]",
          "double2[] active = [(3, 0), (5, 1)]", "double2[] times = [(3, 3), (5, 5)]",
          "filePath.timeSamples = { 5: @./volumes/density.0005.vdb@ }"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Usd, NamesBecomeIdentifiers) {
    EXPECT_EQ(usd_name("bubbles"), "bubbles");
    EXPECT_EQ(usd_name("3 d\"x"), "_3_d_x");
    EXPECT_EQ(usd_name(""), "_");
}

}  // namespace
}  // namespace spume

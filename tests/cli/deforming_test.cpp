// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/format.h>

#include "cli/program.h"

namespace spume::test {
namespace {

/// A pool with a floor that rises, as files of a mesh say.
class Deforming : public ProgramTest {
  protected:
    /// A box as wide as the tank, from below it up to a height.
    void write_floor(int number, double top, bool without_a_face = false) {
        std::string text;
        for (int i = 0; i < 8; ++i)
            text += fmt::format("v {} {} {}\n", i & 1 ? 1 : -1, i & 2 ? top : -1.0, i & 4 ? 1 : -1);
        for (const char* face : {"1 3 4", "1 4 2", "5 6 8", "5 8 7", "1 2 6", "1 6 5", "3 7 8",
                                 "3 8 4", "1 5 7", "1 7 3", "2 4 8", "2 8 6"})
            if (!without_a_face || std::string(face) != "2 8 6")
                text += fmt::format("f {}\n", face);
        write(fmt::format("floor_{:03}.obj", number), text);
    }
    std::string scene(const std::string& shape, const std::string& more = "") {
        return write("scene.toml",
                     "version = 1\nmethod = \"constraint\"\n[time]\nframes = 4\n"
                     "[domain]\nlower = [0, 0, 0]\nupper = [0.8, 1, 0.8]\n"
                     "voxel = 0.1\nsides = \"wall\"\nbottom = \"wall\"\n[[liquid]]\n"
                     "shape = { kind = \"box\", center = [0, 0.25, 0], size = [2, "
                     "0.5, 2] }\n[[solid]]\nname = \"floor\"\n" +
                         shape + "\n" + more + "[output]\nvdb = false\npreview = \"none\"\n");
    }
};

constexpr const char* kFloor = "shape = { kind = \"mesh\", file = \"floor_###.obj\", fps = 12 }";

TEST_F(Deforming, AFloorLiftsTheWaterAndAResumedRunIsTheSame) {
    for (int n = 3; n <= 6; ++n) write_floor(n, 0.1 + 0.04 * (n - 3));
    const std::string file = scene(kFloor);
    const Outcome checked = spume({"check", file});
    EXPECT_EQ(checked.status, 0) << checked.err;
    EXPECT_EQ(checked.err, "");
    const Outcome whole = spume({"run", file, "-o", "whole"});
    ASSERT_EQ(whole.status, 0) << whole.err;
    ASSERT_EQ(spume({"run", file, "-o", "parts", "-e", "2"}).status, 0);
    const Outcome rest = spume({"run", file, "-o", "parts", "-e", "4", "--resume"});
    ASSERT_EQ(rest.status, 0) << rest.err;
    for (int n = 1; n <= 4; ++n) {
        const std::string mesh = fmt::format("/mesh/surface.{:04}.ply", n);
        const std::string bytes = content_of(directory + "/whole" + mesh);
        EXPECT_FALSE(bytes.empty());
        EXPECT_EQ(content_of(directory + "/parts" + mesh), bytes) << mesh;
    }
    EXPECT_EQ(spume({"verify", "whole"}).status, 0);
    // Another floor is another run.
    write_floor(5, 0.3);
    EXPECT_NE(spume({"run", file, "-o", "parts", "-e", "5", "--resume"}).status, 0);
}

TEST_F(Deforming, CheckSeesThatItSqueezesTheAirOfAClosedTank) {
    for (int n = 1; n <= 4; ++n) write_floor(n, 0.1 + 0.04 * n);
    const std::string file = scene(kFloor);
    const Outcome r = spume({"check", file, "--set", "domain.top=\"wall\""});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_NE(r.err.find("\"floor\" changes the volume of a closed compartment"), std::string::npos)
        << r.err;
}

TEST_F(Deforming, GoesToOtherProgramsAsItIsInEachFrame) {
    for (int n = 1; n <= 4; ++n) write_floor(n, 0.1 + 0.04 * n);
    const std::string file = scene(kFloor);
    ASSERT_EQ(spume({"run", file, "-o", "c"}).status, 0);
    ASSERT_EQ(spume({"export", "c", "--to", "usd"}).status, 0);
    const std::string stage = content_of(directory + "/c/export/spume.usda");
    EXPECT_NE(stage.find("point3f[] points.timeSamples"), std::string::npos);
    ASSERT_EQ(spume({"export", "c", "--to", "solids"}).status, 0);
    const std::string solids = content_of(directory + "/c/export/solids.json");
    EXPECT_NE(solids.find("solids/0.3.ply"), std::string::npos) << solids;
    const std::string first = content_of(directory + "/c/export/solids/0.1.ply"),
                      third = content_of(directory + "/c/export/solids/0.3.ply");
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(first.size(), third.size());
    EXPECT_NE(first, third);
}

TEST_F(Deforming, WhatIsWrongIsNamedAtItsPlace) {
    const auto complaint = [&](const std::string& shape, const std::string& more = "") {
        const Outcome r = spume({"check", scene(shape, more)});
        EXPECT_EQ(r.status, 2) << r.out;
        return r.err;
    };
    const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    const std::string nothing = complaint(kFloor);
    EXPECT_TRUE(has(nothing, "scene.toml:15:33: error")) << nothing;
    EXPECT_TRUE(has(nothing, "no file of that name and a number")) << nothing;
    write_floor(1, 0.1);
    write_floor(3, 0.2);
    const std::string gap = complaint(kFloor);
    EXPECT_TRUE(has(gap, "scene.toml:15:33: error")) << gap;
    EXPECT_TRUE(has(gap, "no file floor_002.obj of the sequence from 1 to 3")) << gap;
    write_floor(2, 0.15, true);
    const std::string differs = complaint(kFloor);
    EXPECT_TRUE(has(differs, "floor_002.obj")) << differs;
    EXPECT_TRUE(has(differs, "11 faces")) << differs;
    EXPECT_TRUE(has(differs, "same faces in every file")) << differs;
    write_floor(2, 0.15);
    const std::string dynamic = complaint(kFloor, "motion = \"dynamic\"\n");
    EXPECT_TRUE(has(dynamic, "scene.toml:15:33: error")) << dynamic;
    EXPECT_TRUE(has(dynamic, "a dynamic solid cannot deform")) << dynamic;
    const std::string still =
        complaint("shape = { kind = \"mesh\", file = \"floor_001.obj\", fps = 12 }");
    EXPECT_TRUE(has(still, "fps has no effect when file is no sequence")) << still;
    const std::string source =
        complaint(kFloor,
                  "[[liquid]]\nmode = \"source\"\nvelocity = [0, 1, 0]\nshape = { kind = \"mesh\", "
                  "file = \"floor_$F3.obj\" }\n");
    EXPECT_TRUE(has(source, "a source cannot deform")) << source;
}

}  // namespace
}  // namespace spume::test

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "cli/program.h"

namespace spume::test {
namespace {

class Check : public ProgramTest {
  protected:
    /// What `check` warns of: a tank with water below and a keyed block that moves down in it.
    std::string warned(const std::string& size, const std::string& top,
                       const std::string& bubbles = "constrained", int dimensions = 3) {
        const std::string file = write(
            "scene.toml",
            "version = 1\nmethod = \"constraint\"\n[time]\nframes = 48\n[domain]\ndimensions = " +
                std::to_string(dimensions) +
                "\nlower = [0, 0, 0]\nupper = [1, 1, 1]\ndivisions = 32\nsides = \"wall\"\n"
                "bottom = \"wall\"\ntop = \"" +
                top +
                "\"\n[[solid]]\nname = \"block\"\nshape = { kind = \"box\", center = [0.5, "
                "0.85, 0.5], size = " +
                size +
                " }\nmotion = \"keyed\"\nkeys = [ { time = 0.5, position = [0, 0, 0] }, { time = "
                "1, position = [0, -0.3, 0] } ]\n[[liquid]]\nshape = { kind = \"box\", center = "
                "[0.5, 0.2, 0.5], size = [1, 0.4, 1] }\n[constraint]\nbubbles = \"" +
                bubbles + "\"\n");
        const Outcome r = spume({"check", file});
        EXPECT_EQ(r.status, 0) << r.err;
        return r.err;
    }
};

const char kPiston[] = "[1.2, 0.1, 1.2]", kPlunger[] = "[0.4, 0.8, 0.4]",
           kBlock[] = "[0.4, 0.1, 0.4]";

TEST_F(Check, WarnsOfAClosedCompartmentThatASolidSqueezes) {
    for (const int dimensions : {2, 3}) {
        const std::string text = warned(kPiston, "wall", "constrained", dimensions);
        EXPECT_NE(text.find("\"block\" changes the volume of a closed compartment"),
                  std::string::npos)
            << text;
        EXPECT_NE(text.find("by -0.3 m^"), std::string::npos) << text;
        EXPECT_NE(text.find("between 0.5 s and 1 s"), std::string::npos) << text;
        EXPECT_NE(text.find("compressible"), std::string::npos) << text;
        // Above it there is air alone, which nothing is solved for.
        EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
    }
    // A piston from wall to wall closes what is below it, whatever the top.
    EXPECT_NE(warned(kPiston, "open"), "");
    // One that comes in through the top wall.
    EXPECT_NE(warned(kPlunger, "wall").find("block"), std::string::npos);
}

TEST_F(Check, IsSilentWhereNothingIsSqueezed) {
    EXPECT_EQ(warned(kPlunger, "open"), "");
    EXPECT_EQ(warned(kBlock, "wall"), "");  // moves about without changing any volume
    EXPECT_EQ(warned(kPiston, "wall", "compressible"), "");
    EXPECT_EQ(warned(kPiston, "wall", "off"), "");
    const std::string fig5 = std::string(SPUME_SOURCE) + "/scenes/gb17_fig5_moving_boundary.toml";
    for (const char* preset : {"low", "paper"})
        EXPECT_EQ(spume({"check", fig5, "--preset", preset}).err, "");
    // Its lid closed, the platform has nowhere to press the air.
    EXPECT_NE(spume({"check", fig5, "--set", "domain.top=wall"}).err.find("\"platform\" changes"),
              std::string::npos);
}

TEST_F(Check, NamesWallsThinnerThanAVoxelWithTheVoxelTheyNeed) {
    const auto said = [&](const std::string& edge, const std::string& command) {
        const std::string file = write(
            "wall.toml",
            "version = 1\nmethod = \"constraint\"\n[time]\nframes = 1\n[domain]\ndimensions = 2\n"
            "lower = [0, 0, 0]\nupper = [1, 1, 1]\ndivisions = 20\nbottom = \"wall\"\n[[solid]]\n"
            "name = \"plate\"\nshape = { kind = \"box\", center = [0.5, 0.31, 0.5], size = [1, " +
                edge +
                ", 1] }\n[[liquid]]\nshape = { kind = \"box\", center = [0.5, 0.1, 0.5], size = "
                "[1, 0.2, 1] }\n");
        const Outcome r = command == "check"
                              ? spume({"check", file})
                              : spume({"run", file, "-o", directory + "/out", "--overwrite"});
        EXPECT_EQ(r.status, 0) << r.err;
        return r.err;
    };
    for (const char* command : {"check", "run"}) {
        const std::string thin = said("0.02", command);
        EXPECT_NE(thin.find("\"plate\""), std::string::npos) << thin;
        EXPECT_NE(thin.find("0.4 of a voxel"), std::string::npos) << thin;
        EXPECT_NE(thin.find("domain.voxel = 0.02"), std::string::npos) << thin;
        const std::string sheet = said("0", command);
        EXPECT_NE(sheet.find("\"plate\" is a sheet"), std::string::npos) << sheet;
        EXPECT_EQ(said("0.05", command).find("plate"), std::string::npos) << "one voxel";
    }
}

TEST_F(Check, OnlySolidsMayBeSheets) {
    const auto status = [&](const std::string& body) {
        const std::string file =
            write("sheet.toml",
                  "version = 1\nmethod = \"constraint\"\n[domain]\ndimensions = 3\n"
                  "lower = [0, 0, 0]\nupper = [1, 1, 1]\ndivisions = 8\n" +
                      body);
        return spume({"check", file}).status;
    };
    const std::string water =
        "[[liquid]]\nshape = { kind = \"box\", center = [0.5, 0.1, 0.5], size = [1, 0.2, 1] }\n";
    const std::string solid =
        "[[solid]]\nshape = { kind = \"box\", center = [0.5, 0.5, 0.5], size = ";
    EXPECT_EQ(status(water + solid + "[1, 0, 1] }\n"), 0);
    EXPECT_EQ(status(water + solid + "[0, 0, 1] }\n"), 2);
    EXPECT_EQ(status(water + solid + "[1, 0, 1] }\nmotion = \"dynamic\"\n"), 2);
    EXPECT_EQ(
        status("[[liquid]]\nshape = { kind = \"box\", center = [0.5, 0.1, 0.5], size = [1, 0, "
               "1] }\n"),
        2);
}

}  // namespace
}  // namespace spume::test

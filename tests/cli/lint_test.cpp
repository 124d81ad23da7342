// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/format.h>

#include "cli/program.h"

namespace spume::test {
namespace {

/// A tank of 0.4 m with one emitter; `emitter` is its keys beside the shape, `more` what follows.
class Lint : public ProgramTest {
  protected:
    static constexpr const char* kBall =
        "shape = { kind = \"sphere\", center = [0, 0.1, 0], radius = 0.05 }\n";
    std::string scene(const std::string& emitter, const std::string& shape = kBall,
                      const std::string& more = "") {
        return write("lint.toml",
                     "version = 1\nmethod = \"mixture\"\n[time]\nframes = 24\n[domain]\nlower = "
                     "[-0.2, 0, -0.2]\nupper = [0.2, 0.4, 0.2]\nvoxel = 0.01\n[[emitter]]\nname = "
                     "\"jet\"\n" +
                         shape + emitter + "[output]\npreview = \"none\"\n" + more);
    }
    std::string warned(const std::string& file) {
        const Outcome r = spume({"check", file});
        EXPECT_EQ(r.status, 0) << r.err;
        return r.err;
    }
    static bool holds(const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    }
};

const char kModest[] = "rate = \"0.05 l/s\"\nradius = \"1 mm\"\n";

TEST_F(Lint, IsSilentAboutASceneThatIsRight) { EXPECT_EQ(warned(scene(kModest)), ""); }

TEST_F(Lint, KnowsOverFullEmitters) {
    const std::string small =
        "shape = { kind = \"sphere\", center = [0, 0.1, 0], radius = 0.015 }\n";
    EXPECT_TRUE(holds(warned(scene("rate = \"2 l/s\"\nradius = \"1 mm\"\n", small)),
                      "emitter \"jet\" is over-full"));
    EXPECT_EQ(warned(scene("rate = \"0.1 l/s\"\nradius = \"1 mm\"\n", small)), "");
    // What check foresees, run says too.
    const Outcome run =
        spume({"run", scene("rate = \"2 l/s\"\nradius = \"1 mm\"\n", small), "-o", "x", "-e", "1"});
    EXPECT_TRUE(holds(run.err, "warning: emitter \"jet\" is over-full: its place passes on"))
        << run.err;
}

TEST_F(Lint, KnowsEmittersThatGiveNothing) {
    EXPECT_TRUE(holds(warned(scene(std::string(kModest) + "start = 1.5\n")),
                      "starts at 1.5 s, after the end of the run at 1 s"));
    EXPECT_TRUE(holds(warned(scene(kModest, kBall,
                                   "[[solid]]\nshape = { kind = \"box\", center = [0, 0.1, 0], "
                                   "size = [0.2, 0.2, 0.2] }\n")),
                      "emitter \"jet\" lies in a solid"));
    const std::string outside =
        "shape = { kind = \"sphere\", center = [0, 0.9, 0], radius = 0.05 }\n";
    const Outcome r = spume({"check", scene(kModest, outside)});
    EXPECT_TRUE(r.status == 2 || holds(r.err, "outside of the domain")) << r.err;
    const std::string none = write("none.toml",
                                   "version = 1\nmethod = \"mixture\"\n[domain]\nlower = [0, 0, "
                                   "0]\nupper = [1, 1, 1]\ndivisions = 8\n");
    const Outcome empty = spume({"check", none});
    EXPECT_TRUE(empty.status == 2 || holds(empty.err, "no emitter")) << empty.err;
}

TEST_F(Lint, KnowsBubblesTooLargeForTheVoxelAndForWater) {
    const std::string wide = warned(scene("rate = \"0.05 l/s\"\nradius = \"6 mm\"\n"));
    EXPECT_TRUE(holds(wide, "a radius of 0.6 voxels")) << wide;
    EXPECT_TRUE(holds(wide, "domain.voxel = 0.03")) << wide;
    EXPECT_TRUE(holds(warned(scene("rate = \"0.05 l/s\"\nradius = 0.03\n")), "Weber"));
    EXPECT_TRUE(holds(warned(scene("rate = \"0.05 l/s\"\nradius = \"1 mm\"\n", kBall,
                                   "[physics]\nviscosity = 1000\n")),
                      "hardly move"));
}

TEST_F(Lint, KnowsADomainThatIsNoMultipleOfTheVoxel) {
    const auto tank = [&](const char* upper) {
        return write("box.toml", fmt::format("version = 1\nmethod = \"mixture\"\n[domain]\nlower = "
                                             "[0, 0, 0]\nupper = {}\nvoxel = 0.1\n[[emitter]]\n"
                                             "shape = {{ kind = \"sphere\", center = [0.5, 0.2, "
                                             "0.5], radius = 0.2 }}\n{}",
                                             upper, kModest));
    };
    EXPECT_EQ(warned(tank("[1, 1.2, 0.9]")), "");
    const std::string text = warned(tank("[1, 1.26, 0.84]"));
    EXPECT_TRUE(holds(text, "1 x 1.26 x 0.84 m is no whole number of voxels")) << text;
    EXPECT_TRUE(holds(text, "simulated as 1 x 1.3 x 0.8 m")) << text;
}

TEST_F(Lint, TakesBubblesSpreadAtHalfAVoxel) {
    // 0.07/7 and half of it are no binary fractions: equal up to rounding.
    const std::string file = write(
        "share.toml",
        "version = 1\nmethod = \"mixture\"\n[domain]\nlower = [0, 0, 0]\nupper = [0.07, 0.07, "
        "0.07]\ndivisions = 7\n[[emitter]]\nmode = \"seed\"\nradius_law = \"cell_share\"\nspacing "
        "= 0.005\nshape = { kind = \"sphere\", center = [0.035, 0.035, 0.035], radius = 0.02 }\n");
    const Outcome r = spume({"check", file});
    EXPECT_EQ(r.status, 0) << r.err;
}

TEST_F(Lint, SaysHowManyParticlesALiquidHas) {
    const std::string file = write(
        "dam.toml",
        "version = 1\nmethod = \"constraint\"\n[time]\nframes = 4\n[domain]\ndimensions = 2\nlower "
        "= [0, 0]\nupper = [1, 1]\ndivisions = 32\nbottom = \"wall\"\nsides = "
        "\"wall\"\n[[liquid]]\nshape = { kind = \"box\", center = [0.25, 0.25], size = [0.5, 0.5] "
        "}\n");
    // 16 x 16 voxels of four.
    EXPECT_TRUE(holds(spume({"check", file}).out, "liquid: about 1.02e+03 particles"));
}

/// A box of air, open above, with what follows in it.
std::string tank(const std::string& more, const char* method = "constraint") {
    return fmt::format(
        "version = 1\nmethod = \"{}\"\n[time]\nframes = 24\n[domain]\nlower = [0, 0, 0]\nupper = "
        "[1, "
        "1, 1]\ndivisions = 16\nsides = \"wall\"\nbottom = \"wall\"\n{}",
        method, more);
}
const char kPool[] =
    "[[liquid]]\nshape = { kind = \"box\", center = [0.5, 0.2, 0.5], size = [1, 0.4, 1] }\n";
const char kTap[] =
    "[[liquid]]\nname = \"tap\"\nmode = \"source\"\nshape = { kind = \"box\", center = [0.5, 0.7, "
    "0.5], size = [0.2, 0.2, 0.2] }\n";

TEST_F(Lint, KnowsLiquidsThatDoNotCome) {
    const auto says = [&](const std::string& text, const char* part) {
        const std::string all = warned(write("tank.toml", text));
        EXPECT_TRUE(holds(all, part)) << all;
    };
    EXPECT_EQ(warned(write("tank.toml", tank(std::string(kPool) + kTap + "velocity = [0, -1, 0]"))),
              "");
    says(tank(std::string(kPool) + kTap), "liquid \"tap\" is a source without velocity");
    says(tank(std::string(kPool) + kTap + "velocity = [0, -1, 0]\nstart = 2\n"),
         "liquid \"tap\" starts at 2 s, after the end of the run at 1 s");
    for (const char* method : {"constraint", "particle_level_set"}) {
        says(tank("[[liquid]]\nshape = { kind = \"box\", center = [2.5, 0.2, 0.5], size = [1, 0.4, "
                  "1] }\n",
                  method),
             "liquid [0] lies in a solid or outside of the domain");
        says(tank("", method), "there is no liquid");
    }
}

TEST_F(Lint, KnowsSlipsOfUnits) {
    const auto says = [&](const std::string& more, const char* part) {
        const std::string all = warned(write("tank.toml", tank(kPool + more)));
        EXPECT_TRUE(holds(all, part)) << all;
    };
    says("[physics]\nsurface_tension = 72.8\n", "is it in mN/m?");
    says("[physics]\nwater_density = 1\nair_density = 0.01\n", "is it in g/cm^3?");
    says("[physics]\ngravity = [0, 0, -9.81]\n", "no part along y");
    says(
        "[[solid]]\nname = \"cork\"\nmotion = \"dynamic\"\ndensity = 0.24\nshape = { kind = "
        "\"sphere\", center = [0.5, 0.5, 0.5], radius = 0.3 }\n",
        "solid \"cork\" of 0.24 kg/m^3");
}

TEST_F(Lint, KnowsEmittersInTheAirAndTooLargeBubblesInALiquid) {
    const auto emitter = [](double height, const char* radius) {
        return fmt::format(
            "[[emitter]]\nname = \"jet\"\nrate = 1e-6\nradius = {}\nshape = {{ kind = \"sphere\", "
            "center = "
            "[0.5, "
            "{}, 0.5], radius = 0.05 }}\n",
            radius, height);
    };
    const std::string liquid = std::string(kPool) + "[whitewater]\n";
    const std::string still = "[bulk]\nkind = \"still\"\nlevel = 0.4\n";
    const auto of = [&](const std::string& text) { return warned(write("tank.toml", text)); };
    for (const auto& [method, water] :
         {std::pair{"constraint", liquid}, std::pair{"guided", still}}) {
        std::string open = tank(water + emitter(0.7, "\"2 mm\""), method);
        if (method == std::string("guided"))
            open.erase(open.find("sides"),
                       std::string("sides = \"wall\"\nbottom = \"wall\"\n").size());
        EXPECT_TRUE(holds(of(open), "emitter \"jet\" lies in the air at the start")) << of(open);
        const std::size_t at = open.find("0.7, 0.5], radius");
        open.replace(at, 3, "0.2");
        EXPECT_EQ(of(open), "");
        open.replace(open.find("\"2 mm\""), 6, "\"4 cm\"");
        EXPECT_TRUE(holds(of(open), "a radius of 0.64 voxels")) << of(open);
    }
}

TEST_F(Lint, KnowsSolidsOutOfPlaceAndLiquidsThatRunOut) {
    const auto of = [&](const std::string& text) { return warned(write("tank.toml", text)); };
    const auto box = [](const std::string& center, const std::string& more) {
        return "[[solid]]\nname = \"box\"\nshape = { kind = \"box\", center = " + center +
               ", size = [0.3, 0.3, 0.3] }\n" + more;
    };
    const std::string keys =
        "motion = \"keyed\"\nkeys = [{ time = 0, position = [0.5, 0.7, 0.5] }, { "
        "time = 1, position = [0.5, 0.6, 0.5] }]\n";
    const std::string afloat = "motion = \"dynamic\"\ndensity = 500\n";
    EXPECT_EQ(of(tank(kPool + box("[0.5, 0.7, 0.5]", afloat))), "");
    EXPECT_TRUE(holds(of(tank(kPool + box("[3, 0.7, 0.5]", ""))),
                      "solid \"box\" is never in the domain\n"));
    EXPECT_TRUE(holds(of(tank(kPool + box("[0.5, 0.7, 0.5]", keys))),
                      "never in the domain: keys are offsets"));
    EXPECT_TRUE(holds(of(tank(kPool + box("[0.9, 0.7, 0.5]", afloat))), "of solid \"box\" lie in"));
    std::string open = tank(kPool);
    open.erase(open.find("bottom"), std::string("bottom = \"wall\"\n").size());
    EXPECT_TRUE(holds(of(open), "domain.bottom is \"open\", and liquid [0] reaches down to it"));
}

TEST_F(Lint, SaysWhichCornerIsLeftOut) {
    std::string one = tank(kPool);
    one.erase(one.find("lower"), std::string("lower = [0, 0, 0]\n").size());
    const std::string text = warned(write("corner.toml", one));
    EXPECT_TRUE(holds(text,
                      "domain.upper is given and domain.lower is not: the domain reaches from "
                      "[-0.5, 0, -0.5] to [1, 1, 1]"))
        << text;
}

TEST_F(Lint, TellsHowLongARunWillTake) {
    const Outcome r = spume({"check", scene(kModest), "--time", "-e", "3"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_TRUE(holds(r.out, "time: ")) << r.out;
    EXPECT_TRUE(holds(r.out, " for 3 frames on ")) << r.out;
    EXPECT_FALSE(std::filesystem::exists(directory + "/out"));
}

}  // namespace
}  // namespace spume::test

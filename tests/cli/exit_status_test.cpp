// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace spume::test {
namespace {

using Cli = ProgramTest;

const char kTiny[] =
    "version = 1\nmethod = \"mixture\"\n[time]\nframes = 2\n[domain]\ndimensions = 2\nlower = [0, "
    "0]\nupper = "
    "[0.1, 0.1]\ndivisions = 16\n[[emitter]]\nmode = \"seed\"\ncount = 5\nshape = { kind = "
    "\"box\", center = "
    "[0.05, 0.03], size = [0.05, 0.02] }\n[output]\npreview = \"none\"\n";

TEST_F(Cli, StatusAndWordsOfEveryKindOfMistake) {
    write("tiny.toml", kTiny);
    write("typo.toml", std::string(kTiny) + "vdbb = true\n");
    write("broken.toml", "version = \n");
    const std::string room =
        "version = 1\nmethod = \"mixture\"\n[[emitter]]\nmode = \"seed\"\ncount = 5\nshape = { "
        "kind = \"box\", "
        "center = [0, 0.5, 0], size = [0.1, 0.1, 0.1] }\n";
    write("mesh.toml", room + "[[solid]]\nshape = { kind = \"mesh\", file = \"missing.ply\" }\n");
    write("dense.toml", room + "[domain]\ndense = true\ndivisions = 64\n");
    write("huge.toml", room + "[domain]\ndense = true\ndivisions = 4000\n");
    write("bad.vdb", "not a vdb");
    write("bad.ply",
          "ply\nformat ascii 1.0\nelement vertex 4294967295\nproperty float x\nend_header\n");
    write("bad.obj", "v 0 0 0\nf 1 2 3\n");
    write("file", "");
    std::filesystem::create_directory(directory + "/empty");
    ASSERT_EQ(spume({"run", "tiny.toml", "-o", "cache", "--progress", "none"}).status, 0);

    struct Case {
        Words arguments;
        int status;
        const char* said;  ///< in the error, or in the output if there is none
    };
    const Case cases[] = {
        {{"--help"}, 0, "Exit status"},
        {{"--version"}, 0, "."},
        {{"run", "--help"}, 0, "--checkpoint-every"},
        {{}, 2, "subcommand"},
        {{"dance"}, 2, "subcommand"},
        {{"run"}, 2, "scene"},
        {{"run", "tiny.toml", "--no-such-flag"}, 2, "--no-such-flag"},
        {{"run", "tiny.toml", "-j", "-1"}, 2, "--threads"},
        {{"view", "missing"}, 2, "no such directory"},
        {{"export", "cache", "--to", "usd", "-o", "as_usd"}, 0, "as usd in as_usd"},
        {{"export", "cache", "--to", "vtk"}, 0, "frames as vtk in cache/export"},
        {{"export", "cache", "--to", "csv"}, 0, "frames as csv in cache/export"},
        {{"export", "cache", "--to", "abc"}, 2, "--to"},
        {{"export", "cache", "--to", "ply", "-s", "9000"}, 2, "no frames in this range"},
        {{"export", "empty", "--to", "ply"}, 2, "no cache here"},
        {{"view", "cache", "--port", "99999"}, 2, "--port"},
        {{"run", "tiny.toml", "-j", "many"}, 2, "--threads"},
        {{"run", "tiny.toml", "--progress", "loud"}, 2, "--progress"},
        {{"run", "tiny.toml", "--memory", "0"}, 2, "--memory"},
        {{"run", "tiny.toml", "--resume", "--overwrite"}, 2, "--resume"},
        {{"run", "tiny.toml", "--force"}, 2, "--force"},
        {{"run", "tiny.toml", "-s", "5", "-e", "3", "-o", "x"}, 2, "comes before the first"},
        {{"run", "nowhere.toml"}, 2, "nowhere.toml: error:"},
        {{"run", "typo.toml", "-o", "x"}, 2, "typo.toml:16:1: error:"},
        {{"run", "broken.toml", "-o", "x"}, 2, "broken.toml:1:"},
        {{"check", "broken.toml"}, 2, "broken.toml:1:"},
        {{"run", "mesh.toml", "-o", "x"}, 2, "missing.ply: error:"},
        {{"run", "huge.toml", "-o", "x"}, 2, "TB of memory"},
        {{"check", "huge.toml"}, 2, "TB of memory"},
        {{"run", "dense.toml", "-o", "x", "--memory", "0.01"}, 2, "more than the 10.0 MB allowed"},
        {{"run", "tiny.toml", "-o", "x", "--set", "domain.divisions=none"}, 2, "domain.divisions"},
        {{"run", "tiny.toml", "-o", "cache"}, 2, "already holds frames 1 to 2"},
        {{"run", "tiny.toml", "-o", "cache", "--resume", "--seed", "9"}, 2, "seed: was 1, is 9"},
        {{"run", "tiny.toml", "-o", "cache", "--resume", "--set", "domain.divisions=20"},
         2,
         "domain.divisions"},
        {{"run", "tiny.toml", "-o", "cache", "--resume"}, 0, "nothing left"},
        {{"run", "tiny.toml", "-o", "x", "--dry-run"}, 0, "memory:"},
        {{"run", "tiny.toml", "-o", "file/x"}, 4, "file"},
        {{"run", "tiny.toml", "-o", "/proc/x"}, 4, "/proc/x"},
        {{"check", "tiny.toml"}, 0, "Reynolds"},
        {{"info", "cache"}, 0, "frames 1 to 2 asked for, 2 there, complete"},
        {{"info", "cache/points/bubbles.0001.vdb"}, 0, "5 points, attributes P v id pscale"},
        {{"info", "cache/points/bubbles.0001.ply"}, 0, "5 points"},
        {{"info", "bad.vdb"}, 2, "bad.vdb: error:"},
        {{"info", "bad.ply"}, 2, "bad.ply: error:"},
        {{"info", "bad.obj"}, 2, "bad.obj:2:1: error:"},
        {{"info", "nowhere"}, 2, "nowhere: error:"},
        {{"info", "empty"}, 2, "not a cache"},
        {{"verify", "cache"}, 0, "2 frames"},
        {{"verify", "nowhere"}, 2, "no such directory"},
        {{"render", "empty"}, 2, "not a cache"},
        {{"render", "cache", "-f", "7"}, 2, "frames 1 to 2 only"},
        {{"render", "cache", "--size", "big"}, 2, "WIDTHxHEIGHT"},
        {{"render", "cache", "-f", "2", "--size", "64x48", "-o", "p.png"}, 0, "p.png"},
        {{"list", "methods"}, 0, "mixture"},
        {{"list", "scenes"}, 0, "bubble_column"},
        {{"list", "cars"}, 2, "cars"},
        {{"help", "mixture"}, 0, "newton_iterations"},
        {{"help", "scene"}, 0, "fps"},
        {{"help", "mixtur"}, 2, "mixture"},
    };
    for (const Case& c : cases) {
        std::string line;
        for (const std::string& word : c.arguments) line += word + " ";
        const Outcome outcome = spume(c.arguments);
        EXPECT_EQ(outcome.status, c.status) << line << outcome.err;
        EXPECT_NE((outcome.out + outcome.err).find(c.said), std::string::npos)
            << line << outcome.out << outcome.err;
        EXPECT_TRUE(c.status == 0 || !outcome.err.empty()) << line;
        EXPECT_FALSE(std::filesystem::exists(directory + "/x"))
            << "nothing is written before the input is right: " << line;
    }
}

TEST_F(Cli, DamageIsNamedByVerifyAndRepairedByResume) {
    write("tiny.toml", kTiny);
    ASSERT_EQ(spume({"run", "tiny.toml", "-o", "cache", "--progress", "none"}).status, 0);
    const auto whole = cache("cache");
    write("cache/points/bubbles.0002.ply", "spoiled");
    const Outcome verify = spume({"verify", "cache"});
    EXPECT_EQ(verify.status, 2);
    EXPECT_EQ(verify.err.find("cache/points/bubbles.0002.ply: error: 7 bytes instead of"), 0u)
        << verify.err;
    EXPECT_EQ(spume({"run", "tiny.toml", "-o", "cache", "--resume", "--progress", "none"}).status,
              0);
    expect_same(whole, cache("cache"));
}

TEST_F(Cli, FailuresAndProgressAreJsonWhenAsked) {
    write("tiny.toml", kTiny);
    const Outcome bad =
        spume({"run", "tiny.toml", "-o", "x", "--progress", "json", "--set", "time.fps=-1"});
    EXPECT_EQ(bad.status, 2);
    const std::string last = bad.err.substr(bad.err.rfind('\n', bad.err.size() - 2) + 1);
    const auto json = nlohmann::json::parse(last);
    EXPECT_EQ(json["status"], 2);
    EXPECT_EQ(json["error"], "user");
    EXPECT_NE(json["complaints"][0]["message"].get<std::string>().find("fps"), std::string::npos);

    const Outcome good = spume({"run", "tiny.toml", "-o", "y", "--progress", "json"});
    ASSERT_EQ(good.status, 0);
    std::istringstream lines(good.err);
    int frames = 0;
    for (std::string line; std::getline(lines, line);)
        frames += nlohmann::json::parse(line).contains("frame");
    EXPECT_EQ(frames, 2);
}

TEST_F(Cli, PicturesAndVtkAreWritten) {
    write("tiny.toml", kTiny);
    ASSERT_EQ(spume({"run", "tiny.toml", "-o", "cache", "--progress", "none", "--set",
                     "output.preview=all", "--set", "output.vtk=true"})
                  .status,
              0);
    const auto files = cache("cache");
    for (const char* name :
         {"images/preview.0001.png", "images/preview.0002.png", "points/bubbles.0001.vtp",
          "volumes/vel.0002.vti", "bubbles.pvd", "vel.pvd"})
        EXPECT_TRUE(files.count(name)) << name;
    EXPECT_EQ(files.at("images/preview.0001.png").substr(1, 3), "PNG");
    EXPECT_EQ(spume({"verify", "cache"}).status, 0);
}

TEST_F(Cli, AFullStandardOutputIsNotSuccess) {
    Words words = {"sh", "-c", std::string(SPUME_PROGRAM) + " list scenes > /dev/full"};
    EXPECT_EQ(finish(start(words)).status, 4);
}

}  // namespace
}  // namespace spume::test

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace spume::test {
namespace {

class Messages : public ProgramTest {
  protected:
    bool says(const Words& words, int status, const std::string& text) {
        const Outcome r = spume(words);
        EXPECT_EQ(r.status, status) << r.out << r.err;
        const bool found = (r.out + r.err).find(text) != std::string::npos;
        EXPECT_TRUE(found) << "not in it: " << text << "\n" << r.out << r.err;
        return found;
    }
    std::string tiny(const std::string& more = "") {
        return write("tiny.toml",
                     "version = 1\nmethod = \"mixture\"\n[time]\nframes = 2\n[domain]\ndimensions "
                     "= 2\nlower = [0, 0]\nupper = [0.1, 0.1]\ndivisions = 16\n[[emitter]]\nmode = "
                     "\"seed\"\ncount = 5\nshape = { kind = \"box\", center = [0.05, 0.03], size = "
                     "[0.05, 0.02] }\n[output]\npreview = \"last\"\n" +
                         more);
    }
};

TEST_F(Messages, NameTheNearestWord) {
    tiny();
    says({"rn"}, 2, "did you mean 'run'?");
    says({"run", "bubble_colum"}, 2, "bubble_colum: error:");
    says({"run", "bubble_colum"}, 2, "did you mean 'bubble_column'?");
    says({"run", "tiny.toml", "--frames", "5"}, 2, "--set time.frames=VALUE");
    says({"run", "tiny.toml", "--ouput", "x"}, 2, "did you mean --output?");
    says({"run", "tiny.toml", "--progress", "jsn"}, 2, "did you mean 'json'?");
    says({"help", "mixtur"}, 2, "did you mean 'mixture'?");
    says({"help", "drga"}, 2, "did you mean 'drag'?");
}

TEST_F(Messages, HelpKnowsKeys) {
    says({"help", "drag"}, 0, "Multiplies the drag law");
    says({"help", "time.fps"}, 0, "Frames a second");
    const Outcome help = spume({"run", "--help"});
    EXPECT_NE(help.out.find("auto|bar|json|none"), std::string::npos) << help.out;
    EXPECT_EQ(help.out.find("->"), std::string::npos) << "numbers of an enumeration: " << help.out;
    EXPECT_EQ(spume({"render", "--help"}).out.find("->"), std::string::npos);
}

TEST_F(Messages, ListsHaveTitlesAndVolumesHaveUnits) {
    says({"list", "scenes"}, 0, "  Bubble column\n");
    tiny();
    ASSERT_EQ(spume({"run", "tiny.toml", "-o", "cache", "--progress", "none"}).status, 0);
    says({"info", "cache"}, 0, " m^2 in bubbles");
    says({"run", "tiny.toml", "-o", "again"}, 0, "air: 100 % in bubbles");
}

TEST_F(Messages, WhatIsNoCacheIsCalledThat) {
    std::filesystem::create_directory(directory + "/empty");
    says({"verify", "empty"}, 2, "empty: error: not a cache");
    tiny();
    ASSERT_EQ(spume({"run", "tiny.toml", "-o", "cache", "--progress", "none"}).status, 0);
    write("cache/manifest.json", "{\"a\": 1,\n oops}");
    const Outcome r = spume({"verify", "cache"});
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.err.find("json.exception"), std::string::npos) << r.err;
    EXPECT_EQ(r.err.find("syntax error while parsing"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("no JSON"), std::string::npos) << r.err;
}

TEST_F(Messages, AMissingMeshHasItsPlaceAmongTheOtherMistakes) {
    const std::string file = tiny(
        "[[solid]]\nshape = { kind = \"mesh\", file = \"missing.ply\" }\n[physics]\nviscosty "
        "= 1\n");
    const Outcome r = spume({"check", file});
    EXPECT_EQ(r.status, 2);
    EXPECT_NE(r.err.find("tiny.toml:17:"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("missing.ply"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("viscosty"), std::string::npos) << r.err;
}

TEST_F(Messages, AMissingBulkHasItsPlaceAmongTheOtherMistakes) {
    std::filesystem::create_directories(directory + "/out/liquid");
    const Outcome r =
        spume({"check", write("bulk.toml",
                              "version = 1\nmethod = \"guided\"\n[bulk]\nkind = "
                              "\"cache\"\npath = \"out/liqiud\"\n[camera]\nfov = 30\n")});
    EXPECT_EQ(r.status, 2);
    EXPECT_NE(r.err.find("bulk.toml:5:"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("no such directory"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("liquid is there"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("`field_of_view`"), std::string::npos) << r.err;
}

TEST_F(Messages, SidesThatAMethodDoesNotHaveAreNamed) {
    const Outcome r = spume({"check", write("cip.toml", "version = 1\nmethod = \"cip\"\n")});
    EXPECT_EQ(r.status, 2);
    for (const char* side : {"sides", "bottom", "top"})
        EXPECT_NE(r.err.find(std::string("domain.") + side + " = \"open\", but"), std::string::npos)
            << r.err;
}

TEST_F(Messages, AReaderThatHasSeenEnoughIsNoError) {
    const std::string program = SPUME_PROGRAM;
    // What follows a reader that is gone: the status of the program, not of the pipe.
    const Words words = {"bash", "-c",
                         "(" + program + " help reference; echo $? > status) | head -1"};
    const Outcome r = finish(start(words));
    EXPECT_EQ(content_of(directory + "/status"), "0\n");
    EXPECT_EQ(r.err, "");
}

TEST_F(Messages, ForProgramsAreJsonAlone) {
    tiny();
    const std::vector<Words> commands = {
        {"run", "tiny.toml", "-o", "a", "--progress", "json"},
        {"run", "tiny.toml", "-o", "b", "--progress", "json", "--set", "emitter.0.start=9"},
        {"run", "tiny.toml", "-o", "c", "--progress", "json", "--set", "time.fps=-1"},
        {"run", "tiny.toml", "-o", "d", "--progress=json", "--no-such-flag"},
        {"render", "a", "--progress", "json", "--size", "64x48", "-o", "p.png"},
        {"render", "nowhere", "--progress", "json"}};
    for (const Words& command : commands) {
        const Outcome r = spume(command);
        std::istringstream lines(r.err);
        std::string event;
        for (std::string line; std::getline(lines, line);) {
            ASSERT_TRUE(nlohmann::json::accept(line)) << line;
            event = nlohmann::json::parse(line).at("event").get<std::string>();
        }
        if (r.status != 0) {
            EXPECT_EQ(event, "error") << r.err;
        }
        if (command[0] == "run" && r.status == 0) {
            EXPECT_EQ(event, "done") << r.err;
        }
    }
}

TEST_F(Messages, ShellsCanCompleteCommandsAndFlags) {
    const Outcome bash = spume({"completion", "bash"});
    ASSERT_EQ(bash.status, 0);
    write("spume.bash", bash.out);
    const auto completed = [&](const std::string& line, const std::string& count) {
        const Words words = {"bash", "-c",
                             ". ./spume.bash; COMP_WORDS=(" + line + "); COMP_CWORD=" + count +
                                 "; _spume; echo \"${COMPREPLY[@]}\""};
        return finish(start(words)).out;
    };
    EXPECT_EQ(completed("spume ru", "1"), "run\n");
    EXPECT_EQ(completed("spume run --check", "2"), "--checkpoint-every\n");
    EXPECT_EQ(completed(std::string(SPUME_PROGRAM) + " check bubble_column_", "2"),
              "bubble_column_2d\n");
    EXPECT_NE(spume({"completion", "fish"}).out.find("-l checkpoint-every"), std::string::npos);
    EXPECT_NE(spume({"completion", "man"}).out.find(".SS spume run"), std::string::npos);
}

}  // namespace
}  // namespace spume::test

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace spume::test {
namespace {

using Sweep = ProgramTest;

const char kStudy[] =
    "version = 1\nmethod = \"mixture\"\n[time]\nframes = 2\n[domain]\ndimensions = 2\nlower = [0, "
    "0]\nupper = [0.1, 0.1]\ndivisions = 16\n[[emitter]]\nname = \"cloud\"\nmode = \"seed\"\ncount "
    "= 5\nshape = { kind = \"box\", center = [0.05, 0.03], size = [0.05, 0.02] }\n"
    "[output]\npreview = \"none\"\n"
    "[preset.low]\ndomain.divisions = 8\n"
    "[sweep]\ntile_width = 64\ntile_height = 64\n"
    "[sweep.values]\nemitter.cloud.count = [3, 7]\n";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

TEST_F(Sweep, RunsEveryVariantOnceAndTellsWhatCameOut) {
    write("study.toml", kStudy);
    const Words words{"sweep", "study.toml", "-o", "all", "--progress", "none"};
    const Outcome first = spume(words);
    ASSERT_EQ(first.status, 0) << first.err;
    const auto files = cache("all");
    for (const char* name : {"count_3/frames/0002.json", "count_7/manifest.json", "summary.csv",
                             "summary.json", "contact_sheet.png"})
        EXPECT_TRUE(files.count(name)) << name;
    const auto rows = lines_of(files.at("summary.csv"));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].rfind("variant,emitter.cloud.count,status,frames,time,bubbles", 0), 0u);
    EXPECT_EQ(rows[1].rfind("count_3,3,done,2,", 0), 0u) << rows[1];
    const auto json = nlohmann::json::parse(files.at("summary.json"));
    EXPECT_EQ(json[0]["bubbles"], 3);
    EXPECT_EQ(json[1]["bubbles"], 7);
    EXPECT_EQ(json[1]["set"]["emitter.cloud.count"], "7");
    // A variant is an ordinary cache: the same bytes as a single run of it.
    ASSERT_EQ(
        spume({"run", "study.toml", "--variant", "count_7", "-o", "one", "--progress", "none"})
            .status,
        0);
    expect_same(cache("one"), cache("all/count_7"));
    EXPECT_EQ(spume({"verify", "all/count_3"}).status, 0);
    // Again: nothing is simulated, everything stays as it is.
    const std::string log = content_of(directory + "/all/count_3/log.txt");
    ASSERT_EQ(spume(words).status, 0);
    expect_same(files, cache("all"));
    EXPECT_EQ(content_of(directory + "/all/count_3/log.txt"), log);
}

TEST_F(Sweep, GoesOnWhereItWasStopped) {
    write("study.toml", kStudy);
    ASSERT_EQ(spume({"sweep", "study.toml", "-o", "whole", "--progress", "none"}).status, 0);
    // One variant done, the other stopped after its first frame.
    ASSERT_EQ(spume({"sweep", "study.toml", "-o", "parts", "--progress", "none"}).status, 0);
    std::filesystem::remove_all(directory + "/parts/count_7");
    ASSERT_EQ(spume({"run", "study.toml", "--variant", "count_7", "-o", "parts/count_7", "-e", "1",
                     "--progress", "none"})
                  .status,
              0);
    ASSERT_EQ(spume({"sweep", "study.toml", "-o", "parts", "--progress", "none"}).status, 0);
    auto whole = cache("whole"), parts = cache("parts");
    // The stop left a checkpoint of its own, and a log tells when it ran.
    for (auto* files : {&whole, &parts})
        std::erase_if(*files, [](const auto& f) {
            return f.first.find("checkpoints/") != std::string::npos ||
                   f.first.ends_with("log.txt") || f.first.ends_with("timing.jsonl");
        });
    expect_same(whole, parts);
}

TEST_F(Sweep, PresetsAreRecordedCheckedAndKept) {
    write("study.toml", kStudy);
    ASSERT_EQ(
        spume({"run", "study.toml", "--preset", "low", "-o", "low", "--progress", "none"}).status,
        0);
    const auto manifest = nlohmann::json::parse(content_of(directory + "/low/manifest.json"));
    EXPECT_EQ(manifest["preset"], "low");
    EXPECT_NE(manifest["scene"].get<std::string>().find("divisions = 8"), std::string::npos);
    const Outcome other = spume({"run", "study.toml", "-o", "low", "--resume"});
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(other.err.find("preset: was low, is default"), std::string::npos) << other.err;
    EXPECT_EQ(spume({"run", "study.toml", "--preset", "low", "-o", "low", "--resume"}).status, 0);
    EXPECT_EQ(spume({"run", "study.toml", "--preset", "lo", "-o", "x"}).status, 2);
    const Outcome check = spume({"check", "study.toml"});
    EXPECT_EQ(check.status, 0) << check.err;
    EXPECT_NE(check.out.find("preset low, sweep of 2 variants: right"), std::string::npos);

    std::string text = kStudy;
    write("bad.toml", text.replace(text.find("divisions = 8"), 13, "divisions = 0"));
    EXPECT_EQ(spume({"run", "bad.toml", "-e", "1", "-o", "y", "--progress", "none"}).status, 0);
    const Outcome bad = spume({"check", "bad.toml"});
    EXPECT_EQ(bad.status, 2) << "a preset nobody asked for";
    EXPECT_NE(bad.err.find("bad.toml:18:20: error: domain.divisions is 0"), std::string::npos)
        << bad.err;
    const Outcome list = spume({"list", "presets"});
    EXPECT_NE(list.out.find("wsb25_fig13a_bubble_column  default"), std::string::npos) << list.out;
}

TEST_F(Sweep, MistakesAreFoundBeforeAnythingIsSimulated) {
    write("study.toml", kStudy);
    std::string text = kStudy;
    write("none.toml", text.substr(0, text.find("[sweep]")));
    write("bad.toml", text.replace(text.find("[3, 7]"), 6, "[3, 0]"));
    for (const auto& [words, said] :
         {std::pair<Words, const char*>{{"sweep", "bad.toml", "-o", "x"}, "bad.toml:23:27: error:"},
          {{"sweep", "none.toml", "-o", "x"}, "the scene has no [sweep]"},
          {{"sweep", "study.toml", "-o", "x", "--set", "emitter.cloud.count=4"}, "itself varies"},
          {{"run", "study.toml", "-o", "x", "--variant", "count_4"}, "count_3, count_7"}}) {
        const Outcome outcome = spume(words);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(directory + "/x"));
    }
    const Outcome dry = spume({"sweep", "study.toml", "-o", "x", "--dry-run"});
    EXPECT_EQ(dry.out, "x/count_3  to simulate\nx/count_7  to simulate\n");
}

}  // namespace
}  // namespace spume::test

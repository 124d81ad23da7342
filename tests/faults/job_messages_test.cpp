// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cstdio>
#include <sstream>

#include <nlohmann/json.hpp>

#include "faults/job_fixture.h"
#include "spume/run/job_closing.h"

namespace spume::test {
namespace {

/// A run whose every frame says "a warning", watched.
class JobMessages : public JobTest {
  protected:
    std::vector<std::string> lines_of(ProgressMode mode) {
        MemoryFileSystem files;
        options.progress = mode;
        std::FILE* out = std::tmpfile();
        options.terminal = out;
        EXPECT_EQ(run(files, false), 0);
        std::rewind(out);
        std::vector<std::string> lines(1);
        for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out))
            if (c == '\n')
                lines.emplace_back();
            else
                lines.back() += static_cast<char>(c);
        std::fclose(out);
        lines.pop_back();
        return lines;
    }
    static int holding(const std::vector<std::string>& lines, const std::string& text) {
        int n = 0;
        for (const std::string& line : lines) n += line.find(text) != std::string::npos;
        return n;
    }
};

TEST_F(JobMessages, TheFirstOfEachKindThenACount) {
    options.foreseen = {"the wall is 0.4 of a voxel"};
    const auto lines = lines_of(ProgressMode::kAuto);
    EXPECT_EQ(holding(lines, "warning: frame 1: a warning"), 1);
    EXPECT_EQ(holding(lines, "warning: frame 2: a warning"), 0);
    EXPECT_EQ(holding(lines, "warning: the wall is 0.4 of a voxel"), 1);
    EXPECT_EQ(holding(lines, "5 warnings of 2 kinds"), 1);
    EXPECT_EQ(holding(lines, "  4 x a warning"), 1);
    EXPECT_EQ(holding(lines, "  1 x the wall"), 1);
}

TEST_F(JobMessages, ARunEndsWithWhatWasDone) {
    options.output.preview = "last";
    options.picture = [](const Frame&) { return std::string("PNG"); };
    const auto lines = lines_of(ProgressMode::kAuto);
    EXPECT_EQ(holding(lines, "done: frames 1 to 4 in /out, 4 frames simulated in "), 1);
    EXPECT_EQ(holding(lines, "drift: 0 % of the liquid, 0 % of the air"), 1);
    EXPECT_EQ(holding(lines, "picture: /out/images/preview.0004.png"), 1);
    EXPECT_EQ(holding(lines, "next: spume view /out"), 1);
    EXPECT_TRUE(lines_of(ProgressMode::kNone).empty());
}

TEST_F(JobMessages, EveryLineForProgramsIsAnEvent) {
    std::map<std::string, int> events;
    for (const std::string& line : lines_of(ProgressMode::kJson)) {
        const auto json = nlohmann::json::parse(line);
        const std::string event = json.at("event");
        ++events[event];
        if (event == "warning") {
            EXPECT_EQ(json.at("warning"), "a warning");
        }
        if (event == "frame") {
            EXPECT_GE(json.at("seconds_left").get<double>(), 0);
            EXPECT_TRUE(json.at("at_least").is_boolean());
        }
        if (event == "done") {
            EXPECT_EQ(json.at("warnings").at(0).at("count"), 4);
        }
    }
    EXPECT_EQ(events["start"], 1);
    EXPECT_EQ(events["frame"], 4);
    EXPECT_EQ(events["warning"], 1);
    EXPECT_EQ(events["done"], 1);
}

TEST(Warnings, AreOfOneKindWhenOnlyNumbersDiffer) {
    WarningTally tally;
    EXPECT_TRUE(tally.add("emitter \"jet1\" owes 3.5e-05 m^3"));
    EXPECT_FALSE(tally.add("emitter \"jet1\" owes 12 m^3"));
    EXPECT_FALSE(tally.add("emitter \"jet1\" owes -0.1 m^3"));
    EXPECT_TRUE(tally.add("emitter \"jet2\" owes 12 m^3"));
    EXPECT_TRUE(tally.add("substep repeated 3 times: speed"));
    EXPECT_EQ(tally.total(), 5);
    ASSERT_EQ(tally.kinds().size(), 3u);
    EXPECT_EQ(tally.kinds()[0].count, 3);
    EXPECT_EQ(tally.kinds()[0].first, "emitter \"jet1\" owes 3.5e-05 m^3");
}

TEST(Warnings, DriftBeyondOnePercentIsOne) {
    StateSummary state;
    state.air.emitted = state.air.seeded = state.air.bubbles = state.air.grid = 1;
    EXPECT_TRUE(audit_warnings(state).empty());
    state.liquid_drift = -0.009;
    EXPECT_TRUE(audit_warnings(state).empty());
    state.liquid_drift = -0.02;
    ASSERT_EQ(audit_warnings(state).size(), 1u);
    EXPECT_NE(audit_warnings(state)[0].find("2 % of the liquid is missing"), std::string::npos);
    state.liquid_drift = 0;
    state.air.bubbles = state.air.grid = 0.95;
    ASSERT_EQ(audit_warnings(state).size(), 1u);
    EXPECT_NE(audit_warnings(state)[0].find("5 % of the air is missing"), std::string::npos);
    state.air.bubbles = 1;
    ASSERT_EQ(audit_warnings(state).size(), 1u);
    EXPECT_NE(audit_warnings(state)[0].find("bubbles crowd"), std::string::npos);
    state.air.seeded = 0.05;  // markers: the cut is meant
    EXPECT_TRUE(audit_warnings(state).empty());
}

TEST(Remaining, IsExactForEvenWork) {
    RemainingTime time(100, 0);
    for (int frame = 1; frame <= 20; ++frame) time.finished(frame, 2);
    EXPECT_NEAR(time.left(20).seconds, 160, 1e-9);
    EXPECT_FALSE(time.left(20).at_least);
    EXPECT_NEAR(time.left(21, 0.25, 0.5).seconds, 159.5, 1e-9);
    EXPECT_EQ(time.left(100).seconds, 0);
    EXPECT_FALSE(time.left(100).at_least);
}

TEST(Remaining, SaysAtLeastWhileWorkGrowsOrIsYetToBegin) {
    // A second a frame more with each frame: what is left of 60 after 30 is 31 + … + 60.
    RemainingTime growing(60, 0);
    for (int frame = 1; frame <= 30; ++frame) growing.finished(frame, frame);
    EXPECT_TRUE(growing.left(30).at_least);
    EXPECT_NEAR(growing.left(30).seconds, 30 * 45.5, 0.05 * 30 * 45.5);
    // An emitter that starts in frame 50: nobody knows before.
    RemainingTime quiet(60, 50);
    for (int frame = 1; frame <= 30; ++frame) quiet.finished(frame, 1);
    EXPECT_TRUE(quiet.left(30).at_least);
    for (int frame = 31; frame <= 50; ++frame) quiet.finished(frame, 1);
    EXPECT_FALSE(quiet.left(50).at_least);
    EXPECT_TRUE(RemainingTime(10, 0).left(1, 0.5, 3).at_least);
    EXPECT_NEAR(RemainingTime(10, 0).left(1, 0.5, 3).seconds, 57, 1e-9);
}

TEST(Remaining, GoesByTheLastFrames) {
    // Two cheap frames, then dear ones: a mean over all would promise too little.
    RemainingTime time(50, 0);
    for (int frame = 1; frame <= 10; ++frame) time.finished(frame, 0.1);
    for (int frame = 11; frame <= 20; ++frame) time.finished(frame, 10);
    EXPECT_NEAR(time.left(20).seconds, 300, 1e-9);
}

}  // namespace
}  // namespace spume::test

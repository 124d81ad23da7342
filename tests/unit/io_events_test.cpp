// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "spume/io/stats.h"

namespace spume {
namespace {

TEST(IoStats, EventsAreObjectsInTheirOrder) {
    FrameReport report;
    report.events = {
        {BubbleEvent::kBirth, 2, 1, 0, 96},   {BubbleEvent::kMerge, 0.1, 3, 1, 1e-3},
        {BubbleEvent::kSplit, 3, 2, 1, 32.5}, {BubbleEvent::kBurst, 4, 1, 7, 64},
        {BubbleEvent::kLoss, 5, 2, 0, 0},     {BubbleEvent::kHandOver, 6, 5, 0, 1e-300}};
    const char* expected[] = {R"("event":"birth","time":2,"id":1,"volume":96})",
                              R"("event":"merge","time":0.1,"id":3,"volume":0.001,"into":1})",
                              R"("event":"split","time":3,"id":2,"volume":32.5,"from":1})",
                              R"("event":"burst","time":4,"id":1,"volume":64})",
                              R"("event":"loss","time":5,"id":2,"volume":0})",
                              R"("event":"hand_over","time":6,"id":5,"volume":1e-300})"};
    const std::string line = stats_line(9, 0.125, report, {});
    std::string lines, list;
    for (const char* event : expected) {
        lines += std::string(R"({"frame":9,)") + event + "\n";
        list += std::string(list.empty() ? "{" : ",{") + event;
    }
    EXPECT_NE(line.find("\"events\":[" + list + "]"), std::string::npos) << line;
    EXPECT_EQ(event_lines(9, report.events), lines);
    EXPECT_EQ(event_lines(line), lines) << "from the line alone";
    EXPECT_EQ(event_lines(9, {}), "");
}

}  // namespace
}  // namespace spume

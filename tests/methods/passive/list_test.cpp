// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include <gtest/gtest.h>

#include "passive_run.h"
#include "spume/core/error.h"
#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

using test::PassiveRun;

/// A pool without a nozzle: the surface is at 0.3 m.
Scene still() {
    Scene s = test::pool(3);
    s.emitters.clear();
    return s;
}

Inputs with_list(const std::string& text) {
    Inputs inputs;
    inputs.list = {"edits.txt", text};
    return inputs;
}

/// Of bubbles by hand, from 0.
std::vector<std::uint64_t> ids(const PassiveRun<3>& run) {
    std::vector<std::uint64_t> r;
    for (const std::uint64_t id : run.state.bubbles.id) r.push_back(id - passive::kFirstHandId);
    std::sort(r.begin(), r.end());
    return r;
}

TEST(PassiveList, AddsAndRemovesAtTheirTimes) {
    PassiveRun<3> run(still(), {},
                      with_list("# x y z radius time\n"
                                "bubble 0.10 0.1 0.2 2mm\n"
                                "bubble 0.15 0.1 0.2 0.003   # in metres\n"
                                "\n"
                                "bubble 0.20 0.1 0.2 2mm 0.2\r\n"
                                "remove 1000000000 0.1\n"
                                "remove 1000000002 0.05 0.15\n"));
    run.until(0.05);
    EXPECT_EQ(ids(run), (std::vector<std::uint64_t>{0, 1}));
    run.until(0.15);
    EXPECT_EQ(ids(run), (std::vector<std::uint64_t>{1}));
    run.until(0.3);  // after the third's removal was over
    EXPECT_EQ(ids(run), (std::vector<std::uint64_t>{1, 2}));
    EXPECT_NEAR(run.summary().air.left, bubble_volume<3>(2e-3), 1e-18);
    EXPECT_EQ(run.summary().air.burst, 0);
}

// A bubble of the list pops when it says: those beside it at the surface are long gone by then.
TEST(PassiveList, PopsThenAndNotBefore) {
    std::string text;
    for (int i = 0; i < 8; ++i)
        text += "bubble " + std::to_string(0.05 + 0.04 * i) + " 0.3 0.2 2mm\n";
    passive::Params p;
    p.life = p.wall_life = 0.02;
    p.pop_in_air = true;
    PassiveRun<3> run(
        still(), p,
        with_list(text + "pop 1000000002,1000000005-1000000006 0.5\npop 1000000006 0.7\n"));
    run.until(0.4);
    EXPECT_EQ(ids(run), (std::vector<std::uint64_t>{2, 5, 6}));
    run.until(0.55);
    EXPECT_EQ(ids(run), (std::vector<std::uint64_t>{}));
    const StateSummary end = run.summary();
    EXPECT_NEAR(end.air.burst, 8 * bubble_volume<3>(2e-3), 1e-16);
    EXPECT_EQ(run.state.popped, 8);
    EXPECT_LT(std::abs(end.air.drift()), 1e-12);
}

std::string said(const std::string& text) {
    try {
        passive::read_bubble_list({"edits.txt", text}, still());
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(PassiveList, AnswersMistakesWithTheirPlaces) {
    EXPECT_EQ(said("pop 1,3-4 2\n"), "");
    const std::pair<const char*, const char*> cases[] = {
        {"bubble 1 2 3\n", "edits.txt:1:1: error: 3 words after \"bubble\""},
        {"\n  burst 7 1\n", "edits.txt:2:3: error: \"burst\" is none of bubble, remove, pop"},
        {"pop 7\n", "write pop IDS TIME"},
        {"pop 7-3 1\n", "edits.txt:1:5: error: \"7-3\" is no list of ids"},
        {"remove 3 2 1\n", "edits.txt:1:12: error: \"1\" is out of range"},
        {"bubble 0.1 0.1 0.1 two\n", "edits.txt:1:20: error: \"two\""},
        {"bubble 0.1 9 0.1 2mm\n", "edits.txt:1:12: error: the bubble lies outside the domain"},
        {"pop 1 -1\nremove x\n", "edits.txt:2:8"},
    };
    for (const auto& [text, words] : cases)
        EXPECT_NE(said(text).find(words), std::string::npos) << text << "said: " << said(text);
}

}  // namespace
}  // namespace spume

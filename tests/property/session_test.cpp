// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/session.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

struct Started {
    Scene scene;
    Context context{1};
    std::unique_ptr<Simulation> run;

    Started(const char* file, const std::vector<std::string>& overrides) {
        const std::string path = std::string(SPUME_SOURCE) + "/scenes/" + file;
        std::ifstream in(path);
        std::stringstream text;
        text << in.rdbuf();
        MethodParams params;
        scene = parse_scene(text.str(), path, overrides,
                            [&](Scene& s, SceneDocument& d) { params = read_method(s, d); });
        run = start_session(scene, params, {}, context);
    }
};

/// The state of a simulation that gave up is that of the substeps it reports, no more and no fewer.
TEST(Session, AnErrorReportsTheSubstepsTheStateKeeps) {
    int within = 0;
    for (int limit = 2; limit <= 24; ++limit) {
        Started s("dam_break_2d.toml", {"domain.divisions=32", "time.fps=4",
                                        "time.max_substeps=" + std::to_string(limit)});
        try {
            s.run->advance_frame(1);
        } catch (const SimulationError& error) {
            const FrameReport& done = error.unfinished;
            EXPECT_LE(done.substeps, limit);
            EXPECT_GE(s.run->time(), done.substeps * done.dt_min * (1 - 1e-12)) << limit;
            EXPECT_LE(s.run->time(), done.substeps * done.dt_max * (1 + 1e-12)) << limit;
            EXPECT_EQ(done.pressure_solves > 0, done.substeps > 0);
            within += done.substeps > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(within, 2) << "none of them gave up within the frame";
}

TEST(Session, LooksAtABubblyStateOnceForBoth) {
    Started s("bubble_column_2d.toml", {"domain.divisions=32", "output.density=true"});
    s.run->advance_frame(s.scene.time.start);
    const auto calls = [&](auto&& look) {
        s.context.times.clear();
        look();
        long n = 0;
        for (const StageTimes::Entry& e : s.context.times.entries())
            if (e.name == "fractions") n += e.calls;
        return n;
    };
    Observation both;
    EXPECT_EQ(calls([&] { both = s.run->observe(true); }), 1);
    EXPECT_EQ(calls([&] { EXPECT_FALSE(s.run->observe(false).frame); }), 1);
    // What it says is what each says alone.
    StateSummary summary;
    Frame frame;
    EXPECT_EQ(calls([&] { summary = s.run->summary(), frame = s.run->view(); }), 2);
    EXPECT_GT(summary.bubbles, 0);
    EXPECT_EQ(both.summary.bubbles, summary.bubbles);
    EXPECT_EQ(both.summary.air.grid, summary.air.grid);
    EXPECT_EQ(both.summary.liquid_volume, summary.liquid_volume);
    EXPECT_EQ(both.summary.momentum, summary.momentum);
    ASSERT_TRUE(both.frame);
    EXPECT_EQ(both.frame->number, frame.number);
    ASSERT_EQ(both.frame->volumes.size(), frame.volumes.size());
    for (std::size_t i = 0; i < frame.volumes.size(); ++i) {
        const Array<float>& a = both.frame->volumes[i].values[0];
        const Array<float>& b = frame.volumes[i].values[0];
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << frame.volumes[i].name;
    }
}

}  // namespace
}  // namespace spume

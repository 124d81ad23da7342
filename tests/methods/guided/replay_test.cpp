// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/replay.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "kept_state.h"
#include "methods/guided/guided_run.h"
#include "methods/mixture/mixture_run.h"
#include "spume/core/error.h"
#include "spume/frame/bulk_with_bubbles.h"

namespace spume {
namespace {

/// What a run has written, in memory.
class KeptPoints final : public PointFrames {
  public:
    PointFramesInfo about;
    std::map<int, PointSet> frames;
    const PointFramesInfo& info() const override { return about; }
    PointSet read(int frame) const override {
        if (frames.count(frame) == 0) throw UserError("no such frame", "none");
        return frames.at(frame);
    }
};

constexpr int kFrames = 20;

/// A cloud that rises under a wave, comes up and bursts within the time.
Scene rising() {
    Scene s = over_bulk(3, 0.02, {0.64, 0.32, 0.32}, BulkKind::kAnalytic);
    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.level = 0.2;
    s.bulk.amplitude = 0.02;
    s.bulk.wavelength = 0.64;
    s.emitters = {seeded_ball({0.3, 0.12, 0.16}, 0.05, 0.05, 3e-3)};
    s.foam.life_mean = 0.3;
    s.foam.life_variance = 0.01;
    return s;
}

/// The first run, its bubbles by frame, and who of them was foam, ever or in a frame.
struct FirstRun {
    std::shared_ptr<KeptPoints> points = std::make_shared<KeptPoints>();
    std::set<std::uint64_t> surfaced;
    std::vector<double> up;  ///< air that came up until each frame
    double emitted = 0;
};
const FirstRun& first_run() {
    static const FirstRun kept = [] {
        FirstRun r;
        GuidedRun<3> run(rising(), {});
        r.points->about = {"first", 3, 24, 1, kFrames, 1};
        for (int f = 1; f <= kFrames; ++f) {
            EXPECT_TRUE(run.until(f / 24.0));
            const Frame frame = guided::view(run.state, run.params, run.world, run.context);
            for (const PointSet& p : frame.points)
                if (p.name == "bubbles") r.points->frames[f] = p;
            r.surfaced.insert(run.state.foam.id.begin(), run.state.foam.id.end());
            const auto sum = guided::summary(run.state, run.params, run.world, run.context);
            r.up.push_back(sum.air.foam + sum.air.burst + sum.air.pruned);
        }
        r.emitted = run.state.emitted;
        return r;
    }();
    return kept;
}

Inputs cached() {
    Inputs inputs;
    inputs.bulk = std::make_shared<BulkWithBubbles>(nullptr, first_run().points);
    return inputs;
}

TEST(GuidedReplay, FoamOverCachedBubblesIsThatOfTheRunThatMadeThem) {
    const FirstRun& first = first_run();
    ASSERT_GT(first.surfaced.size(), 100u);
    GuidedRun<3> run(rising(), {}, 1, cached());
    for (int f = 1; f <= kFrames; ++f) {
        ASSERT_TRUE(run.until(f / 24.0)) << run.last.why;
        const auto sum = guided::summary(run.state, run.params, run.world, run.context);
        EXPECT_LT(std::abs(sum.air.drift()), 1e-12) << f;
        // By a bubble's rise in a substep.
        EXPECT_NEAR(sum.air.foam + sum.air.burst + sum.air.pruned, first.up[std::size_t(f - 1)],
                    0.05 * first.emitted)
            << f;
        EXPECT_EQ(sum.voxels, 0) << "no water is simulated";
    }
    EXPECT_NEAR(run.state.emitted, first.emitted, 1e-9 * first.emitted);
    std::size_t same = 0;
    for (std::uint64_t id : first.surfaced)
        same += std::binary_search(run.state.taken.begin(), run.state.taken.end(), id);
    EXPECT_GT(double(same), 0.97 * double(first.surfaced.size()));
    EXPECT_GT(run.state.burst, 0.3 * first.emitted);
    EXPECT_LT(run.state.left, 0.02 * first.emitted);
}

TEST(GuidedReplay, FoamMayBeAnother) {
    Scene s = rising();
    s.foam.life = FoamLife::kForever;
    s.foam.pruning = FoamPruning::kOff;
    GuidedRun<3> run(s, {}, 1, cached());
    ASSERT_TRUE(run.until(kFrames / 24.0));
    EXPECT_EQ(run.state.burst, 0);
    EXPECT_EQ(run.state.pruned, 0);
    EXPECT_GT(run.state.foam.size(), 0.9 * double(run.state.taken.size()));
    const auto sum = guided::summary(run.state, run.params, run.world, run.context);
    EXPECT_LT(std::abs(sum.air.drift()), 1e-12);
}

// Between frames bubbles go on cubics through what is known; in a frame they are where they were.
TEST(GuidedReplay, InAFrameBubblesAreWhereTheyWere) {
    Scene s = rising();
    s.bulk.level = 100;  // nothing comes up
    CachedBubbles<3> cache(first_run().points, s);
    const Bubbles<3> all = cache.at(2 / 24.0, {});
    const PointSet& kept = first_run().points->frames.at(2);
    ASSERT_EQ(all.size(), kept.size());
    double sum = 0, kept_sum = 0;
    for (std::size_t q = 0; q < all.size(); ++q) {
        for (int a = 0; a < 3; ++a) sum += all.position[q][a], kept_sum += kept.position[q][a];
        EXPECT_TRUE(q == 0 || all.id[q - 1] < all.id[q]);
    }
    EXPECT_NEAR(sum, kept_sum, 1e-6);
    const std::uint64_t without = all.id[4];
    EXPECT_EQ(cache.at(2 / 24.0, std::span(&without, 1)).size(), all.size() - 1);
    // A free fall is a parabola, and a cubic is none other.
    auto fall = std::make_shared<KeptPoints>();
    fall->about = {"fall", 3, 10, 1, 2, 1};
    for (int f = 1; f <= 2; ++f) {
        const double t = f / 10.0;
        PointSet p{"bubbles", Array<Vec<double, 3>>(1, {t, 1 - 5 * t * t, 0}), {}};
        p.columns = {{"v", "", Array<Vec<float, 3>>(1, {1, float(-10 * t), 0})},
                     {"id", "", Array<std::uint64_t>(1, 7)},
                     {"pscale", "", Array<float>(1, 1e-3f)},
                     {"density", "", Array<float>(1, 1)},
                     {"age", "", Array<float>(1, float(t - 0.05))}};
        fall->frames[f] = p;
    }
    CachedBubbles<3> falling(fall, s);
    for (const double t : {0.1, 0.13, 0.15, 0.19}) {
        const Bubbles<3> one = falling.at(t, {});
        ASSERT_EQ(one.size(), 1u);
        EXPECT_NEAR(one.position[0][1], 1 - 5 * t * t, 1e-7);
        EXPECT_NEAR(one.velocity[0][1], -10 * t, 1e-5);
        EXPECT_NEAR(one.age[0], t - 0.05, 1e-6);
    }
    EXPECT_EQ(falling.at(0.04, {}).size(), 0u) << "not born yet";
    EXPECT_EQ(falling.at(0.06, {}).size(), 1u);
}

TEST(GuidedReplay, ThreadsAndAResumeChangeNoBit) {
    const auto kept_of = [](GuidedRun<3>& run) {
        KeptState kept;
        guided::describe(run.state, run.world, kept);
        return kept;
    };
    GuidedRun<3> one(rising(), {}, 1, cached()), two(rising(), {}, 2, cached()),
        late(rising(), {}, 1, cached());
    ASSERT_TRUE(one.until(8 / 24.0));
    KeptState kept = kept_of(one);
    ASSERT_TRUE(one.until(12 / 24.0));
    ASSERT_TRUE(two.until(8 / 24.0) && two.until(12 / 24.0));
    ASSERT_GT(one.state.foam.size(), 20u);
    EXPECT_EQ(differences(kept_of(one), kept_of(two)), "");
    kept.restores = true;
    guided::describe(late.state, late.world, kept);
    ASSERT_TRUE(late.until(12 / 24.0));
    EXPECT_EQ(differences(kept_of(one), kept_of(late)), "");
}

}  // namespace
}  // namespace spume

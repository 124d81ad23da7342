// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "kept_state.h"
#include "methods/guided/guided_run.h"
#include "methods/mixture/mixture_run.h"

namespace spume {
namespace {

/// Bubbles under a wave and foam on it, new ones all the time, tiles that come and go.
Scene busy() {
    Scene s = over_bulk(3, 0.04, {0.96, 0.64, 0.32}, BulkKind::kAnalytic);
    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.level = 0.45;
    s.bulk.amplitude = 0.04;
    s.bulk.wavelength = 0.96;
    s.emitters = {seeded_ball({0.3, 0.3, 0.16}, 0.05, 0.01, 1.5e-3)};
    Emitter e = s.emitters[0];
    e.mode = EmitMode::kRate;
    e.rate = 2e-5;
    s.emitters.push_back(e);
    FoamPatch patch;
    patch.shape.kind = ShapeKind::kBox;
    patch.shape.center = {0.48, 0.45, 0.16};
    patch.shape.size = {0.2, 0.3, 0.2};
    patch.radius_min = 2e-3;
    patch.radius_max = 6e-3;
    s.foam.patches = {patch, patch};
    s.foam.patches[1].rate = 0.5;
    return s;
}

KeptState state_of(GuidedRun<3>& run) {
    KeptState kept;
    guided::describe(run.state, run.world, kept);
    return kept;
}

TEST(GuidedRepeat, ThreadsChangeNoBit) {
    KeptState one;
    for (int threads : {1, 2, 4}) {
        GuidedRun<3> run(busy(), {}, threads);
        ASSERT_TRUE(run.until(0.1));
        ASSERT_GT(run.state.bubbles.size(), 50u);
        ASSERT_GT(run.state.foam.size(), 100u);
        if (threads == 1)
            one = state_of(run);
        else
            EXPECT_EQ(differences(one, state_of(run)), "") << threads;
    }
}

// A new world knows nothing of what the old one remembered of the bulk.
TEST(GuidedRepeat, GoesOnFromAKeptState) {
    GuidedRun<3> whole(busy(), {});
    ASSERT_TRUE(whole.until(1.0 / 24));
    KeptState kept = state_of(whole);
    ASSERT_TRUE(whole.until(2.0 / 24));
    GuidedRun<3> resumed(busy(), {});
    kept.restores = true;
    guided::describe(resumed.state, resumed.world, kept);
    ASSERT_TRUE(resumed.until(2.0 / 24));
    EXPECT_EQ(differences(state_of(whole), state_of(resumed)), "");
}

// All schemes bring a cloud up about as far.
TEST(GuidedSchemes, AgreeOnTheRise) {
    double rise[3];
    int n = 0;
    for (Scheme scheme : {Scheme::kImplicitDrag, Scheme::kGuidedAware, Scheme::kGuidedUnaware}) {
        Scene s = over_bulk(2, 0.02, {0.64, 0.96, 0});
        s.emitters = {seeded_ball({0.32, 0.2, 0}, 0.06, 0.02, 1e-3)};
        guided::Params p;
        p.scheme = scheme;
        p.newton_iterations = scheme == Scheme::kImplicitDrag ? 2 : 12;
        GuidedRun<2> run(s, p);
        ASSERT_TRUE(run.until(0.4));
        rise[n++] = run.centroid()[1] - 0.2;
    }
    std::printf("rise %.4f m, aware %.4f m, unaware %.4f m\n", rise[0], rise[1], rise[2]);
    EXPECT_NEAR(rise[1], rise[0], 0.05 * rise[0]);
    EXPECT_NEAR(rise[2], rise[0], 0.05 * rise[0]);
}

}  // namespace
}  // namespace spume

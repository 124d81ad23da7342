// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "methods/guided/guided_run.h"
#include "methods/mixture/mixture_run.h"
#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

/// A cloud that rises under a wave and comes up within half a second.
template <int D>
Scene rising() {
    Scene s = over_bulk(D, 0.02, {0.64, 0.32, D == 2 ? 0 : 0.32}, BulkKind::kAnalytic);
    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.level = 0.2;
    s.bulk.amplitude = 0.02;
    s.bulk.wavelength = 0.64;
    s.emitters = {seeded_ball({0.3, 0.12, D == 2 ? 0 : 0.16}, 0.05, D == 2 ? 0.2 : 0.1, 3e-3)};
    s.foam.life_mean = 0.4;
    s.foam.life_variance = 0.02;
    return s;
}

template <int D>
void expect_air_kept(guided::Mode mode) {
    guided::Params p;
    p.mode = mode;
    GuidedRun<D> run(rising<D>(), p);
    std::set<std::uint64_t> names;
    std::size_t most = 0;
    for (double t = 0.05; t < 0.91; t += 0.05) {
        ASSERT_TRUE(run.until(t)) << run.last.why;
        const StateSummary s = guided::summary(run.state, run.params, run.world, run.context);
        EXPECT_LT(std::abs(s.air.drift()), 1e-12) << t;
        names.clear();
        for (std::uint64_t id : run.state.bubbles.id) EXPECT_TRUE(names.insert(id).second);
        for (std::uint64_t id : run.state.foam.id) EXPECT_TRUE(names.insert(id).second);
        for (std::uint64_t id : names) EXPECT_LT(id, run.state.bubbles.next_id);
        most = std::max(most, run.state.foam.size());
    }
    EXPECT_GT(most, 20u);
    EXPECT_GT(run.state.burst, 0);
    EXPECT_GT(run.state.burst + run.state.pruned, 0.5 * run.state.emitted);
}
TEST(GuidedFoam, AirIsKeptFromEmissionToBursting) {
    expect_air_kept<2>(guided::Mode::kOneWay);
    expect_air_kept<3>(guided::Mode::kOneWay);
    expect_air_kept<3>(guided::Mode::kGuided);
}

/// A patch of foam on a wave.
Scene patch_on_wave() {
    Scene s = over_bulk(3, 0.04, {0.96, 0.64, 0.32}, BulkKind::kAnalytic);
    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.level = 0.32;
    s.bulk.amplitude = 0.04;
    s.bulk.wavelength = 0.96;
    s.foam.life = FoamLife::kForever;
    FoamPatch patch;
    patch.shape.kind = ShapeKind::kBox;
    patch.shape.center = {0.48, 0.32, 0.16};
    patch.shape.size = {0.4, 0.4, 0.24};
    patch.radius_min = patch.radius_max = 3e-3;
    patch.cover = 0.5;
    s.foam.patches = {patch};
    return s;
}

TEST(GuidedFoam, APatchCoversWhatItSaysAndStaysOnTheSurface) {
    GuidedRun<3> run(patch_on_wave(), {});
    double cover = 0;
    for (float r : run.state.foam.radius) cover += 3.14159265 * double(r) * double(r);
    EXPECT_NEAR(cover / (0.4 * 0.24), 0.5, 0.06);
    ASSERT_TRUE(run.until(0.3));
    const std::size_t count = run.state.foam.size();
    EXPECT_GT(count, 1000u);
    const double k = 2 * 3.14159265358979 / 0.96, omega = std::sqrt(9.81 * k);
    double worst = 0;
    for (const Point<3>& x : run.state.foam.position) {
        const double height = 0.32 + 0.04 * std::cos(omega * run.state.time) * std::cos(k * x[0]);
        worst = std::max(worst, std::abs(x[1] - height));
    }
    // What linear interpolation of the level set leaves: h² η″ / 8.
    EXPECT_LT(worst, 0.5 * 0.04 * 0.04 * 0.04 * k * k);
    const StateSummary s = guided::summary(run.state, run.params, run.world, run.context);
    EXPECT_EQ(std::size_t(s.foam), count);
    EXPECT_LT(std::abs(s.air.drift()), 1e-12);
}

// Small and large bubbles, stepped implicitly and drawn together by menisci, on one and two
// threads; what they cover is written as a volume.
TEST(GuidedFoam, StepsImplicitlyWithMenisci) {
    Scene s = patch_on_wave();
    s.foam.integration = FoamIntegration::kImplicit;
    s.foam.capillarity = 1;
    s.foam.patches[0].shape.size = {0.2, 0.4, 0.12};
    s.foam.patches[0].radius_min = 1e-3;
    s.foam.patches[0].radius_max = 10e-3;
    GuidedRun<3> one(s, {}, 1), two(s, {}, 2);
    const std::size_t count = one.state.foam.size();
    ASSERT_GT(count, 300u);
    const Frame frame = guided::view(one.state, one.params, one.world, one.context);
    double sum = 0, cells = 0;
    for (const Volume& v : frame.volumes)
        if (v.name == "coverage")
            for (float c : v.values[0]) {
                EXPECT_LE(c, 1);
                sum += double(c), cells += c > 0.2f;
            }
    EXPECT_NEAR(sum / cells, 0.5, 0.2);
    ASSERT_TRUE(one.until(0.08));
    ASSERT_TRUE(two.until(0.08));
    EXPECT_EQ(one.state.foam.size(), count);
    for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(one.state.foam.position[i], two.state.foam.position[i]);
    const StateSummary summary = guided::summary(one.state, one.params, one.world, one.context);
    EXPECT_LT(std::abs(summary.air.drift()), 1e-12);
}

// A drop that is there and then is not: its foam has left, and nothing is lost.
TEST(GuidedFoam, FoamOfAFallingDropLeavesWithIt) {
    Scene s = over_bulk(3, 0.04, {0.64, 0.64, 0.64}, BulkKind::kAnalytic);
    s.bulk.flow = BulkFlow::kFreeFall;
    s.bulk.center = {0.32, 0.4, 0.32};
    s.bulk.radius = 0.15;
    FoamPatch patch;
    patch.shape.kind = ShapeKind::kSphere;
    patch.shape.center = {0.32, 0.4, 0.32};
    patch.shape.radius = 0.25;
    patch.radius_min = patch.radius_max = 4e-3;
    s.foam.patches = {patch};
    s.foam.life = FoamLife::kForever;
    GuidedRun<3> run(s, {});
    const double all = run.state.emitted;
    ASSERT_GT(run.state.foam.size(), 500u);
    ASSERT_TRUE(run.until(0.5));
    EXPECT_EQ(run.state.foam.size(), 0u);
    double bubbles = 0;
    for (float r : run.state.bubbles.radius) bubbles += bubble_volume<3>(double(r));
    EXPECT_NEAR(run.state.left + bubbles, all, 1e-12 * all);
}

TEST(GuidedFoam, WithoutFoamBubblesLeave) {
    Scene s = rising<2>();
    s.foam.on = false;
    GuidedRun<2> run(s, {});
    ASSERT_TRUE(run.until(0.6));
    EXPECT_EQ(run.state.foam.size(), 0u);
    EXPECT_GT(run.state.left, 0);
}

}  // namespace
}  // namespace spume

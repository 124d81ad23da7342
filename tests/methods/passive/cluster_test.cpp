// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "methods/passive/still_pool.h"
#include "spume/particles/bubble_size.h"
#include "spume/physics/foam/bubble_merging.h"

namespace spume {
namespace {

using test::add;
using test::StillPool;

/// Distance at which n bubbles rest that all touch, [G04] with k_a → k_a/(n − 1).
double rest_distance(const RegionCoefficients& k, double a, double b, int n) {
    const double large = std::max(a, b), small = std::min(a, b), ka = k.attraction / (n - 1);
    return (k.repulsion + ka * large / small) / (k.repulsion / (a + b) + ka / small);
}

const ClusterIntegration kWays[] = {ClusterIntegration::kExplicit, ClusterIntegration::kImplicit};

TEST(PassiveCluster, APairComesToTheClosedFormOverlap) {
    for (const ClusterIntegration way : kWays)
        for (const double other : {2e-3, 3e-3, 4.5e-3}) {
            StillPool<3> pool(0.064, 4e-3, 0.03);
            pool.law.integration = way;
            ClusterBubbles<3> set;
            add<3>(set, {0.03, 0.03, 0.03}, 3e-3);
            add<3>(set, {0.03 + 0.95 * (3e-3 + other), 0.03, 0.03}, other);
            for (int i = 0; i < 40; ++i) pool.run(set, 0.05);
            const double d = length(set.position[0] - set.position[1]);
            EXPECT_NEAR(d, rest_distance(pool.law.region[1], 3e-3, other, 2), 1e-9) << other;
        }
}

TEST(PassiveCluster, ThreeAndFourThatAllTouch) {
    StillPool<3> pool(0.064, 4e-3, 0.1);  // all below the surface, where they attract in this test
    pool.law.region[0] = pool.law.region[1];
    pool.law.pressure = 0;
    for (const int n : {3, 4}) {
        ClusterBubbles<3> set;
        const Point<3> corner[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
        for (int i = 0; i < n; ++i)
            add<3>(set, Point<3>::filled(0.03) + corner[i] * (0.6e-3 * (1 + 0.1 * i)), 2e-3);
        for (int i = 0; i < 40; ++i) pool.run(set, 0.05);
        const double rest = rest_distance(pool.law.region[0], 2e-3, 2e-3, n);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < i; ++j)
                EXPECT_NEAR(length(set.position[std::size_t(i)] - set.position[std::size_t(j)]),
                            rest, 1e-9);
    }
}

TEST(PassiveCluster, RestsAtAWall) {
    StillPool<2> pool(0.064, 4e-3, 0.1);
    pool.domain.wall[0][0] = true;
    pool.law.region[0] = {1, 0.2, 0.1, 0, 0, 0};
    pool.law.pressure = 0;
    ClusterBubbles<2> set;
    add<2>(set, {2.5e-3, 0.03}, 3e-3);
    for (int i = 0; i < 40; ++i) pool.run(set, 0.05);
    EXPECT_NEAR(set.position[0][0], 3e-3 * 0.2 / 0.3, 1e-9);
}

// Within one region actions and reactions are equal, so nothing moves the whole.
TEST(PassiveCluster, ARaftKeepsItsCentre) {
    for (const ClusterIntegration way : kWays) {
        StillPool<3> pool(0.128, 8e-3, 0.05);
        pool.law.integration = way;
        pool.law.region[2] = pool.law.region[1];
        auto set = test::raft<3>(300, 2e-3, 0.128, 0.05, 0.05);
        const Point<3> before = test::centre(set);
        double moved = 0;
        for (int i = 0; i < 10; ++i) moved = std::max(moved, pool.run(set, 0.02).max_speed);
        const Point<3> after = test::centre(set);
        EXPECT_GT(moved, 0.01);  // it does spread
        // Bubbles that touch nobody have no K_v: they do not move either, in still water.
        EXPECT_NEAR(after[0], before[0], way == ClusterIntegration::kExplicit ? 1e-12 : 1e-9);
        EXPECT_NEAR(after[2], before[2], way == ClusterIntegration::kExplicit ? 1e-12 : 1e-9);
    }
}

TEST(PassiveCluster, RegionsChangeWhereTheyShould) {
    EXPECT_EQ(surface_region(-0.101e-3, 1e-3, 0.1), SurfaceRegion::kBelow);
    EXPECT_EQ(surface_region(-0.099e-3, 1e-3, 0.1), SurfaceRegion::kTouchingBelow);
    EXPECT_EQ(surface_region(0, 1e-3, 0.1), SurfaceRegion::kTouchingAbove);
    EXPECT_EQ(surface_region(0.99e-3, 1e-3, 0.1), SurfaceRegion::kTouchingAbove);
    EXPECT_EQ(surface_region(1e-3, 1e-3, 0.1), SurfaceRegion::kAbove);
    // A bubble that rises at 0.2 m/s, and one that falls at 0.1 m/s, each by its law until the
    // surface holds it.
    StillPool<2> pool(0.128, 8e-3, 0.064);
    ClusterBubbles<2> set;
    add<2>(set, {0.03, 0.03}, 2e-3);
    add<2>(set, {0.09, 0.09}, 2e-3);
    pool.run(set, 0.1);
    const std::size_t low = set.id[0] == 0 ? 0 : 1;
    EXPECT_NEAR(set.position[low][1], 0.05, 1e-12);
    EXPECT_NEAR(set.position[1 - low][1], 0.08, 1e-12);
    EXPECT_EQ(set.region[low], std::uint8_t(SurfaceRegion::kBelow));
    EXPECT_EQ(set.region[1 - low], std::uint8_t(SurfaceRegion::kAbove));
    pool.run(set, 0.3);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(set.position[i][1], 0.064, 1e-12);
    // As printed, they jitter across it by what they move in a subcycle.
    pool.law.surface = SurfaceForces::kSwitched;
    pool.run(set, 0.1);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(set.position[i][1], 0.064, 2e-3);
}

// [G04] takes a hundredth of the CFL step; the length chosen by stability gives the same places. In
// a stream, so that it is short for all of the time.
TEST(PassiveCluster, AHundredthOfTheStepChangesNothing) {
    const auto settled = [](double courant, ClusterIntegration way, long& subcycles) {
        StillPool<3> pool(0.128, 8e-3, 0.05);
        pool.law.courant = courant;
        pool.law.integration = way;
        pool.velocity.component(0) = tile_values<double, 3>(*pool.velocity.tiles(), 0.05);
        ClusterBubbles<3> set;
        for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 5; ++j)
                add<3>(set, {0.05 + 3.9e-3 * i + 0.1e-3 * j, 0.05, 0.05 + 3.8e-3 * j}, 2e-3);
        for (int i = 0; i < 12; ++i) subcycles += pool.run(set, 1.0 / 24).subcycles;
        return set;
    };
    long few = 0, many = 0, implicit = 0;
    const auto a = settled(0.5, ClusterIntegration::kExplicit, few);
    const auto b = settled(0.01, ClusterIntegration::kExplicit, many);
    const auto c = settled(0.5, ClusterIntegration::kImplicit, implicit);
    double most = 0, other = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, length(a.position[i] - b.position[i]) / 2e-3);
        other = std::max(other, length(c.position[i] - b.position[i]) / 2e-3);
    }
    std::printf("%ld subcycles, a hundredth %ld, implicit %ld; apart %.2g and %.2g radii\n", few,
                many, implicit, most, other);
    EXPECT_GT(many, 3 * few);
    EXPECT_LT(most, 0.02);
    EXPECT_LT(other, 0.05);
}

TEST(PassiveCluster, StiffClustersNeedNoShortStepsImplicitly) {
    long subcycles[2] = {};
    double apart[2] = {};
    for (int k = 0; k < 2; ++k) {
        StillPool<3> pool(0.128, 8e-3, 0.05);
        pool.law.integration = kWays[k];
        for (RegionCoefficients& r : pool.law.region) r.repulsion *= 300, r.attraction *= 300;
        ClusterBubbles<3> set;
        for (int i = 0; i < 6; ++i) add<3>(set, {0.05 + 3.5e-3 * i, 0.05, 0.06}, 2e-3);
        for (int i = 0; i < 24; ++i) subcycles[k] += pool.run(set, 1.0 / 24).subcycles;
        apart[k] = length(set.position[0] - set.position[1]);
    }
    std::printf("explicit %ld subcycles, implicit %ld\n", subcycles[0], subcycles[1]);
    EXPECT_GT(subcycles[0], 10 * subcycles[1]);
    EXPECT_NEAR(apart[1], apart[0], 1e-6);
}

TEST(PassiveCluster, ThreadsChangeNoBit) {
    ClusterBubbles<3> one;
    for (const int threads : {1, 3}) {
        StillPool<3> pool(0.128, 8e-3, 0.05, threads);
        pool.popping.life = 1;
        auto set = test::raft<3>(3000, 2e-3, 0.128, 0.05, 0.1);
        for (int i = 0; i < 2; ++i) pool.run(set, 0.02);
        if (threads == 1) {
            one = set;
            continue;
        }
        ASSERT_EQ(set.size(), one.size());
        for (std::size_t i = 0; i < set.size(); ++i)
            ASSERT_TRUE(set.position[i] == one.position[i] && set.id[i] == one.id[i]);
    }
}

/// Largest distance between the shares of a sample and of an exponential law; at the level of one
/// in a thousand it is below 1.95/√n (Kolmogorov, Smirnov).
double distance_to_exponential(std::vector<double> lives, double mean, double cut) {
    std::sort(lives.begin(), lives.end());
    double most = 0;
    const double n = double(lives.size()), all = 1 - std::exp(-cut / mean);
    for (std::size_t i = 0; i < lives.size(); ++i) {
        const double law = (1 - std::exp(-lives[i] / mean)) / all;
        most = std::max({most, std::abs(law - double(i) / n), std::abs(law - double(i + 1) / n)});
    }
    return most;
}

TEST(PassivePopping, LivesFollowTheirExponential) {
    for (const double radius : {0.5e-3, 2e-3, 4e-3}) {
        StillPool<2> pool(4, 0.125, 2);
        pool.popping = {0.5, 1, 1e-3, 3e-3, 2, false, 11, {}};
        ClusterBubbles<2> set;
        for (int i = 0; i < 3000; ++i) add<2>(set, {0.01 + 0.0013 * i, i % 2 ? 2.0 : 1.0}, radius);
        // Only those at the surface pop: half of them stay below, for want of buoyancy.
        pool.law.pressure = 0;
        for (RegionCoefficients& k : pool.law.region) k = {1, 0, 0, 0, 0, 0};
        std::vector<double> lives;
        const double dt = 0.002, end = 0.6;
        for (double t = dt; t < end + dt / 2; t += dt) {
            const std::size_t before = set.size();
            pool.run(set, dt);
            for (std::size_t i = set.size(); i < before; ++i) lives.push_back(t - dt / 2);
        }
        const double scale = std::max(0.0, 2 * (radius - 1e-3) / 2e-3);
        const double d = distance_to_exponential(lives, 0.5 / (1 + scale), end);
        std::printf("radius %.1e: %zu popped, KS %.3f\n", radius, lives.size(), d);
        EXPECT_GT(lives.size(), 900u);
        EXPECT_LT(d, 1.95 / std::sqrt(double(lives.size())));
        std::size_t below = 0;
        for (const Point<2>& x : set.position) below += x[1] < 1.5;
        EXPECT_EQ(below, 1500u);
    }
}

TEST(PassivePopping, LongerAtWallsAndAtOnceInTheAir) {
    const PoppingLaw law{2, 8, 1e-3, 5e-3, 1, false, 1, {}};
    EXPECT_DOUBLE_EQ(popping_rate(law, 1e-3, false), 0.5);
    EXPECT_DOUBLE_EQ(popping_rate(law, 0.1e-3, false), 0.5);  // never infinite
    EXPECT_DOUBLE_EQ(popping_rate(law, 5e-3, false), 1);
    EXPECT_DOUBLE_EQ(popping_rate(law, 9e-3, false), 1.5);
    EXPECT_DOUBLE_EQ(popping_rate(law, 1e-3, true), 0.125);
    StillPool<2> pool(0.128, 8e-3, 0.05);
    pool.popping.in_air = true;
    ClusterBubbles<2> set;
    add<2>(set, {0.05, 0.05}, 2e-3);
    add<2>(set, {0.07, 0.06}, 3e-3);
    const ClusterMotion m = pool.run(set, 0.01);
    EXPECT_EQ(m.popped, 1u);
    EXPECT_DOUBLE_EQ(m.burst, bubble_volume<2>(3e-3));
    EXPECT_EQ(set.size(), 1u);
}

TEST(PassiveMerging, AddsVolumesAndKeepsTheCentre) {
    Context context(2);
    ClusterBubbles<3> set = test::raft<3>(500, 2e-3, 0.1, 0.05, 0.04);
    const auto total = [&](Point<3>& middle) {
        double sum = 0;
        for (std::size_t i = 0; i < set.size(); ++i) {
            const double v = bubble_volume<3>(set.radius[i]);
            sum += v;
            middle += set.position[i] * v;
        }
        middle = middle / sum;
        return sum;
    };
    Point<3> before{}, after{};
    const double volume = total(before);
    EXPECT_EQ(merge_bubbles(set, Merging::kNever, 0.5, context), 0u);
    const std::size_t gone = merge_bubbles(set, Merging::kEverywhere, 0.5, context);
    EXPECT_GT(gone, 50u);
    EXPECT_EQ(set.size(), 500 - gone);
    EXPECT_NEAR(total(after), volume, 1e-13 * volume);
    EXPECT_LT(length(after - before), 1e-14);
    set.region = Array<std::uint8_t>(set.size(), std::uint8_t(SurfaceRegion::kTouchingAbove));
    EXPECT_EQ(merge_bubbles(set, Merging::kBelow, 0.9, context), 0u);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_transitions.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "foam/foam_set.h"
#include "spume/core/random.h"
#include "spume/particles/bubble_size.h"
#include "spume/physics/foam/foam_pruning.h"

namespace spume {
namespace {

/// A plane at y = 0 that moves up at 3 m/s with its liquid.
FormulaSurface<3> rising_plane() {
    FormulaSurface<3> s;
    s.phi = [](const Point<3>& x, double t) { return SurfacePoint<3>{x[1] - 3 * t, {0, 1, 0}}; };
    s.flow = [](const Point<3>&, double) { return Vec<double, 3>{0, 3, 0}; };
    return s;
}

Bubbles<3> bubbles_at(const std::vector<double>& heights) {
    Bubbles<3> b;
    resize(b, heights.size());
    for (std::size_t i = 0; i < heights.size(); ++i) {
        b.position.write()[i] = {0.1 * double(i), heights[i], 0};
        b.velocity.write()[i] = {0.1, 3.2, 0};
        b.radius.write()[i] = 2e-3f;
        b.density.write()[i] = 1;
        b.id.write()[i] = 100 + i;
    }
    b.next_id = 200;
    return b;
}

TEST(FoamTransitions, AreThoseOfAlgorithm2) {
    Context context(1);
    const auto surface = rising_plane();
    TransitionLaw law;
    law.reach = 0.05;
    // Deep; within a radius below; above within a radius; crossed by more; far above.
    auto bubbles = bubbles_at({-0.02, -1.5e-3, 1e-3, 0.03, 0.2});
    const double before = total_volume(Foam<3>{}, context);
    auto r = take_surfaced(bubbles, surface, 0.0, law, context);
    EXPECT_EQ(before, 0);
    ASSERT_EQ(bubbles.size(), 1u);
    EXPECT_EQ(bubbles.id[0], 100u);
    ASSERT_EQ(r.foam.size(), 3u);
    EXPECT_NEAR(r.left, bubble_volume<3>(2e-3f), 1e-20);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(r.foam.id[i], 101 + i);
        EXPECT_NEAR(r.foam.position[i][1], 0, 1e-12);
        // w = (0.1, 0.2, 0) against the liquid: ζ |w| along the surface, which rises.
        EXPECT_NEAR(r.foam.velocity[i][0], 0.7 * std::hypot(0.1, 0.2), 1e-12);
        EXPECT_NEAR(r.foam.velocity[i][1], 3, 1e-12);
    }
}

TEST(FoamTransitions, NoSpeedFromNothing) {
    const Vec<double, 3> u{0, 3, 0}, n{0, 1, 0};
    EXPECT_EQ(surfaced_velocity<3>({0, 3.3, 0}, u, n, 0.7), u);
    EXPECT_EQ(surfaced_velocity<3>(u, u, n, 0.7), u);
}

TEST(FoamTransitions, WhatTheSurfaceLeavesSinksOrHasLeft) {
    Context context(1);
    const auto surface = rising_plane();
    TransitionLaw law;
    law.reach = 0.01;
    auto foam = foam_at<3>({{0, 0.005, 0}, {0.1, -0.1, 0}, {0.2, 0.1, 0}}, 2e-3);
    for (int i = 0; i < 3; ++i) foam.velocity.write()[std::size_t(i)] = {0.5, 0, 0};
    foam.afloat.write()[1] = 0.4f;
    Bubbles<3> bubbles;
    bubbles.next_id = 50;
    const double left = take_submerged(foam, bubbles, surface, 0.0, law, context);
    ASSERT_EQ(foam.size(), 1u);
    EXPECT_NEAR(foam.position[0][1], 0, 1e-12);
    ASSERT_EQ(bubbles.size(), 1u);
    EXPECT_EQ(bubbles.id[0], 1u);
    EXPECT_EQ(bubbles.afloat[0], 0.4f);
    EXPECT_EQ(bubbles.velocity[0][0], 0.5);
    EXPECT_EQ(bubbles.next_id, 50u);
    EXPECT_NEAR(left, bubble_volume<3>(2e-3f), 1e-20);
}

TEST(FoamLifespan, IsNormalCutAtZeroOrExponential) {
    constexpr int kMany = 40000;
    TransitionLaw law;
    law.life_mean = 1.75;
    law.life_variance = 0.5;
    double sum = 0, square = 0;
    for (std::uint64_t id = 0; id < kMany; ++id) {
        const double t = foam_lifespan(law, id, 1e-3);
        ASSERT_GT(t, 0);
        sum += t;
        square += t * t;
    }
    // Cut at −2.475 standard deviations: the mean is 1.75 + 0.707 φ/Φ = 1.7632.
    EXPECT_NEAR(sum / kMany, 1.7632, 4 * 0.7 / std::sqrt(kMany));
    EXPECT_NEAR(square / kMany - sum * sum / kMany / kMany, 0.4764, 0.02);
    law.life = FoamLife::kExponential;
    double alive = 0;
    for (std::uint64_t id = 0; id < kMany; ++id) alive += foam_lifespan(law, id, 1e-3) > 1.75;
    EXPECT_NEAR(alive / kMany, std::exp(-1), 4 * 0.5 / std::sqrt(kMany));
    law.life_power = -1;
    EXPECT_NEAR(foam_lifespan(law, 3, 2e-3), foam_lifespan(law, 3, 1e-3) / 2, 1e-12);
}

/// Newcomers thrown on a disc until it is covered `times` over.
Foam<3> thrown(double times, double radius, std::uint64_t first_id) {
    std::vector<Point<3>> places;
    const double side = 0.1;
    const auto count = static_cast<std::size_t>(times * side * side / (M_PI * radius * radius));
    for (std::size_t i = 0; i < count; ++i) {
        const Random random(9, first_id + i, 0, Purpose::kTest);
        places.push_back({side * random.uniform(0), 0, side * random.uniform(1)});
    }
    auto foam = foam_at<3>(places, radius);
    for (std::size_t i = 0; i < count; ++i) foam.id.write()[i] = first_id + i;
    return foam;
}

double cover(const Foam<3>& foam) {
    double sum = 0;
    for (float r : foam.radius) sum += M_PI * double(r) * double(r);
    return sum / 0.01;
}

TEST(FoamPruning, LimitsTheCoverWhateverTheOrder) {
    Context context(1);
    for (FoamPruning how : {FoamPruning::kArea, FoamPruning::kNumber}) {
        WetFoam law;
        law.pruning = how;
        Foam<3> sparse = thrown(0.3, 2e-3, 0), many = thrown(3, 2e-3, 10000);
        const double before = total_volume(many, context);
        const std::size_t few = sparse.size();
        EXPECT_LT(prune(sparse, Foam<3>{}, law, 1, context),
                  0.2 * double(few) * bubble_volume<3>(2e-3));
        Foam<3> backwards = many;
        std::vector<std::uint32_t> order(many.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = static_cast<std::uint32_t>(order.size() - 1 - i);
        permute(backwards, order, context);
        const double pruned = prune(many, sparse, law, 1, context);
        prune(backwards, sparse, law, 1, context);
        EXPECT_NEAR(total_volume(many, context) + pruned, before, 1e-12 * before);
        std::vector<std::uint64_t> a(many.id.begin(), many.id.end()),
            b(backwards.id.begin(), backwards.id.end());
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        EXPECT_EQ(a, b);
        std::printf("cover 3.0 thrown at once: %.2f stays\n", cover(many));
        EXPECT_LT(cover(many), how == FoamPruning::kArea ? 1.3 : 2.2);
        EXPECT_GT(cover(many), 0.6);
    }
}

// A large bubble among small ones counts by its area, not as one of many.
TEST(FoamPruning, AreaSparesLargeBubblesAmongSmallOnes) {
    Context context(1);
    const Foam<3> small = thrown(0.6, 0.5e-3, 0);
    WetFoam law;
    const auto kept = [&](FoamPruning how) {
        law.pruning = how;
        int n = 0;
        for (std::uint64_t k = 0; k < 200; ++k) {
            auto large = foam_at<3>({{0.05, 0, 0.05}}, 5e-3);
            large.id.write()[0] = 100000 + k;
            prune(large, small, law, k, context);
            n += static_cast<int>(large.size());
        }
        return n / 200.0;
    };
    EXPECT_GT(kept(FoamPruning::kArea), 0.9);
    EXPECT_LT(kept(FoamPruning::kNumber), 0.1);
}

}  // namespace
}  // namespace spume

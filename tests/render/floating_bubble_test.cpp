// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/floating_bubble.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/math.h"

namespace spume {
namespace {

struct Row {
    double bond, cap, ring, depth;
};

// Computed independently with other means.
TEST(FloatingBubble, TableOfShapes) {
    for (const Row& row : {Row{0.672, 1.664, 0.772, 1.137}, Row{4.01, 1.431, 1.140, 0.497},
                           Row{25.7, 1.323, 1.265, 0.116}}) {
        const double a = 2.7e-3, r = a * std::sqrt(row.bond);
        const FloatingBubble b = floating_bubble(r, a);
        EXPECT_NEAR(b.cap / r, row.cap, 0.01 * row.cap) << row.bond;
        EXPECT_NEAR(b.ring / r, row.ring, 0.01 * row.ring) << row.bond;
        EXPECT_NEAR(b.depth / r, row.depth, 0.01 * row.depth) << row.bond;
    }
}

TEST(FloatingBubble, LimitsOfSmallAndLarge) {
    const FloatingBubble small = floating_bubble(0.1, 1);
    EXPECT_NEAR(small.cap / 0.1, 2, 0.01 * 2);
    EXPECT_NEAR(small.ring / 0.1, 1.155 * 0.1, 0.01 * 0.1155);
    const FloatingBubble large = floating_bubble(10, 1);
    EXPECT_NEAR(large.cap / 10, 1.26, 0.03 * 1.26);
    EXPECT_NEAR(large.depth, 4 / large.cap, 0.01 * large.depth);
}

TEST(FloatingBubble, RingIsTangentAndWeightIsCarried) {
    const FloatingBubble b = floating_bubble(1.3, 1);
    EXPECT_NEAR(b.ring, b.cap * math::sin(b.slope), 1e-6);
    const auto top = b.cap_at(b.cap_angle());
    EXPECT_NEAR(top[0], b.ring, 1e-6);
    EXPECT_NEAR(top[1], b.ring_z, 1e-12);
    EXPECT_NEAR(b.cavity.back()[0], b.ring, 1e-9);
    EXPECT_NEAR(b.meniscus.front()[0], b.ring, 1e-6);
    EXPECT_NEAR(b.meniscus.front()[1], b.ring_z, 1e-4);
    EXPECT_LT(b.meniscus.back()[1], 1e-3);
    // Vertical balance of the whole (σ = ρg = 1): the volume of liquid missing below the level
    // equals that lifted above it in the meniscus, since the film carries no weight.
    double cavity = 0, lifted = 0;
    for (std::size_t i = 1; i < b.cavity.size(); ++i) {
        const auto &p = b.cavity[i - 1], &q = b.cavity[i];
        cavity -= math::kPi * (q[0] * q[0] - p[0] * p[0]) * (p[1] + q[1]) / 2;
    }
    for (std::size_t i = 1; i < b.meniscus.size(); ++i) {
        const auto &p = b.meniscus[i - 1], &q = b.meniscus[i];
        lifted += math::kPi * (q[0] * q[0] - p[0] * p[0]) * (p[1] + q[1]) / 2;
    }
    EXPECT_NEAR(lifted, cavity, 0.01 * cavity);
}

}  // namespace
}  // namespace spume

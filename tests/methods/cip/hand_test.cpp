// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "cip_run.h"
#include "spume/core/math.h"
#include "spume/methods/cip/flow.h"

namespace spume {
namespace {

/// A tank of water with a hand in its middle; without gravity.
template <int D>
CipRun<D> held(const cip::Hand& hand) {
    Scene scene = cip_box(D, 1.0 / 16, {1, 1, 1});
    scene.physics.gravity = {};
    scene.physics.surface_tension = 0;
    scene.liquids = {water_box({-1, -1, -1}, {2, 2, 2})};
    cip::Params p;
    p.hands = {hand};
    return CipRun<D>(scene, p);
}

/// du/dt = s q (v − u) has u = v (1 − e^(−s q t)) under a hand at rest, in one step or in many, and
/// outside its reach and its time nothing happens.
template <int D>
void follows_its_law() {
    cip::Hand hand;
    hand.from = hand.to = {0.5, 0.5, D == 2 ? 0 : 0.5};
    hand.radius = 0.3, hand.strength = 8, hand.start = 0.1, hand.stop = 0.4;
    for (const int steps : {1, 7}) {
        CipRun<D> run = held<D>(hand);
        for (auto& u : run.state.velocity) u.f.values.fill(2);
        const auto phases = cip::phases_of(run.state.phi, run.world, run.params, run.context);
        for (int n = 0; n < steps; ++n)
            cip::add_forces(run.state, phases, {}, run.world, run.params,
                            {0.5 * n / steps, 0.5 * (n + 1) / steps}, run.context);
        for (int a = 0; a < D; ++a) {
            const auto& u = run.state.velocity[a];
            for (int k = 1; k < 16; ++k) {
                Index<D> i = Index<D>::filled(8);
                i[0] = k;
                const Point<D> x = run.world.position(i.template as<double>() + u.place.offset);
                const Vec<double, D> arm = x - Point<D>::filled(0.5);
                const double q = std::max(0.0, 1 - dot(arm, arm) / (0.3 * 0.3));
                EXPECT_NEAR(u.f.at(i), 2 * math::exp(-8 * q * q * 0.3), 1e-12);
            }
        }
    }
}

TEST(CipHand, FollowsItsLaw) {
    follows_its_law<2>();
    follows_its_law<3>();
}

/// Drawn through water it takes water along, and what is beside flows back.
TEST(CipHand, DrawsTheWaterAlong) {
    cip::Hand hand;
    hand.from = {0.3, 0.5, 0}, hand.to = {0.7, 0.5, 0};
    hand.radius = 0.15, hand.strength = 50, hand.stop = 0.2;
    CipRun<2> run = held<2>(hand);
    ASSERT_TRUE(run.until(0.2));
    double middle[2] = {0.65 * 16, 8};
    const auto& u = run.state.velocity[0];
    EXPECT_GT((sample_dense<double, 2>(u.f.read(), u.place, middle)), 0.5);
    middle[1] = 15;
    EXPECT_LT((sample_dense<double, 2>(u.f.read(), u.place, middle)), -0.05);
}

}  // namespace
}  // namespace spume

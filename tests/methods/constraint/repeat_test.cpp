// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "property/session_run.h"
#include "run.h"

namespace spume {
namespace {

/// Coarse, with bubbles from its first frames on.
const std::vector<std::string> kAerated = {"domain.divisions=48",  "whitewater.drag=1",
                                           "emission.jitter=2",    "aeration.tau=0.02",
                                           "aeration.a_min=0.001", "aeration.a_max=0.01"};

TEST(ConstraintRepeat, ThreadsChangeNoBitOfWhitewater) {
    const KeptState one =
        expect_same_on_threads(bundled_scene("dam_break_2d.toml", kAerated), 6, {3});
    EXPECT_GT(one.members.at("small.position").size(), 100u * sizeof(Point<2>));
}

TEST(ConstraintRepeat, ThreadsChangeNoBit) {
    for (const char* name :
         {"dam_break_2d.toml", "gb17_fig5_moving_boundary.toml", "floating_bodies.toml",
          "smoke_bubble.toml", "gb17_fig2_rising_viscous.toml"}) {
        const bool flat = std::string(name).find("2d") != std::string::npos;
        const BundledScene scene =
            bundled_scene(name, {flat ? "domain.divisions=64" : "domain.divisions=24"});
        const KeptState one = expect_same_on_threads(scene, 4, {2, 3, 8});
        EXPECT_GT(one.members.at("liquid.position").size(), 5000u);
    }
}

TEST(ConstraintRepeat, ResumeChangesNoBit) {
    const std::vector<std::pair<const char*, std::vector<std::string>>> scenes = {
        {"dam_break_2d.toml", {"domain.divisions=64"}},
        {"dam_break_2d.toml", {"domain.divisions=64", "constraint.transfer=flip"}},
        {"dam_break_2d.toml", {"domain.divisions=48", "output.aeration=true"}},
        {"floating_bodies.toml", {"domain.divisions=24"}},
        {"smoke_bubble.toml", {"domain.divisions=24", "whitewater.drag=1"}},
        {"dam_break_2d.toml", kAerated}};
    for (const auto& [name, overrides] : scenes)
        expect_same_after_resume(bundled_scene(name, overrides), 3, 6);
}

TEST(ConstraintRepeat, OnlyAffineTransferKeepsGradients) {
    const auto after_a_frame = [](const char* transfer) {
        return state_after(bundled_scene("dam_break_2d.toml", {"domain.divisions=32", transfer}), 1,
                           1);
    };
    const KeptState flip = after_a_frame("constraint.transfer=flip");
    const KeptState apic = after_a_frame("constraint.transfer=apic");
    EXPECT_TRUE(flip.members.at("liquid.gradient").empty());
    EXPECT_EQ(apic.members.at("liquid.gradient").size(), apic.members.at("liquid.position").size());
}

TEST(ConstraintRepeat, MirrorImageStaysOne) {
    Scene s = tank(2, 1.0 / 32, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0.3, 0, -1}, {0.7, 0.5, 1})};
    constraint::Params p;
    p.fewest_particles = 0;
    p.pressure_tolerance = 1e-12;
    ConstraintRun<2> run(s, p);
    Liquid<2>& liquid = run.state.liquid;
    std::vector<Point<2>> left;
    for (const Point<2>& x : liquid.position)
        if (x[0] < 0.5) left.push_back(x);
    resize(liquid, 2 * left.size());
    auto x = liquid.position.write();
    auto v = liquid.velocity.write();
    auto id = liquid.id.write();
    for (std::size_t i = 0; i < left.size(); ++i) {
        x[2 * i] = left[i];
        x[2 * i + 1] = {1 - left[i][0], left[i][1]};
        for (std::size_t k = 2 * i; k < 2 * i + 2; ++k) v[k] = {}, id[k] = k;
    }
    run.state.phi = {};  // of the particles before: no mirror image
    ASSERT_TRUE(run.one_step(0.005));
    std::vector<Vec<double, 2>> by_id(liquid.size());
    for (std::size_t i = 0; i < liquid.size(); ++i) by_id[liquid.id[i]] = liquid.velocity[i];
    double worst = 0, most = 0;
    for (std::size_t i = 0; i < by_id.size(); i += 2) {
        worst = std::max({worst, std::abs(by_id[i][0] + by_id[i + 1][0]),
                          std::abs(by_id[i][1] - by_id[i + 1][1])});
        most = std::max(most, length(by_id[i]));
    }
    EXPECT_GT(most, 0.01);
    EXPECT_LT(worst, 1e-9 * most);
}

}  // namespace
}  // namespace spume

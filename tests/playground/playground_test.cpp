// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "playground.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "lab.h"
#include "spume/core/error.h"

namespace spume::playground {
namespace {

std::string scene_text(int divisions) {
    return R"(version = 1
method = "cip"
[time]
fps = 60
[domain]
dimensions = 2
lower = [0, 0, 0]
upper = [1, 0.75, 1]
divisions = )" +
           std::to_string(divisions) + R"(
sides = "wall"
bottom = "wall"
top = "wall"
[[liquid]]
shape = { kind = "box", center = [-0.35, 0, 0], size = [1.3, 1, 2] }
)";
}

TEST(PlaygroundSetting, BadScenesAreSentences) {
    try {
        read_setting("method = \"cip\"\nversion = 1\n[domain]\ndimensions = 3\n");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("flat"), std::string::npos) << error.what();
    }
    EXPECT_THROW(read_setting("version = 1\nmethod = \"cip\"\n[cip]\nadvection = \"up\"\n"),
                 UserError);
    EXPECT_THROW(read_setting("version = 1\nmethod = \"constraint\"\n"), UserError);
    EXPECT_THROW(read_setting(scene_text(2000)), UserError);  // more than a browser holds
    for (const char* without : {"advection = \"markers\"", "advection = \"weno\"",
                                "bodies = \"marked\"", "redistance = \"sweep\""})
        EXPECT_THROW(read_setting(scene_text(32) + "[cip]\n" + without + "\n"), UserError)
            << without;
    EXPECT_NO_THROW(read_setting(scene_text(32) + "[cip]\nadvection = \"linear\"\n"));
}

TEST(PlaygroundSteps, UndoGoesBackToAnotherGridToo) {
    Playground p(read_setting(scene_text(32)));
    ASSERT_TRUE(p.step(1.0 / 60));
    const std::uint64_t before = p.hash();
    EXPECT_EQ(p.keep(), 1);
    p.change(read_setting(scene_text(48)));
    EXPECT_EQ(p.world().cells()[0], 48);
    ASSERT_TRUE(p.step(1.0 / 60));
    EXPECT_EQ(p.keep(), 2);
    ASSERT_TRUE(p.undo());
    EXPECT_EQ(p.world().cells()[0], 48);
    ASSERT_TRUE(p.undo());
    EXPECT_EQ(p.world().cells()[0], 32);
    EXPECT_EQ(p.hash(), before);
    ASSERT_TRUE(p.step(1.0 / 60));
    EXPECT_FALSE(p.undo());
}

TEST(PlaygroundSteps, SameHandsSameBits) {
    const auto run = [] {
        Playground p(read_setting(scene_text(32)));
        for (int k = 0; k < 6; ++k) {
            if (k == 2) p.pour({{0.6, 0.5}, 0.08, {0, -1}}, true);
            if (k == 3) p.stir({{0.2, 0.2}, 0.1, {}}, 5);
            EXPECT_TRUE(p.step(1.0 / 60));
        }
        return p.hash();
    };
    EXPECT_EQ(run(), run());
}

TEST(PlaygroundSteps, UndoGivesTheStateBack) {
    Playground p(read_setting(scene_text(32)));
    ASSERT_TRUE(p.step(1.0 / 60));
    const auto before = p.hash();
    p.keep();
    p.pour({{0.6, 0.5}, 0.08, {}}, true);
    EXPECT_NE(p.hash(), before);
    EXPECT_TRUE(p.undo());
    EXPECT_EQ(p.hash(), before);
    EXPECT_FALSE(p.undo());
}

TEST(PlaygroundSteps, AFinerGridGoesOn) {
    Playground p(read_setting(scene_text(32)));
    ASSERT_TRUE(p.step(1.0 / 60));
    const double water = p.measure(Measured::kTarget);
    p.change(read_setting(scene_text(48)));
    EXPECT_EQ(p.world().cells()[0], 48);
    ASSERT_TRUE(p.step(1.0 / 60));
    EXPECT_NEAR(p.measure(Measured::kVolume), water, 1e-9);
}

TEST(PlaygroundStages, AreThoseOfThePaperInTheirOrder) {
    Playground p(read_setting(scene_text(32)));
    p.stages().recording = true;
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(p.step(1.0 / 60));  // the tenth redistances
    std::vector<int> parts;
    for (const auto& seen : p.stages().seen()) parts.push_back(int(seen.part));
    EXPECT_EQ(parts, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    // Gravity alone is divergence at the floor; the projection takes it away.
    const auto largest = [&](const State& s) {
        double most = 0;
        for (const float x : p.field(Shown::kDivergence, s))
            most = std::max(most, std::abs(double(x)));
        return most;
    };
    const auto& project = p.stages().seen()[std::size_t(Part::kProject)];
    EXPECT_GT(largest(project.before), 1);
    EXPECT_LT(largest(project.after), 0.02 * largest(project.before));
}

TEST(PlaygroundStages, LookingChangesNothing) {
    Playground plain(read_setting(scene_text(32))), watched(read_setting(scene_text(32)));
    watched.stages().recording = true;
    for (int k = 0; k < 4; ++k) {
        ASSERT_TRUE(plain.step(1.0 / 60));
        ASSERT_TRUE(watched.step(1.0 / 60));
    }
    EXPECT_EQ(plain.hash(), watched.hash());
}

TEST(PlaygroundStages, EachCycleLeavesLess) {
    Playground p(read_setting(scene_text(32)));
    p.stages().recording = true;
    ASSERT_TRUE(p.step(1.0 / 60));
    const auto& cycles = p.stages().cycles;
    ASSERT_EQ(double(cycles.size()), 1 + p.measure(Measured::kIterations));
    EXPECT_EQ(cycles.front().relative, 1);  // from rest: the guess is zero
    EXPECT_FLOAT_EQ(float(cycles.back().relative), float(p.measure(Measured::kResidual)));
    for (std::size_t k = 1; k < cycles.size(); ++k)
        EXPECT_LT(cycles[k].relative, cycles[k - 1].relative);
    // The fields are those of the norms.
    const auto norm = [&](const std::vector<float>& r) {
        double sum = 0;
        for (const float x : r) sum += double(x) * double(x);
        return std::sqrt(sum);
    };
    ASSERT_EQ(cycles[0].residual.size(), 32u * 24u);
    for (const auto& cycle : cycles)
        EXPECT_NEAR(norm(cycle.residual), cycle.relative * norm(cycles[0].residual),
                    1e-5 * norm(cycles[0].residual));
}

TEST(PlaygroundSteps, ThreadsChangeNoBit) {
    const auto run = [](int threads) {
        Playground p(read_setting(scene_text(48)), threads);
        EXPECT_EQ(p.threads(), threads);
        for (int k = 0; k < 6; ++k) EXPECT_TRUE(p.step(1.0 / 60));
        return p.hash();
    };
    EXPECT_EQ(run(1), run(3));
}

TEST(PlaygroundSteps, ABodyFallsAndFloats) {
    const std::string body = R"([[solid]]
name = "body_1"
motion = "dynamic"
density = 300
shape = { kind = "box", center = [0.7, 0.5, 0], size = [0.1, 0.08, 2], rotation = [0, 0, 20] }
)";
    Playground p(read_setting(scene_text(32)));
    ASSERT_TRUE(p.step(1.0 / 60));
    EXPECT_TRUE(p.bodies().empty());
    p.change(read_setting(scene_text(32) + body));
    ASSERT_EQ(p.bodies().size(), 3u);
    EXPECT_FLOAT_EQ(p.bodies()[1], 0.5f);
    EXPECT_NEAR(p.bodies()[2], 20 * std::numbers::pi / 180, 1e-6);
    for (int k = 0; k < 6; ++k) ASSERT_TRUE(p.step(1.0 / 60));
    // Bodies move by the speed that a substep begins with: 0 + 1 + … + 5 times g Δt², less 1 % for
    // air.
    EXPECT_NEAR(0.5 - p.bodies()[1], 15 * 9.81 / 3600, 0.02 * 15 * 9.81 / 3600);
}

TEST(PlaygroundStages, WithoutForcesNothingMoves) {
    Playground p(read_setting(scene_text(32)));
    p.stages().off[int(Part::kForces)] = true;
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(p.step(1.0 / 60));
    EXPECT_LT(p.measure(Measured::kSpeed), 1e-12);
    p.stages().off[int(Part::kForces)] = false;
    ASSERT_TRUE(p.step(1.0 / 60));
    EXPECT_GT(p.measure(Measured::kSpeed), 0.05);
}

TEST(PlaygroundFields, LightFallsOffInWaterOnly) {
    Playground p(read_setting(scene_text(32)));
    const auto light = p.field(Shown::kLight, p.state());
    const auto at = [&](int i, int j) { return light[std::size_t(j * 32 + i)]; };
    EXPECT_FLOAT_EQ(at(28, 0), 1);
    EXPECT_LT(at(2, 0), at(2, 12));
    EXPECT_GT(at(2, 0), 0.05);
}

TEST(PlaygroundFields, EnergyOfAColumn) {
    Playground p(read_setting(scene_text(64)));
    // 0.3 × 0.5 m of water, its middle 0.25 m above the floor.
    EXPECT_NEAR(p.energy().potential, 999 * 9.81 * 0.15 * 0.25, 0.02 * 368);
    EXPECT_EQ(p.energy().kinetic, 0);
}

TEST(PlaygroundFields, EnergyOfABodyThatFalls) {
    const std::string body = R"([[solid]]
name = "body_1"
motion = "dynamic"
density = 300
shape = { kind = "box", center = [0.7, 0.6, 0], size = [0.1, 0.08, 2], rotation = [0, 0, 20] }
)";
    Playground alone(read_setting(scene_text(48))), p(read_setting(scene_text(48)));
    const double water = p.energy().potential;
    p.change(read_setting(scene_text(48) + body));
    const double mass = 300 * 0.1 * 0.08, air = 1.2 * 0.1 * 0.08;
    EXPECT_NEAR(p.energy().potential - water, (mass - air) * 9.81 * 0.6, 0.01);
    const double start = p.energy().potential;
    constexpr int n = 6;
    for (int k = 0; k < n; ++k) ASSERT_TRUE(alone.step(1.0 / 60) && p.step(1.0 / 60));
    // What it loses in height it gains in speed, but for the order in which a substep does the two.
    const auto gained = [](const Playground& one, double from) {
        return one.energy().kinetic + one.energy().potential - from;
    };
    const double speed = 9.81 / 60 * n;
    EXPECT_NEAR(gained(p, start) - gained(alone, water), 0.5 * mass * speed * speed / n,
                0.2 * 0.5 * mass * speed * speed);
}

TEST(PlaygroundLab, ACubicIsCarriedExactlyInside) {
    constexpr int n = 32;
    const auto f = [](double x) { return 1 + x * (0.3 - x * (0.02 - 0.0005 * x)); };
    const auto g = [](double x) { return 0.3 - x * (0.04 - 0.0015 * x); };
    std::vector<double> values(n), slopes(n);
    for (int i = 0; i < n; ++i) values[std::size_t(i)] = f(i), slopes[std::size_t(i)] = g(i);
    lab_step(values, slopes, 0.4, Profile::kCip);
    for (int i = 2; i < n - 1; ++i) {
        EXPECT_NEAR(values[std::size_t(i)], f(i - 0.4), 1e-12);
        EXPECT_NEAR(slopes[std::size_t(i)], g(i - 0.4), 1e-12);
    }
}

TEST(PlaygroundLab, LimitedSquareWavesStayInRange) {
    for (const Profile profile : {Profile::kLinear, Profile::kMonotone, Profile::kCip}) {
        std::vector<double> values(80), slopes(80);
        for (std::size_t i = 20; i < 40; ++i) values[i] = 1;
        for (int k = 0; k < 200; ++k) lab_step(values, slopes, 0.3, profile);
        const double most = *std::max_element(values.begin(), values.end());
        if (profile == Profile::kCip)
            EXPECT_GT(most, 1.02);  // overshoots
        else
            EXPECT_LE(most, 1 + 1e-12);
    }
}

}  // namespace
}  // namespace spume::playground

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "wave.h"

// Bubbles in liquid so thick that inertia plays no part.

namespace spume {
namespace {

constexpr double kBubble = 0.08;

Scene syrup(double viscosity, double fps) {
    Scene s = tank(2, 1.0 / 64, {0.5, 1, 1});
    s.time.fps = fps;
    s.physics.viscosity = viscosity;
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {0.5, 0.9, 1}),
                 liquid_ball({0.25, 0.2, 0}, kBubble, LiquidMode::kHollow)};
    return s;
}

double height(const ConstraintRun<2>& run) {
    for (const AirBubble& b : run.state.air.bubbles)
        if (b.volume < 0.03 && b.volume > 0.01) return b.centre[1];
    return 0;
}

/// Mean speed from 0.1 to 0.2 s, when the bubble has long stopped gaining speed. Creeping flow has
/// no memory: it is g R²/ν times a number of the shape, which hardly changes on so short a way.
double rise_speed(double viscosity, double fps, std::uint64_t seed = 1) {
    Scene scene = syrup(viscosity, fps);
    scene.seed = seed;
    ConstraintRun<2> run(scene, {});
    EXPECT_TRUE(run.until(0.1));
    const double low = height(run);
    EXPECT_TRUE(run.until(0.2));
    return (height(run) - low) / 0.1;
}

TEST(ConstraintThick, SpeedOfABubbleIsThatOfCreepingFlow) {
    const double thick = rise_speed(200, 240), thicker = rise_speed(400, 240);
    RecordProperty("speeds", fmt::format("{} {} m/s", thick, thicker));
    EXPECT_NEAR(thick / thicker, 2, 0.1);
}

TEST(ConstraintThick, SpeedOfABubbleIsThatOfAnySubstep) {
    // ν Δt/h² of 14 and 54: each once, pressure and viscosity let it pass 1.2 and 1.6 times as
    // fast.
    // Where the particles lie changes single ratios by 1.5 % (standard deviation of six seeds).
    double thick = 0, thicker = 0;
    for (const std::uint64_t seed : {1, 2}) {
        thick += 0.5 * rise_speed(100, 30, seed) / rise_speed(100, 240, seed);
        thicker += 0.5 * rise_speed(400, 30, seed) / rise_speed(400, 240, seed);
    }
    RecordProperty("ratios", fmt::format("{} {}", thick, thicker));
    EXPECT_NEAR(thick, 1, 0.05);
    EXPECT_NEAR(thicker, 1, 0.05);
}

TEST(ConstraintThick, ThinLiquidCostsNoMore) {
    struct Cost {
        int most_solves = 0, iterations = 0;
    };
    const auto cost = [](double viscosity, int passes) {
        constraint::Params params;
        params.viscous_passes = passes;
        ConstraintRun<2> run(syrup(viscosity, 30), params);
        Cost r;
        EXPECT_TRUE(run.until(0.2, [&] {
            r.most_solves = std::max(r.most_solves, run.last.pressure_solves);
            r.iterations += run.last.pressure_iterations;
        }));
        return r;
    };
    EXPECT_EQ(cost(0.1, 8).most_solves, 2) << "before viscosity and after it";
    // Two more to see that it is enough, rough ones, of which the first helps the last.
    const Cost thin = cost(0.5, 8);
    EXPECT_EQ(thin.most_solves, 4);
    EXPECT_LE(thin.iterations, 1.2 * cost(0.5, 0).iterations);
    EXPECT_GT(cost(10, 8).most_solves, 4);
}

/// Air with a spring and a body that floats, in liquid so thick that several passes are needed:
/// nothing fails, and threads change no bit.
TEST(ConstraintThick, AirWithASpringAndABodyThatFloats) {
    Scene scene = syrup(100, 30);
    scene.solids = {solid_box({0.05, 0.85, -1}, {0.15, 0.95, 1})};
    scene.solids[0].motion = Motion::kDynamic;
    scene.solids[0].density = 300;
    constraint::Params params;
    params.bubbles = constraint::BubbleMode::kCompressible;
    ConstraintRun<2> one(scene, params, 1), three(scene, params, 3);
    int solves = 0;
    const double air = one.trapped();
    EXPECT_TRUE(one.until(0.3, [&] {
        solves = std::max(solves, one.last.pressure_solves);
        EXPECT_TRUE(one.last.warnings.empty()) << one.last.warnings[0];
    }));
    EXPECT_TRUE(three.until(0.3));
    EXPECT_GE(solves, 6);
    EXPECT_GT(height(one), 0.215);
    EXPECT_NEAR(one.trapped(), air, 0.02 * air);
    EXPECT_EQ(one.state.rigid[0].position, three.state.rigid[0].position);
    ASSERT_EQ(one.state.liquid.size(), three.state.liquid.size());
    for (std::size_t i = 0; i < one.state.liquid.size(); ++i) {
        ASSERT_EQ(one.state.liquid.position[i], three.state.liquid.position[i]);
        ASSERT_EQ(one.state.liquid.velocity[i], three.state.liquid.velocity[i]);
    }
}

/// A sine of one wavelength a metre and an amplitude of λ/40 on a pool λ/2 deep with smooth walls:
/// the rate at which it decays.
double levelling_rate(double viscosity, double fps) {
    Scene scene = tank(2, 1.0 / 64, {0.5, 0.75, 1});
    scene.time.fps = fps;
    scene.physics.viscosity = viscosity;
    scene.physics.surface_tension = 0;
    scene.liquids = {liquid_box({0, 0, -1}, {0.5, 0.5, 1})};
    ConstraintRun<2> run(scene, {});
    raise_wave(run, 1.0 / 40);
    EXPECT_TRUE(run.until(0.1));
    const double first = wave_amplitude(run), start = run.state.time;
    EXPECT_TRUE(run.until(0.5));
    return std::log(first / wave_amplitude(run)) / (run.state.time - start);
}

/// Creeping flow under a free surface: ψ = (a sinh kz + b z cosh kz) sin kx has no shear on the
/// bottom, and none on the surface at H, where p − 2μ ∂w/∂z = ρ g η:
///
///   dη/dt = −η ρg/(2μk) sinh²kH / (sinh kH cosh kH + kH)
///
/// on deep pools ρg/(2μk). It takes pressure and viscosity together: viscosity alone would let the
/// pressure's flow, which has no vorticity, pass.
TEST(ConstraintThick, SineLevelsAtTheRateOfCreepingFlow) {
    const double mu = 1000, k = 2 * std::numbers::pi, kh = k * 0.5;
    const double exact = 1000 * 9.81 / (2 * mu * k) * std::sinh(kh) * std::sinh(kh) /
                         (std::sinh(kh) * std::cosh(kh) + kh);
    const double rate = levelling_rate(mu, 60), fine = levelling_rate(mu, 480);
    RecordProperty("rates", fmt::format("{} {} exact {}", rate / exact, fine / exact, exact));
    EXPECT_NEAR(rate / exact, 1, 0.1) << "ν Δt/h² = 68";
    EXPECT_NEAR(fine / exact, 1, 0.1) << "ν Δt/h² = 9";
}

TEST(ConstraintThick, BubbleRisesWhole) {
    ConstraintRun<2> run(syrup(20, 30), {});
    std::size_t most = 0;
    EXPECT_TRUE(run.until(0.4, [&] { most = std::max(most, run.state.air.bubbles.size()); }));
    EXPECT_EQ(most, 2u) << "the bubble and the air above";
    EXPECT_GT(height(run), 0.3);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "pls_run.h"

namespace spume {
namespace {

using particle_level_set::Params;

template <int D>
double rest_speed(double level, int subgrid) {
    Scene s = pls_box(D, 1.0 / 16, {1, 1, 1});
    s.liquids = {pls_water({0, 0, 0}, {1, level, 1})};
    Params p;
    p.subgrid = subgrid;
    p.pressure_tolerance = 1e-12;
    PlsRun<D> run(s, p);
    EXPECT_TRUE(run.until(10 / 60.0));
    return run.fastest / std::sqrt(9.81 * 1.0);
}

TEST(ParticleLevelSetLiquid, RestsAtEveryLevel) {
    for (int k = 0; k < 16; ++k) {
        EXPECT_LT(rest_speed<2>((8 + k / 16.0) / 16, 1), 1e-8) << k;
        EXPECT_LT(rest_speed<2>((8 + k / 16.0) / 16, 2), 1e-8) << k;
    }
    EXPECT_LT(rest_speed<2>(8.3 / 16, 3), 1e-8);
    EXPECT_LT(rest_speed<3>(8.0 / 16, 1), 1e-8);
    EXPECT_LT(rest_speed<3>(8.3 / 16, 2), 1e-8);
}

// Martin & Moyce 1952, n² = 2: column 2a high. T = t sqrt(2g/a), Z = front / a, secondary copies.
constexpr double kTime[] = {0.41, 0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.20,
                            2.32, 2.51, 2.65, 2.83, 2.97, 3.11, 3.33};
constexpr double kFront[] = {1.11, 1.23, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56,
                             2.78, 3.00, 3.22, 3.44, 3.67, 3.89, 4.11};

double front_of(const PlsRun<2>& run) {
    double front = 0;
    const auto& phi = run.state.surface.phi;
    for (int i = 0; i + 1 < phi.shape.size[0]; ++i)
        for (int j = 0; j < 3; ++j) {
            const float a = phi.at({i, j}), b = phi.at({i + 1, j});
            if (a < 0 && b >= 0)
                front = std::max(front, (i + 0.5 + double(a / (a - b))) * run.world.lattice.voxel);
        }
    return front;
}

TEST(ParticleLevelSetLiquid, DamBreakFrontOfMartinAndMoyce) {
    const double a = 0.05715, unit = std::sqrt(a / (2 * 9.81));
    Scene s = pls_box(2, a / 16, {5 * a, 3 * a, 1});
    s.liquids = {pls_water({0, 0, 0}, {a, 2 * a, 1})};
    PlsRun<2> run(s, {});
    // The customary shift: the gate opens later than the clock starts, by what fits best.
    std::vector<double> time, front;
    while (run.state.time < 3.6 * unit) {
        ASSERT_TRUE(run.until(run.state.time + 0.05 * unit));
        time.push_back(run.state.time / unit);
        front.push_back(front_of(run) / a);
    }
    double best = 1;
    for (double shift = -0.3; shift < 0.5; shift += 0.01) {
        double sum = 0;
        int count = 0;
        for (std::size_t k = 0; k < std::size(kTime); ++k) {
            const double t = kTime[k] - shift;
            const auto at = std::size_t(std::max(0.0, t / 0.05 - 1));
            if (at + 1 >= time.size()) continue;
            const double part = (t - time[at]) / (time[at + 1] - time[at]);
            const double z = front[at] + part * (front[at + 1] - front[at]);
            sum += std::abs(z / kFront[k] - 1);
            ++count;
        }
        best = std::min(best, sum / count);
    }
    std::printf("front: mean error %.2f %%, drift %.2e, %zu markers\n", 100 * best,
                run.state.volume / run.state.target_volume - 1, run.state.surface.markers.size());
    EXPECT_LT(best, 0.05);
    EXPECT_LT(std::abs(run.state.volume / run.state.target_volume - 1), 1e-5);
}

TEST(ParticleLevelSetLiquid, KeepsTheVolumeOfASplash) {
    Scene s = pls_box(2, 1.0 / 48, {1, 1, 1});
    s.liquids = {pls_water({0, 0, 0}, {1, 0.25, 1}), pls_water({0.38, 0.4, 0}, {0.62, 0.8, 1})};
    for (const bool kept : {true, false}) {
        Params p;
        p.compensation = kept;
        PlsRun<2> run(s, p);
        ASSERT_TRUE(run.until(1.5));
        const double drift = run.state.volume / run.state.target_volume - 1;
        std::printf("splash: compensation %d, drift %.2e, pockets %ld of %.3e m²\n", kept, drift,
                    long(run.state.pockets), run.state.pocket_air);
        EXPECT_LT(std::abs(drift), kept ? 1e-5 : 0.03);
    }
}

TEST(ParticleLevelSetLiquid, FallsFreely) {
    Scene s = pls_box(2, 1.0 / 32, {1, 2, 1});
    s.liquids = {pls_ball({0.5, 1.5, 0}, 0.2, LiquidMode::kFill)};
    PlsRun<2> run(s, {});
    const double t = 0.3;
    ASSERT_TRUE(run.until(t));
    double lowest = 9, highest = 0;
    const auto& phi = run.state.surface.phi;
    for (int j = 0; j < phi.shape.size[1]; ++j)
        if (phi.at({16, j}) < 0) {
            lowest = std::min(lowest, (j + 0.5) / 32.0);
            highest = std::max(highest, (j + 0.5) / 32.0);
        }
    EXPECT_NEAR((lowest + highest) / 2, 1.5 - 0.5 * 9.81 * t * t, 1.5 / 32);
    EXPECT_NEAR(highest - lowest, 0.4, 2.5 / 32);
}

/// Viscosity slows a swirl: of the decays of a vortex in a full box by both schemes.
TEST(ParticleLevelSetLiquid, ViscosityOfBothKindsSlows) {
    Scene s = pls_box(2, 1.0 / 32, {1, 1, 1});
    s.physics.viscosity = 5;  // ν Δt / h² ≈ 0.02 at the length of a substep
    s.liquids = {pls_water({0, 0, 0}, {0.5, 0.5, 1})};
    double energy[3];
    int k = 0;
    for (const double viscosity : {0.0, 5.0, -5.0}) {
        s.physics.viscosity = std::abs(viscosity);
        Params p;
        p.viscosity = viscosity < 0 ? particle_level_set::ViscousScheme::kExplicit
                                    : particle_level_set::ViscousScheme::kImplicit;
        PlsRun<2> run(s, p);
        ASSERT_TRUE(run.until(0.25));
        energy[k++] = run.kinetic_energy();
    }
    std::printf("energy: inviscid %.3f, implicit %.3f, explicit %.3f\n", energy[0], energy[1],
                energy[2]);
    EXPECT_LT(energy[1], 0.95 * energy[0]);
    EXPECT_NEAR(energy[2], energy[1], 0.1 * energy[1]);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "pls_run.h"
#include "spume/core/math.h"
#include "spume/methods/particle_level_set/surface_step.h"

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

/// In long frames too: longer substeps than the shortest waves stand let still water boil.
TEST(ParticleLevelSetLiquid, RestsInLongFrames) {
    for (const double place : {0.25, 0.51, 0.75}) {
        Scene s = pls_box(2, 1.0 / 24, {1, 1, 1});
        s.time.fps = 1;
        s.liquids = {pls_water({0, 0, 0}, {1, (12 + place) / 24, 1})};
        PlsRun<2> run(s, {});
        EXPECT_TRUE(run.until(6));
        EXPECT_LT(run.fastest, 1e-3 * std::sqrt(9.81)) << place;
    }
}

/// Water under a gravity that leans, its surface across it, `place` voxels above the middle.
double leaning_speed(double degrees, double place, int cells, int subgrid) {
    Scene s = pls_box(2, 1.0 / cells, {1, 1, 1});
    const double angle = degrees * math::kPi / 180;
    const Vec<double, 3> up{-math::sin(angle), math::cos(angle), 0};
    s.physics.gravity = up * -9.81;
    LiquidBody l = pls_water({-3, -3, -3}, {3, 3, 3});
    const double middle = 0.5 + 0.5 / cells;
    l.shape.center = Vec<double, 3>{middle, middle, 0} + up * (place / cells - 3);
    l.shape.rotation = {0, 0, degrees};
    s.liquids = {l};
    Params p;
    p.subgrid = subgrid;
    PlsRun<2> run(s, p);
    EXPECT_TRUE(run.until(0.4));
    return run.fastest / std::sqrt(9.81 * 1.0);
}

TEST(ParticleLevelSetLiquid, RestsUnderLeaningGravity) {
    for (const int subgrid : {1, 2})
        for (const double degrees : {5.0, 26.565051177077994, 45.0, 70.0, 90.0})
            for (const double place : {0.0, 0.01, 0.25, 0.5})
                EXPECT_LT(leaning_speed(degrees, place, 24, subgrid), 1e-3)
                    << subgrid << " " << degrees << " " << place;
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

template <int D>
double splash_drift(double voxel, double end, bool compensation) {
    Scene s = pls_box(D, voxel, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.liquids = {pls_water({0, 0, 0}, {1, 0.25, 1}),
                 D == 2 ? pls_water({0.38, 0.4, 0}, {0.62, 0.8, 1})
                        : pls_water({0.35, 0.4, 0.35}, {0.65, 0.8, 0.65})};
    Params p;
    p.compensation = compensation;
    PlsRun<D> run(s, p);
    double worst = 0;
    for (int k = 1; k <= 8; ++k) {
        EXPECT_TRUE(run.until(end * k / 8));
        const double drift = run.state.volume / run.state.target_volume - 1;
        if (std::abs(drift) > std::abs(worst)) worst = drift;
    }
    std::printf(
        "splash %dD: compensation %d, drift %.2e at worst, pockets %ld of %.3e, %zu drops\n", D,
        compensation, worst, long(run.state.pockets), run.state.pocket_air, run.state.drops.size());
    return std::abs(worst);
}

TEST(ParticleLevelSetLiquid, KeepsTheVolumeOfASplash) {
    EXPECT_LT(splash_drift<2>(1.0 / 48, 1.5, true), 1e-5);
    EXPECT_LT(splash_drift<2>(1.0 / 64, 4, false), 0.02);
}

TEST(DeepParticleLevelSetLiquid, KeepsTheVolumeOfASplashInSpace) {
    EXPECT_LT(splash_drift<3>(1.0 / 32, 1, false), 0.02);
}

// What leaves carries what the surface has lost, and no more than its marker stands for.
TEST(ParticleLevelSetLiquid, DropsCarryWhatTheSurfaceLost) {
    Scene s = pls_box(2, 1.0 / 24, {1, 1, 1});
    s.liquids = {pls_water({0, 0, 0}, {1, 0.3, 1})};
    PlsRun<2> run(s, {});
    auto& lost = run.state.escaped;
    resize(lost, 10);
    for (std::size_t q = 0; q < 10; ++q) {
        lost.position.write()[q] = {0.5, 0.6};
        lost.type.write()[q] = q < 5 ? 1 : -1;  // air, then liquid
    }
    const double most = particle_level_set::most_of_a_drop(run.world);
    const auto held = [&] { return particle_level_set::volume_of(run.state.drops, run.context); };
    particle_level_set::add_drops(run.state, run.world, 0, -most, 0);
    EXPECT_EQ(run.state.drops.size(), 0u);
    particle_level_set::add_drops(run.state, run.world, 0, 2 * most, 0);
    EXPECT_EQ(run.state.drops.size(), 5u);
    EXPECT_NEAR(held() / most, 2, 1e-5);
    particle_level_set::add_drops(run.state, run.world, 0, 100 * most, 0);
    EXPECT_EQ(run.state.drops.size(), 10u);
    EXPECT_NEAR(held() / most, 7, 1e-5);
    // Those before `first` had their turn.
    particle_level_set::add_drops(run.state, run.world, 10, 100 * most, 0);
    EXPECT_EQ(run.state.drops.size(), 10u);
}

// A block meets a floor of liquid within a substep: the flow found before would squeeze it.
TEST(ParticleLevelSetLiquid, LosesNothingWhereLiquidMeetsLiquid) {
    Scene s = pls_box(2, 1.0 / 32, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.liquids = {pls_water({0, 0, 0}, {1, 0.25, 1}), pls_water({0, 0.4, 0}, {1, 0.7, 1})};
    s.liquids[1].velocity = {0, -3, 0};
    double lost[2];
    for (const int k : {0, 1}) {
        Params p;
        p.compensation = false;
        p.trapped_air = particle_level_set::Pockets::kVoid;
        if (k == 1) p.contact = 1;
        PlsRun<2> run(s, p);
        ASSERT_TRUE(run.until(0.1));
        lost[k] = 1 - run.state.volume / run.state.target_volume;
    }
    std::printf("two layers meet: lost %.2e, with one flow a substep %.2e\n", lost[0], lost[1]);
    // The meeting is seen after a step of the surface: so much of a voxel is lost at most.
    EXPECT_LT(std::abs(lost[0]), Params().surface_cfl / (0.55 * 32));
    EXPECT_LT(std::abs(lost[0]), 0.5 * std::abs(lost[1]));
}

// Drops over a pool: they fall, and the pool gets what they are.
TEST(ParticleLevelSetLiquid, DropsGiveTheirVolumeBack) {
    Scene s = pls_box(2, 1.0 / 24, {1, 1, 1});
    s.liquids = {pls_water({0, 0, 0}, {1, 0.3, 1})};
    Params p;
    p.compensation = false;
    PlsRun<2> run(s, p);
    particle_level_set::Escaped<2>& lost = run.state.escaped;
    resize(lost, 200);
    for (std::size_t q = 0; q < lost.size(); ++q) {
        lost.position.write()[q] = {(double(q % 20) + 0.5) / 20, 0.5 + 0.02 * double(q / 20)};
        lost.type.write()[q] = -1;
    }
    const double before = run.state.volume,
                 more = 200 * particle_level_set::most_of_a_drop(run.world);
    particle_level_set::add_drops(run.state, run.world, 0, 2 * more, 0);
    run.state.target_volume += more;
    ASSERT_TRUE(run.until(1.0 / 60));
    EXPECT_EQ(run.state.drops.size(), 200u);
    EXPECT_NEAR(run.state.volume, before + more, 1e-6);
    ASSERT_TRUE(run.until(0.5));
    EXPECT_EQ(run.state.drops.size(), 0u);
    EXPECT_NEAR((run.state.volume - before) / more, 1, 0.01);
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

/// A vortex that fills a box of slippery walls, u = sin πx cos πy, v = −cos πx sin πy: its energy
/// falls as exp(−4 π² ν t).
TEST(ParticleLevelSetLiquid, ViscosityOfBothKindsSlowsAVortex) {
    const double pi = 3.14159265358979323846, nu = 0.02, t = 0.3;
    Scene s = pls_box(2, 1.0 / 32, {1, 1, 1});
    s.physics.gravity = {0, 0, 0};
    s.liquids = {pls_water({0, 0, 0}, {1, 1, 1})};
    for (const auto scheme : {particle_level_set::ViscousScheme::kImplicit,
                              particle_level_set::ViscousScheme::kExplicit}) {
        double energy[2][2];
        for (const int thick : {0, 1}) {
            s.physics.viscosity = thick ? nu * s.physics.water_density : 0;
            Params p;
            p.viscosity = scheme;
            p.min_substeps = 4;
            PlsRun<2> run(s, p);
            for (int a = 0; a < 2; ++a) {
                double* u = run.state.velocity.write(a);
                for_faces(run.context.arena, *run.state.grid.tiles, a, [&](int k, int o) {
                    const Point<2> x = run.state.velocity.position(a, k, o);
                    const double sx = std::sin(pi * x[0]), cx = std::cos(pi * x[0]);
                    const double sy = std::sin(pi * x[1]), cy = std::cos(pi * x[1]);
                    u[std::size_t(k) * kTileCells<2> + std::size_t(o)] =
                        a == 0 ? sx * cy : -cx * sy;
                });
            }
            energy[thick][0] = run.kinetic_energy();
            ASSERT_TRUE(run.until(t));
            energy[thick][1] = run.kinetic_energy();
        }
        const double by_viscosity = energy[1][1] / energy[1][0] / (energy[0][1] / energy[0][0]);
        std::printf("vortex keeps %.4f of its energy, %.4f by viscosity\n",
                    energy[0][1] / energy[0][0], by_viscosity);
        EXPECT_GT(energy[0][1] / energy[0][0], 0.95);
        EXPECT_NEAR(by_viscosity, std::exp(-4 * pi * pi * nu * t), 0.03);
    }
}

}  // namespace
}  // namespace spume

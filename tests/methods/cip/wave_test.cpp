// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <vector>

#include <gtest/gtest.h>

#include "cip_run.h"
#include "spume/core/math.h"

namespace spume {
namespace {

/// Height of the surface above y = 0 in the column i: where φ changes its sign, linearly.
double height(const CipRun<2>& run, int i) {
    const auto& phi = run.state.phi.f;
    for (int j = 0; j + 1 < phi.shape.size[1]; ++j) {
        const double lower = phi.at({i, j}), upper = phi.at({i, j + 1});
        if (lower < 0 && upper >= 0) return run.h() * (j + 0.5 + lower / (lower - upper));
    }
    return 0;
}

struct Sample {
    double tau, amplitude;
};

/// (τ = ω₀ t, |amplitude| / 0.01) of the viscous initial-value problem [Pro81], from the file
/// test/capwave/prosperetti of gerris 20131206: densities 1, σ = 1, ν = 0.0182571749236,
/// wavelength 1.
constexpr Sample kProsperetti[] = {
    {0.508316, 0.88716}, {1.32162, 0.36893}, {2.13493, 0.25836}, {2.94823, 0.66737},
    {3.76154, 0.69146},  {4.57485, 0.37859}, {5.38815, 0.06657}, {6.20146, 0.40716},
    {7.01476, 0.49450},  {7.82807, 0.32650}, {8.64138, 0.02547}, {9.45468, 0.24099},
    {10.268, 0.34869},   {11.0813, 0.27030}, {11.8946, 0.07334}, {12.7079, 0.12773},
    {13.5212, 0.23453},  {14.3345, 0.21011}, {15.1478, 0.08715}, {15.9611, 0.05892},
    {16.7744, 0.15340},  {17.5877, 0.15849}, {18.401, 0.08587},  {19.2144, 0.01688},
    {20.0277, 0.09503},  {20.841, 0.11450},  {21.6543, 0.07512}, {22.4676, 0.00537},
    {23.2809, 0.05602},  {24.0942, 0.08052}, {24.9075, 0.06205}};

/// Half a wavelength between slip walls, as mirror images of the rest.
double capillary(int cells, cip::Interface interface) {
    const double h = 1.0 / cells;
    Scene scene = cip_box(2, h, {0.5, 3, 1});
    scene.physics.gravity = {};
    scene.physics.surface_tension = 1;
    scene.physics.water_density = scene.physics.air_density = 1;
    scene.physics.viscosity = 0.0182571749236;
    scene.liquids = {water_box({-1, -1, -1}, {2, 1.5, 2})};
    cip::Params p;
    p.interface = interface;
    p.air_viscosity = scene.physics.viscosity;
    p.pressure_tolerance = 1e-6;
    CipRun<2> run(scene, p);
    run.set_surface(
        [](const Point<2>& x) { return x[1] - 1.5 - 0.01 * math::cos(2 * math::kPi * x[0]); });
    const double omega = 11.1366559937;
    std::vector<Sample> curve = {{0, 1}};
    // First zero of the amplitude and the following ones give the period.
    EXPECT_TRUE(run.until(2.2426, [&] {
        const double top = (9 * height(run, 0) - height(run, 1)) / 8 - 1.5;
        curve.push_back({omega * run.state.time, top / 0.01});
    }));
    double sum = 0;
    int n = 0;
    for (const Sample& s : kProsperetti) {
        if (s.tau > 25 || s.tau >= curve.back().tau) break;
        std::size_t k = 1;
        while (curve[k].tau < s.tau) ++k;
        const double part = (s.tau - curve[k - 1].tau) / (curve[k].tau - curve[k - 1].tau);
        const double ours =
            std::abs(curve[k - 1].amplitude * (1 - part) + curve[k].amplitude * part);
        sum += (ours - s.amplitude) * (ours - s.amplitude);
        ++n;
    }
    return std::sqrt(sum / n);
}

TEST(CipWave, Capillary) {
    for (auto interface : {cip::Interface::kSmeared, cip::Interface::kSharp}) {
        const double rms = capillary(32, interface);
        std::printf("rms %.4f\n", rms);
        EXPECT_LT(rms, 0.04);
    }
}

TEST(DeepCipWave, Capillary) {
    for (auto interface : {cip::Interface::kSmeared, cip::Interface::kSharp}) {
        const double rms = capillary(64, interface);
        std::printf("rms %.4f\n", rms);
        EXPECT_LT(rms, 0.01);
    }
}

/// What is left after one period of a standing gravity wave of `cells` voxels, in so many substeps;
/// 1000 : 1 and inviscid.
double left_of_wave(int cells, int substeps, cip::Interface interface) {
    Scene scene = cip_box(2, 1.0 / 64, {1, 1, 1});
    scene.physics.surface_tension = 0;
    scene.physics.viscosity = 0;
    scene.liquids = {water_box({-1, -1, -1}, {2, 0.5, 2})};
    cip::Params p;
    p.interface = interface;
    p.air_viscosity = 0;
    CipRun<2> run(scene, p);
    const double h = run.h(), k = 2 * math::kPi / (cells * h), amplitude = 0.01 * cells * h;
    run.set_surface(
        [&](const Point<2>& x) { return x[1] - 0.5 - amplitude * math::cos(k * x[0]); });
    const double period =
        2 * math::kPi / std::sqrt(9.81 * k * std::tanh(0.5 * k) * (1 - 1e-3) / (1 + 1e-3));
    for (int n = 1; n <= substeps; ++n) EXPECT_TRUE(run.one_step(period * n / substeps));
    double sum = 0;
    for (int i = 0; i < 64; ++i) sum += 2 * h * height(run, i) * math::cos(k * (i + 0.5) * h);
    std::printf("wave of %d voxels, %d substeps: %.3f left after a period\n", cells, substeps,
                sum / amplitude);
    return sum / amplitude;
}

/// Short waves last, in many substeps as in few. They once lost half of their height in a period of
/// 128: what the pressure had given to the water in a smeared surface was forgotten in each.
TEST(CipWave, ShortWavesLast) {
    for (const auto interface : {cip::Interface::kSmeared, cip::Interface::kSharp})
        for (const int substeps : {32, 128}) {
            EXPECT_NEAR(left_of_wave(32, substeps, interface), 1, 0.06);
            EXPECT_NEAR(left_of_wave(16, substeps, interface), 1, 0.15);
        }
}

struct Swing {
    double frequency = 0;  ///< over [Lam32]'s, less 1
    double growth = 0;     ///< of the amplitude in half a period, less 1
};

/// [Pop09]: a drop with r = 0.1 (1 + 0.05 cos 2θ), a quarter of it; 1000 : 1 and inviscid.
Swing oscillation(double across, double seconds, cip::Interface interface) {
    Scene scene = cip_box(2, 0.2 / across, {0.5, 0.5, 1});
    scene.physics.gravity = {};
    scene.physics.surface_tension = 1;
    scene.physics.water_density = 1;
    scene.physics.air_density = 1e-3;
    scene.physics.viscosity = 0;
    scene.liquids = {water_ball({0, 0, 0}, 0.1)};
    cip::Params p;
    p.interface = interface;
    p.air_viscosity = 0;
    p.cfl = 0.5;
    CipRun<2> run(scene, p);
    run.set_surface([](const Point<2>& x) {
        const double r = std::hypot(x[0], x[1]);
        return r - 0.1 * (1 + 0.05 * (x[0] * x[0] - x[1] * x[1]) / (r * r));
    });
    std::vector<double> zeros, swings;
    double last = 0, swing = 0;
    EXPECT_TRUE(run.until(seconds, [&] {
        const auto& phi = run.state.phi.f;
        double wide = 0;
        for (int i = 0; i + 1 < phi.shape.size[0]; ++i) {
            const double a = phi.at({i, 0}), b = phi.at({i + 1, 0});
            if (a < 0 && b >= 0) wide = (i + 0.5 + a / (a - b)) * run.h() / 0.1 - 1;
        }
        if (wide * last < 0) zeros.push_back(run.state.time), swings.push_back(swing), swing = 0;
        swing = std::max(swing, std::abs(wide));
        last = wide;
    }));
    const auto halves = double(zeros.size()) - 1;
    Swing r;
    r.frequency = math::kPi * halves / (zeros.back() - zeros.front()) / 77.421 - 1;
    r.growth = std::pow(swings.back() / swings[1], 1 / (halves - 1)) - 1;
    std::printf("D/h %g: frequency %+.2f %%, amplitude %+.2f %% in half a period\n", across,
                100 * r.frequency, 100 * r.growth);
    return r;
}

TEST(CipWave, DropOscillates) {
    const Swing s = oscillation(12.8, 0.15, cip::Interface::kSmeared);
    EXPECT_NEAR(s.frequency, 0, 0.06);
    EXPECT_NEAR(s.growth, 0, 0.03);
}

TEST(DeepCipWave, DropOscillates) {
    const Swing s = oscillation(25.6, 0.3, cip::Interface::kSmeared);
    EXPECT_NEAR(s.frequency, 0, 0.01);
    EXPECT_NEAR(s.growth, 0, 0.02);
}

}  // namespace
}  // namespace spume

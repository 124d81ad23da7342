// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <complex>

#include <gtest/gtest.h>

#include "methods/mixture/tension_run.h"

namespace spume::mixture {
namespace {

constexpr double kSigma = 0.072, kDensity = 1000, kVoxel = 1e-3;

/// Area of the air that the grid sees.
double seen_area(MixtureRun<2>& run) {
    return mixture::summary(run.state, run.params, run.world, run.context).air.grid;
}

struct FrequencyError {
    double half, whole;  ///< over the first half period, over all of it
};

/// ⟨r^n cos nθ⟩ / ⟨r^n⟩.
double plane_mode(const MixtureRun<2>& run, int n) {
    const auto power = [n](const Point<2>& x) {
        return std::pow(std::complex<double>(x[0], x[1]), n);
    };
    return mean_over(run, [&](const Point<2>& x) { return power(x).real(); }) /
           mean_over(run, [&](const Point<2>& x) { return std::abs(power(x)); });
}

/// Relative error of the mode n, its middle `shift` voxels off a corner of the grid: equal
/// densities, about 25 voxels a diameter, markers.
FrequencyError error_of_mode(int n, const Point<2>& shift, double lead) {
    const double reach = 12.5 * kVoxel;
    mixture::Params params = hero_params();
    params.drag = 1;
    params.interface_velocity_correction = lead;
    MixtureRun<2> run(hero_scene<2>(64, kVoxel, kSigma, kDensity, kDensity), params);
    fill(run, Point<2>::filled(32 * kVoxel) + shift * kVoxel, 1.2 * reach, 2,
         std::sqrt(0.5) * kVoxel, [&](const Point<2>& x) {
             const double cosine = std::cos(n * std::atan2(x[1], x[0]));
             return length(x) < reach * (1 + 0.1 * cosine);
         });
    run.until(1e-9);
    const double radius = std::sqrt(seen_area(run) / std::numbers::pi);
    const double exact = lamb_frequency(2, n, kSigma, kDensity, kDensity, radius);
    std::vector<std::pair<double, double>> curve;
    const double whole = frequency(
        run, 3, 14 / exact, [n](const MixtureRun<2>& r) { return plane_mode(r, n); }, &curve);
    return {first_half_frequency(curve) / exact - 1, whole / exact - 1};
}

constexpr Point<2> kShifts[] = {{0, 0}, {0.5, 0.5}, {0.37, 0.11}};

/// The mode with `interface_velocity_correction` off and as by default.
struct Compared {
    FrequencyError plain, led;
};

Compared compared(int n, const Point<2>& shift) {
    const Compared r{error_of_mode(n, shift, 0),
                     error_of_mode(n, shift, mixture::Params{}.interface_velocity_correction)};
    std::printf("2D n = %d at (%.2f, %.2f): %+.2f %%, led %+.2f %%, first halves %+.2f, %+.2f\n", n,
                shift[0], shift[1], 100 * r.plain.whole, 100 * r.led.whole, 100 * r.plain.half,
                100 * r.led.half);
    return r;
}

TEST(Oscillation, SecondModeOfLamb2DOffTheGrid) {
    const FrequencyError led =
        error_of_mode(2, kShifts[2], mixture::Params{}.interface_velocity_correction);
    EXPECT_LE(std::abs(led.whole), 0.015);
    EXPECT_LE(std::abs(led.half), 0.03);
}

TEST(DeepOscillation, SecondModeOfLamb2D) {
    for (const Point<2>& shift : kShifts) {
        const auto [plain, led] = compared(2, shift);
        EXPECT_LE(std::abs(plain.half), 0.02);
        EXPECT_LE(std::abs(led.whole), 0.015);
        EXPECT_LE(std::abs(led.half), 0.03);
    }
}

void expect_fourth_mode(const Point<2>& shift) {
    const auto [plain, led] = compared(4, shift);
    EXPECT_LE(std::abs(led.whole), 0.09);
    EXPECT_LE(std::abs(led.half), 0.03);
    EXPECT_GE(std::abs(plain.half), 0.05);
}

TEST(Oscillation, FourthModeOfLamb2DOffTheGrid) { expect_fourth_mode(kShifts[2]); }

TEST(DeepOscillation, FourthModeOfLamb2D) {
    for (const Point<2>& shift : kShifts) expect_fourth_mode(shift);
}

/// How far a resting bubble drifts in ten periods of its mode n = 2, in voxels.
double drift_of(const Point<2>& shift) {
    const double radius = 6 * kVoxel;
    mixture::Params params = hero_params();
    params.drag = 1;
    MixtureRun<2> run(hero_scene<2>(32, kVoxel, kSigma, kDensity, kDensity), params);
    fill_shells(run, Point<2>::filled(16 * kVoxel) + shift * kVoxel, radius,
                std::sqrt(0.5) * kVoxel);
    const Point<2> before = run.centroid();
    const double omega = lamb_frequency(2, 2, kSigma, kDensity, kDensity, radius);
    EXPECT_TRUE(run.until(20 * std::numbers::pi / omega));
    return length(run.centroid() - before) / kVoxel;
}

TEST(Drift, ARestingBubbleStaysWhereItIs) {
    const double drift = drift_of({0, 0});
    std::printf("drift in ten periods: %.2e voxels\n", drift);
    EXPECT_LE(drift, 0.1);
}

TEST(AirVolumes, MarkersCarryMoreThanTheGridSees) {
    // 2D: each marker has the area π h²/2 and stands for h²/4.
    Scene scene = hero_scene<2>(32, kVoxel, kSigma, 1, kDensity);
    Emitter e = seeded_ball({0.016, 0.016, 0}, 6 * kVoxel, 1, 1e-3);
    e.spacing = kVoxel / 2;
    e.law = RadiusLaw::kMarker;
    scene.emitters = {e};
    mixture::Params params = hero_params();
    MixtureRun<2> run(scene, params);
    run.until(1e-9);
    const auto air = mixture::summary(run.state, run.params, run.world, run.context).air;
    const double n = double(run.state.bubbles.size());
    EXPECT_NEAR(air.seeded, n * kVoxel * kVoxel / 4, 1e-12);
    EXPECT_NEAR(air.bubbles / air.seeded, 2 * std::numbers::pi, 1e-5);
    EXPECT_NEAR(air.grid / air.seeded, 1, 0.01) << "the surface is where their air ends";
}

/// Densities as in [WSB25] Table 2: what noise in the curvature drives in a resolved bubble
/// at rest stays below the capillary speed of its air.
TEST(ResolvedBubble, StableAtAllDensityRatios) {
    for (const auto& [air, water] : {std::pair{1.0, 10.0}, {100.0, 1000.0}, {1.0, 1000.0}})
        for (Scheme scheme : {Scheme::kImplicitDrag, Scheme::kStabilized}) {
            // The published scheme throws light air apart: docs/validation/mixture.md.
            if (scheme == Scheme::kStabilized && water > 10 * air) continue;
            Scene scene = hero_scene<2>(40, kVoxel, kSigma, air, water);
            mixture::Params params = hero_params();
            params.drag = 1;
            params.scheme = scheme;
            MixtureRun<2> run(scene, params);
            fill(run, Point<2>::filled(20 * kVoxel), 8 * kVoxel, 2, std::sqrt(0.5) * kVoxel,
                 [&](const Point<2>& x) { return length(x) < 8 * kVoxel; });
            const double speed = std::sqrt(kSigma / (air * 8 * kVoxel));
            const double period =
                2 * std::numbers::pi / lamb_frequency(2, 2, kSigma, air, water, 8 * kVoxel);
            EXPECT_TRUE(run.until(0.25 * period)) << air << ":" << water;
            double kinetic = 0;
            for (const auto& v : run.state.bubbles.velocity) kinetic += dot(v, v);
            const double rms = std::sqrt(kinetic / double(run.state.bubbles.size())) / speed;
            std::printf("%g:%g, %s: rms %.3f of sqrt(sigma / rho_b R)\n", air, water,
                        scheme == Scheme::kStabilized ? "stabilized" : "implicit_drag", rms);
            EXPECT_LE(rms, 0.05) << air << ":" << water;
        }
}

}  // namespace
}  // namespace spume::mixture

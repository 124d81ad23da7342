// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "methods/mixture/tension_run.h"
#include "spume/core/random.h"

// Bodies of air that gravity and inertia alone shape, in 2D: they neither fly apart nor swell, at
// any density ratio.

namespace spume::mixture {
namespace {

struct Rise {
    double fastest = 0;  ///< anything, at any time
    double speed = 0;    ///< of the top, later half
    double area = 0;     ///< that the grid sees, mean of the later half
    bool failed = false;
};

/// Height below which nineteen twentieths of the particles are.
double top_of(const MixtureRun<2>& run) {
    std::vector<double> y;
    for (const auto& x : run.state.bubbles.position) y.push_back(x[1]);
    const auto place = y.begin() + std::ptrdiff_t(y.size() * 19 / 20);
    std::nth_element(y.begin(), place, y.end());
    return *place;
}

struct BodyCase {
    double air, water, sigma, drag;
    int newton;
};

constexpr double kVoxel = 4e-3, kRadius = 25e-3;

/// `shift` in voxels: where the body begins on the grid.
Rise risen(const BodyCase& c, double damping = 0.5, const Vec<double, 2>& shift = {}) {
    Scene scene = open_water(kVoxel, {-0.15, 0, 0}, {0.15, 0.5, 0}, 2);
    scene.physics.air_density = c.air;
    scene.physics.water_density = c.water;
    scene.physics.surface_tension = c.sigma;
    scene.time.fps = 48;
    mixture::Params p = hero_params();
    p.surface_tension = c.sigma > 0;
    p.drag = c.drag;
    p.newton_iterations = c.newton;
    p.subgrid_velocity_damping = damping;
    p.resolved_air = damping > 0;
    MixtureRun<2> run(scene, p);
    fill(run, Point<2>{0, 0.08} + shift * kVoxel, kRadius, 2, std::sqrt(0.5) * kVoxel,
         [&](const Point<2>& x) { return length(x) < kRadius - 0.7 * kVoxel; });
    run.until(0.2);
    const double before = top_of(run);
    Rise r;
    for (int i = 1; i <= 4; ++i) {
        run.until(0.2 + 0.05 * i);
        r.area += mixture::summary(run.state, run.params, run.world, run.context).air.grid / 4;
    }
    r.speed = (top_of(run) - before) / 0.2;
    r.fastest = run.fastest;
    r.failed = run.failed;
    return r;
}

/// ½ √(g R Δρ/ρ) of a plane cap with the same area and half angle 50°: area R² (θ − sin θ cos θ).
double plane_cap_speed(const BodyCase& c, double area) {
    const double angle = 50 * std::numbers::pi / 180;
    const double nose = std::sqrt(area / (angle - std::sin(angle) * std::cos(angle)));
    return 0.5 * std::sqrt(9.81 * nose * (1 - c.air / c.water));
}

/// A torn skirt is chaotic: of bodies that begin a fraction of a voxel apart at 1:1000, the speed
/// of the top strays by 8 to 17 % (standard deviation), and the fastest particle of a run has 1.6
/// to 42 m/s. So limits are for eight of them together. Of three such ensembles a case, 24 bodies,
/// the means of the speed were 0.99 to 1.18 of the law, of the area 0.84 to 1.54, the medians 2.8
/// to 10.
struct Ensemble {
    static constexpr int kMembers = 8;
    double speed = 0, area = 0;  ///< means; over the law's, over the area at the start
    double typical = 0;          ///< median of the fastest, m/s
    double fastest = 0;
    bool failed = false;

    explicit Ensemble(const BodyCase& c) {
        std::vector<double> fast;
        for (std::uint64_t m = 0; m < kMembers; ++m) {
            const Vec<double, 2> shift =
                Random(1, m, 0, Purpose::kTest).uniform_vec<2>(0) - Vec<double, 2>::filled(0.5);
            const Rise r = risen(c, 0.5, shift);
            speed += r.speed / plane_cap_speed(c, r.area) / kMembers;
            area += r.area / (std::numbers::pi * kRadius * kRadius) / kMembers;
            fast.push_back(r.fastest);
            failed = failed || r.failed;
        }
        std::sort(fast.begin(), fast.end());
        typical = (fast[kMembers / 2 - 1] + fast[kMembers / 2]) / 2;
        fastest = fast.back();
    }
};

void expect_held_together(const BodyCase& c) {
    const Ensemble e(c);
    SCOPED_TRACE(testing::Message()
                 << c.air << ":" << c.water << " sigma " << c.sigma << " drag " << c.drag
                 << " newton " << c.newton << ": speed over law " << e.speed << " area " << e.area
                 << " fastest " << e.fastest << ", of half of them " << e.typical);
    EXPECT_FALSE(e.failed);
    EXPECT_NEAR(e.speed, 1, 0.25);
    const bool light = c.water > 100 * c.air;
    EXPECT_NEAR(e.area, 1, light ? 0.7 : 0.15);
    EXPECT_LE(e.typical, light ? 15 : 2.5);
    EXPECT_LE(e.fastest, light ? 100 : 3) << "what flies apart is faster, see below";
}

TEST(BodyOfAir, HoldsTogetherAndRisesAsACap) {
    for (const double air : {1.0, 100.0}) expect_held_together({air, 1000, 0.072, 1, 2});
}

TEST(DeepBodyOfAir, HoldsTogetherAndRisesAsACap) {
    for (const auto& [air, water] : {std::pair{1.0, 1000.0}, {100.0, 1000.0}, {1.0, 10.0}})
        for (double sigma : {0.0, 7.2e-5 * water})
            for (double drag : {0.0, 1.0})
                for (int newton : {2, 3}) expect_held_together({air, water, sigma, drag, newton});
}

TEST(BodyOfAir, FliesApartAsPublished) {
    const Rise r = risen({1, 1000, 0, 1, 2}, 0);
    EXPECT_TRUE(r.failed || r.fastest > 100) << r.fastest;
}

/// 22 times the air in a marker that fills a voxel is not what a picture of a lone one should show.
TEST(BodyOfAir, LoneMarkersAreDrawnWithTheAirTheyStandFor) {
    const double h = 4e-3;
    Scene scene = open_water(h, {-0.05, 0, -0.05}, {0.05, 0.1, 0.05});
    scene.output.surface = true;
    Emitter ball = seeded_ball({0, 0.05, 0}, 0.02, 1, h);
    ball.law = RadiusLaw::kMarker;
    ball.spacing = 3 * h;
    scene.emitters.push_back(ball);
    MixtureRun<3> run(scene, hero_params());
    run.until(1e-6);
    const Frame frame = mixture::view(run.state, run.params, run.world, run.context);
    const auto radius = std::get<Array<float>>(frame.points.at(0).find("pscale")->values).read();
    ASSERT_GT(radius.size(), 8u);
    double air = 0;
    for (const float r : radius) air += bubble_volume<3>(r);
    EXPECT_NEAR(air / run.state.seeded, 1, 1e-5);
    EXPECT_GT(run.state.emitted, 20 * run.state.seeded);
}

}  // namespace
}  // namespace spume::mixture

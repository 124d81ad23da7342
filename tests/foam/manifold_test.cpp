// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/manifold.h"

#include <cmath>

#include <gtest/gtest.h>

#include "foam/foam_set.h"

namespace spume {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// One particle on a surface, step by step.
template <int D>
struct Glider {
    FormulaSurface<D> surface;
    ManifoldLaw law;
    Foam<D> foam;
    Context context{1};
    double time = 0;
    ManifoldReport last;

    Glider(const Point<D>& x, const Vec<double, D>& v) : foam(foam_at<D>({x}, 2e-3)) {
        foam.velocity.write()[0] = v;
        law.iterations = 50;
        law.tolerance = 1e-15;
        law.max_correction = 1;
    }
    void step(double dt, const Vec<double, D>& gravity = {}) {
        last = advect_on_surface<D>(foam, gravity, surface, law, {time, time + dt}, context);
        time += dt;
    }
    const Point<D>& x() const { return foam.position[0]; }
    const Vec<double, D>& v() const { return foam.velocity[0]; }
};

SurfacePoint<3> ball(const Point<3>& x) { return {length(x) - 1, x / length(x)}; }

TEST(Manifold, ALapOfASphereKeepsTheSpeed) {
    Glider<3> g({1, 0, 0}, {0, 0.6, 0.8});
    g.surface.phi = [](const Point<3>& x, double) { return ball(x); };
    g.step(0.05);
    const double first = length(g.v());
    for (int n = 0; n < 126; ++n) g.step(0.05);
    EXPECT_NEAR(length(g.v()), first, 1e-12);
    EXPECT_NEAR(length(g.x()), 1, 1e-12);
}

/// Error of the speed after a time on a torus without forces.
double torus_error(int steps) {
    Glider<3> g({1.4, 0, 0}, {0, 0.5, 1});
    g.surface.phi = [](const Point<3>& x, double) {
        const double ring = std::sqrt(x[0] * x[0] + x[2] * x[2]), out = ring - 1;
        const double tube = std::sqrt(out * out + x[1] * x[1]);
        const double k = out / (tube * ring);
        return SurfacePoint<3>{tube - 0.4, {k * x[0], x[1] / tube, k * x[2]}};
    };
    const double speed = length(g.v());
    for (int n = 0; n < steps; ++n) g.step(2.0 / steps);
    const auto gradient = g.surface.phi(g.x(), 0).gradient;
    const auto along = g.v() - gradient * dot(g.v(), gradient);
    return std::abs(length(along) - speed);
}
TEST(Manifold, ATorusKeepsTheSpeedToSecondOrder) {
    const double coarse = torus_error(100), fine = torus_error(400);
    std::printf("speed error on a torus: %.3e, a quarter of the step %.3e\n", coarse, fine);
    EXPECT_LT(fine, coarse / 10);
    EXPECT_LT(coarse, 0.01);
}

/// Gerstner's wave of wavelength 1 m, in a plane: particles of the surface go round circles.
struct Wave {
    double a, k = 2 * kPi, omega = std::sqrt(9.81 * k);
    double phase(double x, double t) const {
        double theta = k * x - omega * t;
        for (int n = 0; n < 60; ++n)
            theta -= (theta - k * a * std::sin(theta) - (k * x - omega * t)) /
                     (1 - k * a * std::cos(theta));
        return theta;
    }
    SurfacePoint<2> phi(const Point<2>& x, double t) const {
        const double theta = phase(x[0], t);
        const double slope = -k * a * std::sin(theta) / (1 - k * a * std::cos(theta));
        return {x[1] - a * std::cos(theta), {-slope, 1}};
    }
    Vec<double, 2> flow(const Point<2>& x, double t) const {
        const double theta = phase(x[0], t);
        return {a * omega * std::cos(theta), a * omega * std::sin(theta)};
    }
};

/// How far foam is from where it began after a period, in radii of the orbit.
double drift_of_orbit(FoamRotation rotation, double steepness, int steps) {
    const Wave wave{steepness / (2 * kPi)};
    const double t = 2 * kPi / wave.omega;
    const Point<2> start{0, wave.a};
    Glider<2> g(start, wave.flow(start, 0));
    g.law.rotation = rotation;
    g.surface.phi = [&](const Point<2>& x, double time) { return wave.phi(x, time); };
    g.surface.flow = [&](const Point<2>& x, double time) { return wave.flow(x, time); };
    for (int n = 0; n < steps; ++n) g.step(t / steps, {0, -9.81});
    return length(g.x() - start) / wave.a;
}
TEST(Manifold, FoamOnAGerstnerWaveGoesRoundItsOrbit) {
    for (double steep : {0.1, 0.2}) {
        const double none = drift_of_orbit(FoamRotation::kNone, steep, 200);
        // [WFS22] Eq. 58 takes away the speed that the moving surface gives.
        const double printed = drift_of_orbit(FoamRotation::kPrinted, steep, 200);
        std::printf("steepness %.1f: off by %.4f orbit radii a period, as printed %.3f\n", steep,
                    none, printed);
        EXPECT_LT(none, 0.01);
        EXPECT_GT(printed, 0.1);
    }
}

// Water that turns like a solid body has the surface y = ω² r² / 2g; foam turns with it.
TEST(Manifold, FoamInARotatingBowlKeepsItsRadius) {
    const double omega = 4, g = 9.81, r = 0.3;
    const double turn = 2 * kPi / omega, dt = turn / 400;
    // Velocities are those of the way taken, also the first.
    const Vec<double, 3> way{r * (1 - std::cos(omega * dt)) / dt, 0,
                             -r * std::sin(omega * dt) / dt};
    Glider<3> at({r, omega * omega * r * r / (2 * g), 0}, way);
    at.surface.phi = [=](const Point<3>& x, double) {
        const double k = omega * omega / g;
        return SurfacePoint<3>{x[1] - k / 2 * (x[0] * x[0] + x[2] * x[2]),
                               {-k * x[0], 1, -k * x[2]}};
    };
    at.surface.flow = [=](const Point<3>& x, double) {
        return Vec<double, 3>{omega * x[2], 0, -omega * x[0]};
    };
    double worst = 0;
    for (int n = 0; n < 400; ++n) {
        at.step(dt, {0, -g, 0});
        worst = std::max(worst, std::abs(std::hypot(at.x()[0], at.x()[2]) / r - 1));
    }
    std::printf("rotating bowl: radius off by %.2e\n", worst);
    EXPECT_LT(worst, 1e-3);
}

TEST(Manifold, AHeavingPlaneGivesNoSpeedAlongIt) {
    Glider<3> g({0, 0, 0}, {0.3, 0, 0});
    const auto height = [](double t) { return 0.5 * std::sin(6 * t); };
    g.surface.phi = [&](const Point<3>& x, double t) {
        return SurfacePoint<3>{x[1] - height(t), {0, 1, 0}};
    };
    g.surface.flow = [](const Point<3>&, double t) {
        return Vec<double, 3>{0, 3 * std::cos(6 * t), 0};
    };
    for (int n = 0; n < 100; ++n) g.step(0.01, {0, -9.81, 0});
    EXPECT_NEAR(g.v()[0], 0.3, 1e-12);
    EXPECT_EQ(g.v()[2], 0);
    EXPECT_NEAR(g.x()[1], height(g.time), 1e-12);
}

TEST(Manifold, TheSurfaceIsFoundInTwoOrThreeIterations) {
    const Wave wave{0.2 / (2 * kPi)};
    Glider<2> g({0, wave.a}, {});
    g.law = {};
    g.law.max_correction = 0.05;
    g.surface.phi = [&](const Point<2>& x, double t) { return wave.phi(x, t); };
    g.surface.flow = [&](const Point<2>& x, double t) { return wave.flow(x, t); };
    std::size_t iterations = 0, steps = 0;
    for (double t = 0; t < 0.8; t += 1.0 / 48, ++steps) {
        g.step(1.0 / 48, {0, -9.81});
        iterations += g.last.iterations;
        EXPECT_EQ(g.last.fallbacks, 0u);
        EXPECT_LT(std::abs(g.surface.phi(g.x(), g.time).distance()), 1e-4);
    }
    std::printf("%.2f iterations a step\n", double(iterations) / double(steps));
    EXPECT_LE(double(iterations) / double(steps), 3);
}

// Two sheets that face each other: foam on the lower one may not end up on the upper.
TEST(Manifold, DoesNotTunnelToAnotherSheet) {
    Glider<2> g({0, 0}, {});
    g.law.max_correction = 0.5;
    g.law.iterations = 5;
    // Water below y = 0 and above y = 0.2; the lower sheet falls away faster than its liquid says.
    g.surface.phi = [](const Point<2>& x, double t) {
        const double low = -0.4 * (t > 0 ? 1 : 0);
        const double below = x[1] - low, above = 0.2 - x[1];
        return below < above ? SurfacePoint<2>{below, {0, 1}} : SurfacePoint<2>{above, {0, -1}};
    };
    g.surface.flow = [](const Point<2>&, double) { return Vec<double, 2>{0, 10}; };
    g.step(0.02, {});
    EXPECT_EQ(g.last.fallbacks, 1u);
    EXPECT_NEAR(g.x()[1], 0.2, 1e-12);  // as far as the liquid went, to be classified
}

// A sheet of water two centimetres thick that turns over once, as the lip of a breaking wave: foam
// on both of its sides, and each stays on its own, though the other is nearer than a step.
TEST(Manifold, FoamOnAnOverturningSheetStaysOnItsSide) {
    constexpr double kHalf = 0.01, kTurn = 1.0;
    const double omega = 2 * kPi / kTurn;
    const auto side = [=](const Point<2>& x, double t) {  // across the sheet
        return std::cos(omega * t) * x[1] - std::sin(omega * t) * x[0];
    };
    std::vector<Point<2>> places;
    for (int i = -10; i <= 10; ++i)
        for (double y : {-kHalf, kHalf}) places.push_back({0.02 * i, y});
    Foam<2> foam = foam_at<2>(places, 2e-3);
    FormulaSurface<2> sheet;
    sheet.phi = [=](const Point<2>& x, double t) {
        const double y = side(x, t), sign = y < 0 ? -1 : 1;
        return SurfacePoint<2>{std::abs(y) - kHalf,
                               {-sign * std::sin(omega * t), sign * std::cos(omega * t)}};
    };
    sheet.flow = [=](const Point<2>& x, double) {
        return Vec<double, 2>{-omega * x[1], omega * x[0]};
    };
    ManifoldLaw law;
    law.max_correction = 0.04;
    law.drag = 50;
    Context context(1);
    constexpr int kSteps = 48;
    for (int n = 0; n < kSteps; ++n) {
        const double t = kTurn * (n + 1) / kSteps;
        const auto r = advect_on_surface<2>(foam, {}, sheet, law, {kTurn * n / kSteps, t}, context);
        EXPECT_EQ(r.fallbacks, 0u) << n;
        for (std::size_t i = 0; i < foam.size(); ++i)
            EXPECT_NEAR(side(foam.position[i], t), places[foam.id[i]][1], 1e-4) << n;
    }
}

}  // namespace
}  // namespace spume

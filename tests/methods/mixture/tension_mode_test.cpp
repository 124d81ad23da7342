// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "methods/mixture/tension_run.h"
#include "spume/methods/mixture/interface_velocity.h"

// What the grid makes of curvature, apart from motion: surfaces whose curvature is known, and the
// first acceleration of a mode of known height.

namespace spume::mixture {
namespace {

/// A fraction that goes over from one to nothing where distance(x) is zero, with the width that
/// particles and smoothing give it: ½ erfc(d / √2 s), s = 1.5 voxels.
template <int D, class Distance>
CellField<double, D> soft_fraction(const MixtureBox<D>& box, Distance&& distance) {
    CellField<double, D> phi(box.tiles);
    double* out = phi.write();
    for (int t = 0; t < box.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            out[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                0.5 * std::erfc(distance(phi.position(t, o)) / (std::sqrt(2.0) * 1.5));
    return phi;
}

/// Largest |κ − exact(x)| among cells within 1.5 voxels of the surface and six of the box's rim.
template <int D, class Distance, class Exact>
double curvature_error(int cells, bool averaged, Distance&& distance, Exact&& exact) {
    MixtureBox<D> box(Index<D>::filled(cells), 1, false);
    box.settle();
    const auto kappa =
        curvature(soft_fraction(box, distance), averaged, box.open, box.domain, box.context);
    double worst = 0;
    for (int t = 0; t < box.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Point<D> x = kappa.position(t, o);
            bool inside = std::abs(distance(x)) < 1.5;
            for (int a = 0; a < D; ++a) inside = inside && x[a] > 6 && x[a] < cells - 6;
            if (inside) worst = std::max(worst, std::abs(kappa.at(t, o) - exact(x)));
        }
    return worst;
}

template <int D>
double worst_on_planes(bool averaged) {
    double worst = 0;
    for (const Point<3>& n : {Point<3>{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {2, 1, 0}, {3, 2, 1}}) {
        Point<D> normal{};
        for (int a = 0; a < D; ++a) normal[a] = n[a];
        normal = normal / length(normal);
        const Point<D> middle = Point<D>::filled(12.2);
        worst = std::max(
            worst, curvature_error<D>(
                       24, averaged, [&](const Point<D>& x) { return dot(x - middle, normal); },
                       [](const Point<D>&) { return 0.0; }));
    }
    return worst;
}

// Planes have none, whatever their direction; bare differences see that of a disc of 30 voxels.
TEST(Curvature, PlanesHaveNone) {
    const double flat = worst_on_planes<2>(true), space = worst_on_planes<3>(true);
    std::printf("planes: 2D %.4f / h, 3D %.4f / h; bare %.4f, %.4f\n", flat, space,
                worst_on_planes<2>(false), worst_on_planes<3>(false));
    EXPECT_LE(flat, 0.001);
    EXPECT_LE(space, 0.001);
    EXPECT_GE(worst_on_planes<3>(false), 0.02);
}

template <int D>
double worst_on_ball(bool averaged, double radius) {
    const int cells = 2 * int(std::ceil(radius)) + 16;
    const Point<D> middle = Point<D>::filled(0.5 * cells + 0.2);
    const auto away = [&](const Point<D>& x) { return length(x - middle); };
    return curvature_error<D>(
               cells, averaged, [&](const Point<D>& x) { return away(x) - radius; },
               [&](const Point<D>& x) { return (D - 1) / away(x); }) *
           radius / (D - 1);
}

// (D − 1)/r in every cell near the surface, not in the mean only.
TEST(Curvature, OfABallWithinAFewPerCentEverywhere) {
    for (double radius : {6.0, 12.0}) {
        const double flat = worst_on_ball<2>(true, radius), space = worst_on_ball<3>(true, radius);
        std::printf("ball of %g voxels: 2D %.3f, 3D %.3f of it; bare %.3f, %.3f\n", radius, flat,
                    space, worst_on_ball<2>(false, radius), worst_on_ball<3>(false, radius));
        EXPECT_LE(flat, 0.08);
        EXPECT_LE(space, 0.05);
    }
}

/// The harmonic polynomials r^n Y_n of the modes: x² − y²; n = 4 as a cube has it.
template <int D>
double mode_of(int n, const Point<D>& x) {
    if (n == 2) return x[0] * x[0] - x[1] * x[1];
    double sum = -(D == 2 ? 3.0 / 4 : 3.0 / 5) * dot(x, x) * dot(x, x);
    for (int a = 0; a < D; ++a) sum += x[a] * x[a] * x[a] * x[a];
    return sum;
}
template <int D>
Vec<double, D> slope_of(int n, const Point<D>& x) {
    Vec<double, D> r{};
    for (int a = 0; a < D; ++a)
        r[a] = n == 2 ? (a == 0   ? 2
                         : a == 1 ? -2
                                  : 0) *
                            x[a]
                      : 4 * x[a] * (x[a] * x[a] - (D == 2 ? 3.0 / 4 : 3.0 / 5) * dot(x, x));
    return r;
}

/// A ball of markers, `reach` voxels to the outermost, that the flow of mode n has displaced.
template <int D>
struct Displaced {
    TensionBall<D> ball;
    Point<D> middle;
    int n;

    Displaced(int order, double height, const Point<D>& shift, double reach = 12, double air = 1)
        : ball(D == 2 ? 72 : 48, reach, 1, 1, air, 1), middle(ball.middle + shift), n(order) {
        MixtureBox<D>& box = ball.box;
        for (auto& x : box.bubbles.position.write()) {
            const Point<D> from = x - ball.middle;
            x = middle + from + slope_of<D>(n, from) * (height / (n * std::pow(12.0, n - 1)));
        }
        for (float& r : box.bubbles.radius.write()) r = float(std::sqrt(D / 4.0));
        box.coupling.scheme = Scheme::kImplicitDrag;
        box.coupling.dt = 1e-3;
        box.options.tolerance = 1e-7;
        box.settle();
    }

    /// Of the mode's moment: its value, and its second derivative in time from rest.
    std::pair<double, double> moment_and_acceleration() {
        ball.pull();
        ball.box.substep(3, true);
        double value = 0, faster = 0;
        const Bubbles<D>& b = ball.box.bubbles;
        for (std::size_t q = 0; q < b.size(); ++q) {
            value += mode_of<D>(n, b.position[q] - middle);
            faster += dot(slope_of<D>(n, b.position[q] - middle), b.velocity[q]);
        }
        return {value, faster / ball.box.coupling.dt};
    }
};

/// Frequency from −M̈/M over Lamb's, less one. Heights of both signs, so that what the lattice of
/// particles makes of a round ball cancels; the mean over places on the grid.
template <int D>
double first_frequency_error(int n, double height) {
    const Point<3> shifts[] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.37, 0.11, 0.23}, {0.1, 0.4, 0.3}};
    double mean = 0;
    for (const Point<3>& s : shifts) {
        Point<D> shift{};
        for (int a = 0; a < D; ++a) shift[a] = s[a];
        double moment = 0, acceleration = 0, radius = 0;
        for (double sign : {1.0, -1.0}) {
            Displaced<D> bubble(n, sign * height, shift);
            const auto [value, faster] = bubble.moment_and_acceleration();
            moment += sign * value, acceleration += sign * faster;
            radius += 0.5 * bubble.ball.radius();
        }
        const double squared = -acceleration / moment;
        const double error = std::sqrt(squared) / lamb_frequency(D, n, 1, 1, 1, radius) - 1;
        std::printf("%dD n = %d at (%.2f, %.2f): %+.1f %%\n", D, n, s[0], s[1], 100 * error);
        mean += error / 4;
    }
    return mean;
}

// Equal densities, about 25 voxels a diameter on the grid; what is left is mostly the 0.8 voxels
// (2D: 0.6) between the outermost particles and the surface of their fraction.
TEST(FirstAcceleration, OfModesAsLambHasThem2D) {
    EXPECT_LE(std::abs(first_frequency_error<2>(2, 0.6)), 0.03);
    EXPECT_LE(std::abs(first_frequency_error<2>(4, 0.7)), 0.11);
}

TEST(FirstAcceleration, OfModesAsLambHasThem3D) {
    EXPECT_LE(std::abs(first_frequency_error<3>(2, 0.6)), 0.05);
    EXPECT_LE(std::abs(first_frequency_error<3>(4, 1.0)), 0.13);
}

/// Leads the markers in a substep of the flow r^n Y_n; where they were before.
template <int D>
Array<Point<D>> led_in_mode(Displaced<D>& bubble) {
    MixtureBox<D>& box = bubble.ball.box;
    FaceField<double, D> flow(box.tiles);
    for (int a = 0; a < D; ++a)
        for (int t = 0; t < box.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                flow.write(a)[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    slope_of<D>(bubble.n, flow.position(a, t, o) - bubble.middle)[a];
    auto before = box.bubbles.position;
    correct_interface_velocity(1, box.bubbles, flow, box.mixture, box.open, box.domain, 1,
                               box.coupling.dt, box.context);
    return before;
}

/// How fast the outermost markers move in a substep of the flow r^n Y_n, over the flow at the
/// surface of the fraction.
template <int D>
double speed_of_the_rim(int n, const Point<D>& shift) {
    Displaced<D> bubble(n, 0, shift);
    const auto before = led_in_mode(bubble);
    const MixtureBox<D>& box = bubble.ball.box;
    const double radius = bubble.ball.radius();
    double is = 0, should = 0;
    for (std::size_t q = 0; q < before.size(); ++q) {
        const Point<D> from = before[q] - bubble.middle, out = from / length(from);
        if (length(from) < 11.6) continue;
        const double side = dot(slope_of<D>(n, out), out);
        const Vec<double, D> moved =
            slope_of<D>(n, from) + (box.bubbles.position[q] - before[q]) / box.coupling.dt;
        is += side * dot(moved, out);
        should += side * dot(slope_of<D>(n, out * radius), out);
    }
    return is / should;
}

// Markers at the surface keep up with it, 0.8 voxels (2D: 0.6) further out than they are. What is
// left for n = 4 is the bend of r³ between them and the surface.
TEST(Lead, MarkersMoveAsTheSurfaceTheyStandFor) {
    for (int n : {2, 4}) {
        const double flat = speed_of_the_rim<2>(n, {0.1, 0.2}),
                     space = speed_of_the_rim<3>(n, {0.1, 0.2, 0.3});
        std::printf("n = %d: 2D %.3f, 3D %.3f\n", n, flat, space);
        EXPECT_NEAR(flat, 1, n == 2 ? 0.02 : 0.08);
        EXPECT_NEAR(space, 1, n == 2 ? 0.02 : 0.08);
    }
}

// Light bodies of few voxels are left alone: their flow says nothing of the surface.
TEST(Lead, SmallBodiesOfLightAirAreNotLed) {
    for (double air : {0.1, 1.0})
        for (double reach : {3.0, 8.0, 12.0}) {
            Displaced<3> bubble(2, 0, {0.1, 0.2, 0.3}, reach, air);
            const auto before = led_in_mode(bubble);
            double most = 0;
            for (std::size_t q = 0; q < before.size(); ++q)
                most = std::max(most, length(bubble.ball.box.bubbles.position[q] - before[q]));
            EXPECT_EQ(most > 0, reach > 10 || air > 0.5) << reach << " " << air;
        }
}

// Even flow, however fast, is the bubbles' own affair.
TEST(Lead, NothingIsAddedToEvenFlow) {
    Displaced<3> bubble(2, 0, {0.1, 0.2, 0.3});
    MixtureBox<3>& box = bubble.ball.box;
    const auto before = box.bubbles.position;
    const FaceField<double, 3> flow(box.tiles, 7.0);
    correct_interface_velocity(1, box.bubbles, flow, box.mixture, box.open, box.domain, 1,
                               box.coupling.dt, box.context);
    for (std::size_t q = 0; q < before.size(); ++q)
        EXPECT_LE(length(box.bubbles.position[q] - before[q]), 1e-14 * 48);
}

}  // namespace
}  // namespace spume::mixture

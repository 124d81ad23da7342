// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/contact.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/two_fluid/two_fluid.h"
#include "spume/scene/bodies.h"

namespace spume::mixture {
namespace {

constexpr double kGravity = 9.81;

template <int D>
void add(Bubbles<D>& set, const Point<D>& x, const Vec<double, D>& v, double radius,
         double density = 2500) {
    Bubbles<D> one;
    resize(one, 1);
    one.position.write()[0] = x;
    one.velocity.write()[0] = v;
    one.radius.write()[0] = static_cast<float>(radius);
    one.density.write()[0] = static_cast<float>(density);
    append(set, one);
}

template <int D>
GridDomain<D> open_space() {
    GridDomain<D> domain;
    domain.transform = {0.1, {}};
    domain.cells = {Index<D>::filled(-1000), Index<D>::filled(1000)};
    return domain;
}

template <int D>
double mass(const Bubbles<D>& b, std::size_t q) {
    return bubble_volume<D>(double(b.radius[q])) * double(b.density[q]);
}

template <int D>
void pull_down(Bubbles<D>& b, double dt) {
    for (auto& v : b.velocity.write()) v[1] -= kGravity * dt;
}

/// Deepest overlap of any pair, as part of the sum of radii, by looking at all of them.
template <int D>
double deepest_pair(const Bubbles<D>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double sum = double(b.radius[i]) + double(b.radius[j]);
            worst = std::max(worst, 1 - length(b.position[i] - b.position[j]) / sum);
        }
    return worst;
}

/// A grain on a plane tilted by `degrees`: how far it has slid down after a second.
double slid(double degrees, double friction) {
    Shape shape;
    shape.kind = ShapeKind::kBox;
    shape.size = {10, 1, 10};
    shape.rotation = {0, 0, -degrees};
    const double angle = degrees * math::kPi / 180;
    const Vec<double, 3> up{std::sin(angle), std::cos(angle), 0},
        down{std::cos(angle), -std::sin(angle), 0};
    const PlacedSolids<3> bodies{{placed<3>(shape, {})}};
    const double r = 0.005, dt = 0.005;
    Bubbles<3> grain;
    add<3>(grain, up * (0.5 + double(float(r))), {}, r);
    ContactLaw law;
    law.solid_friction = friction;
    Context context(1);
    for (int n = 0; n < 200; ++n) {
        pull_down(grain, dt);
        advance_touching(grain, bodies, open_space<3>(), law, dt, context);
    }
    EXPECT_NEAR(bodies.distance(grain.position[0]), double(float(r)), 1e-6) << "stays on the plane";
    return dot(grain.position[0] - up * (0.5 + double(float(r))), down);
}

TEST(Contact, AGrainOnASlopeSticksBelowTheFrictionAngleAndSlidesAboveIt) {
    // tan 26.57° = 0.5. Symplectic steps of Δt: x = a Δt² n (n + 1) / 2 after n of them.
    EXPECT_LT(std::abs(slid(26, 0.5)), 1e-9);
    for (const auto& [degrees, friction] : {std::pair{27.0, 0.5}, {45.0, 0.5}, {20.0, 0.0}}) {
        const double angle = degrees * math::kPi / 180;
        const double a = kGravity * (std::sin(angle) - friction * std::cos(angle));
        EXPECT_NEAR(slid(degrees, friction), a * 0.005 * 0.005 * 200 * 201 / 2, 1e-6 * a)
            << degrees;
    }
}

TEST(Contact, TwoBallsExchangeWhatTheLawsSay) {
    for (const double e : {0.0, 0.4, 1.0}) {
        Bubbles<3> pair;
        add<3>(pair, {-0.0049, 0, 0}, {2, 0.3, 0}, 0.005, 2500);
        add<3>(pair, {0.0049, 0, 0}, {-1, 0.1, 0.5}, 0.005, 700);
        ContactLaw law;
        law.restitution = e;
        Context context(1);
        const auto before = total_momentum(pair, context);
        auto set = find_contacts(pair, PlacedSolids<3>{}, open_space<3>(), law, 1e-3, context);
        collide(pair, set, law, context);
        const double m = mass(pair, 0), M = mass(pair, 1), mean = (2 * m - M) / (m + M);
        EXPECT_NEAR(pair.velocity[0][0], mean - M / (m + M) * e * 3, 1e-12) << e;
        EXPECT_NEAR(pair.velocity[1][0], mean + m / (m + M) * e * 3, 1e-12) << e;
        // The light one is a bubble: it slides past without friction.
        EXPECT_EQ(pair.velocity[1][2], 0.5);
        const auto after = total_momentum(pair, context);
        for (int a = 0; a < 3; ++a) EXPECT_NEAR(after[a], before[a], 1e-15 * m * 10);
    }
}

TEST(Contact, FrictionStopsSlidingOrGivesItsFullForce) {
    // Two equal grains meet at 1 m/s and slide at `slide`; the normal impulse is m/2 · 1.
    for (const auto& [slide, left] : {std::pair{0.3, 0.0}, {2.0, 2.0 - 0.5}}) {
        Bubbles<2> pair;
        add<2>(pair, {0, -0.005}, {0, 0.5}, 0.005);
        add<2>(pair, {0, 0.005}, {slide, -0.5}, 0.005);
        const ContactLaw law{.friction = 0.5};
        Context context(1);
        auto set = find_contacts(pair, PlacedSolids<2>{}, open_space<2>(), law, 1e-3, context);
        const auto before = total_momentum(pair, context);
        collide(pair, set, law, context);
        EXPECT_NEAR(pair.velocity[1][0] - pair.velocity[0][0], left, 1e-6);
        EXPECT_NEAR(pair.velocity[1][1] - pair.velocity[0][1], 0, 1e-6);
        EXPECT_NEAR(total_momentum(pair, context)[0], before[0], 1e-15);
    }
}

TEST(Contact, ManyCollisionsKeepMomentumAndLoseEnergy) {
    Bubbles<3> cloud;
    for (std::uint64_t i = 0; i < 400; ++i) {
        const Random random(7, i, 0, Purpose::kTest);
        add<3>(cloud, random.uniform_vec<3>(0) * 0.06,
               random.uniform_vec<3>(3) - Vec<double, 3>{0.5, 0.5, 0.5},
               0.002 + 0.004 * random.uniform(6), random.uniform(7) < 0.5 ? 1 : 1500);
    }
    Context context(2);
    ContactLaw law;
    law.restitution = 0;
    const auto energy = [&] {
        double sum = 0;
        for (std::size_t q = 0; q < cloud.size(); ++q)
            sum += 0.5 * mass(cloud, q) * dot(cloud.velocity[q], cloud.velocity[q]);
        return sum;
    };
    double scale = 0;
    for (std::size_t q = 0; q < cloud.size(); ++q)
        scale += mass(cloud, q) * length(cloud.velocity[q]);
    const auto before = total_momentum(cloud, context);
    const double energy_before = energy();
    auto set = find_contacts(cloud, PlacedSolids<3>{}, open_space<3>(), law, 1e-3, context);
    EXPECT_GT(set.contacts.size(), 300u);
    collide(cloud, set, law, context);
    const auto after = total_momentum(cloud, context);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(after[a], before[a], 1e-13 * scale);
    EXPECT_LT(energy(), energy_before);
}

/// Grains dropped on a floor, in a box far too wide for them.
Bubbles<3> poured(double friction, int threads, int steps) {
    GridDomain<3> domain;
    domain.transform = {0.1, {-0.5, 0, -0.5}};
    domain.cells = {{}, {10, 10, 10}};
    for (auto& side : domain.wall) side[0] = side[1] = true;
    Bubbles<3> grains;
    for (int n = 0; n < 300; ++n) {
        const Random random(3, std::uint64_t(n), 0, Purpose::kTest);
        const auto u = random.uniform_vec<3>(0);
        add<3>(grains, {0.012 * (u[0] - 0.5), 0.01 + 0.004 * (n / 3), 0.012 * (u[2] - 0.5)}, {},
               0.003 + 0.001 * random.uniform(5));
    }
    ContactLaw law;
    law.friction = law.solid_friction = friction;
    Context context(threads);
    const double dt = 1.0 / 200;
    for (int n = 0; n < steps; ++n) {
        pull_down(grains, dt);
        advance_touching(grains, PlacedSolids<3>{}, domain, law, dt, context);
    }
    return grains;
}

double mean_height(const Bubbles<3>& b) {
    double sum = 0;
    for (std::size_t q = 0; q < b.size(); ++q) sum += b.position[q][1];
    return sum / double(b.size());
}

TEST(Contact, AHeapStaysUpByFrictionAndNothingSinksIntoAnother) {
    const Bubbles<3> rough = poured(0.6, 2, 300), smooth = poured(0, 2, 300);
    EXPECT_LT(deepest_pair(rough), 0.02);
    EXPECT_LT(deepest_pair(smooth), 0.02);
    for (std::size_t q = 0; q < rough.size(); ++q)
        EXPECT_GT(rough.position[q][1], 0.97 * double(rough.radius[q])) << "none below the floor";
    // Without friction nothing holds a heap up: they end in one layer, a radius above the floor.
    EXPECT_LT(mean_height(smooth), 0.0045);
    EXPECT_GT(mean_height(rough), 0.006);
}

TEST(Contact, SameBitsOnAnyNumberOfThreads) {
    const Bubbles<3> one = poured(0.5, 1, 60), three = poured(0.5, 3, 60);
    for (std::size_t q = 0; q < one.size(); ++q) {
        EXPECT_EQ(one.position[q], three.position[q]) << q;
        EXPECT_EQ(one.velocity[q], three.velocity[q]) << q;
    }
}

}  // namespace
}  // namespace spume::mixture

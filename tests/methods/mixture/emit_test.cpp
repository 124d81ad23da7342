// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/emit.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/physics/two_fluid/two_fluid.h"

namespace spume::mixture {
namespace {

TEST(Radius, FollowsTheInverseCubicLaw) {
    // [WFS22] Eq. 34 with r from 0.5 to 5 mm: mean 0.909091 mm, quantiles of the validation table,
    // Kolmogorov–Smirnov distance below its 99 % bound.
    const int n = 1000000;
    std::vector<double> r(n);
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        const Random random(9, std::uint64_t(i), 0, Purpose::kRadius);
        r[std::size_t(i)] = 1e3 * inverse_cubic_radius(random.uniform(0), 0.5e-3, 5e-3);
        sum += r[std::size_t(i)];
    }
    EXPECT_NEAR(sum / n, 0.909091, 3 * 5.8e-4);
    std::sort(r.begin(), r.end());
    double distance = 0;
    for (int i = 0; i < n; ++i) {
        const double x = r[std::size_t(i)];
        const double cdf = 25 / (x * x) * (x * x - 0.25) / (25 - 0.25);
        distance =
            std::max({distance, std::abs(cdf - double(i) / n), std::abs(cdf - (i + 1.0) / n)});
    }
    EXPECT_LT(distance, 1.63e-3);
    EXPECT_NEAR(inverse_cubic_radius(0.5, 0.5, 5), 0.703598, 1e-6);
    EXPECT_NEAR(inverse_cubic_radius(0.99, 0.5, 5), 3.544406, 1e-6);
}

TEST(Bursts, AddUpHoweverTimeIsCut) {
    Emitter e;
    e.start = 0.3;
    e.stop = 2.25;
    e.period = 0.5;
    e.burst = 0.2;
    // On in [0.3,0.5], [0.8,1.0], [1.3,1.5], [1.8,2.0]: 0.8 s.
    EXPECT_NEAR(time_on(e, {0, 3}), 0.8, 1e-12);
    double sum = 0;
    for (int i = 0; i < 300; ++i) sum += time_on(e, {i * 0.01, (i + 1) * 0.01});
    EXPECT_NEAR(sum, 0.8, 1e-12);
    EXPECT_EQ(time_on(e, {0.55, 0.75}), 0);
}

TEST(Pulses, EmitTheAreaUnderTheirKeysHoweverTimeIsCut) {
    Emitter e;
    e.start = 1;
    e.stop = 6;
    e.pulse = {{0.5, 0}, {1, 1}, {2, 0.5}};
    // From 1 s: 0 until 1.5, a triangle of 0.25, a trapezium of 0.75, then 0.5 from 3 s to 6 s.
    EXPECT_NEAR(time_on(e, {0, 10}), 0.25 + 0.75 + 1.5, 1e-12);
    EXPECT_NEAR(time_on(e, {1.5, 1.75}), 0.0625, 1e-12);
    // Every 2.5 s again: twice the pulse with its tail of 0.25.
    e.period = 2.5;
    EXPECT_NEAR(time_on(e, {0, 10}), 2 * (0.25 + 0.75 + 0.25), 1e-12);
    double sum = 0;
    for (int i = 0; i < 700; ++i) sum += time_on(e, {i * 0.01, (i + 1) * 0.01});
    EXPECT_NEAR(sum, 2.5, 1e-11);
}

struct Tank {
    Context context{2};
    GridDomain<3> domain;
    PlacedSolids<3> bodies;
    Bubbles<3> bubbles;
    Array<double> owed;
    Tank() {
        domain.transform = {0.01, {}};
        domain.cells = {{}, {50, 50, 50}};
    }
};

TEST(Emitter, GivesItsRateToWithinOneBubble) {
    Tank tank;
    Emitter e;
    e.shape.kind = ShapeKind::kSphere;
    e.shape.center = {0.25, 0.25, 0.25};
    e.shape.radius = 0.1;
    e.rate = 2e-4;
    e.law = RadiusLaw::kInverseCubic;
    const EmitterSet<3> emitters({e}, 1.2, 5, {});
    double volume = 0;
    for (int n = 0; n < 37; ++n)
        volume += emitters
                      .emit(tank.bubbles, tank.owed, {n / 37.0, (n + 1) / 37.0}, tank.domain,
                            tank.bodies, tank.context)
                      .volume;
    EXPECT_NEAR(volume, 2e-4, bubble_volume<3>(5e-3));
    EXPECT_NEAR(volume + tank.owed[0], 2e-4, 1e-14);
    EXPECT_NEAR(total_volume(tank.bubbles, tank.context), volume, 1e-15);
    for (std::size_t q = 0; q < tank.bubbles.size(); ++q) {
        EXPECT_LT(length(tank.bubbles.position[q] - Point<3>::filled(0.25)), 0.1);
        EXPECT_EQ(tank.bubbles.id[q], q);
        EXPECT_EQ(tank.bubbles.density[q], 1.2f);
    }
}

/// Bubbles come out of the shape where it is, spread along its way, and with its velocity.
TEST(Emitter, MovesAlongItsKeysAndWithTheSolidThatCarriesIt) {
    Emitter e;
    e.shape.kind = ShapeKind::kSphere;
    e.shape.center = {0.1, 0.25, 0.25};
    e.shape.radius = 0.02;
    e.rate = 2e-6;
    e.radius = 5e-4;
    e.velocity = {0, 1, 0};
    Solid arm;
    arm.name = "arm";
    arm.motion = Motion::kKeyed;
    arm.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0.3, 0, 0}, {0, 0, 0}}};
    arm.shape.center = {0.1, 0.4, 0.25};
    for (const bool carried : {false, true}) {
        Tank tank;
        Emitter own = e;
        if (carried)
            own.attach = "arm";
        else
            own.keys = arm.keys;
        const EmitterSet<3> emitters({own}, 1, 5, {}, 1e9, 1, false, {arm});
        emitters.emit(tank.bubbles, tank.owed, {0.4, 0.6}, tank.domain, tank.bodies, tank.context);
        ASSERT_GT(tank.bubbles.size(), 200u);
        // The keys are a cubic: 0.3 (3 s² − 2 s³).
        const auto place = [](double s) { return 0.1 + 0.3 * s * s * (3 - 2 * s); };
        double least = 1, most = 0;
        for (std::size_t q = 0; q < tank.bubbles.size(); ++q) {
            const auto &x = tank.bubbles.position[q], &v = tank.bubbles.velocity[q];
            least = std::min(least, x[0]), most = std::max(most, x[0]);
            EXPECT_GT(v[0], 0.3 * 6 * 0.4 * 0.6 - 1e-9);
            EXPECT_LT(v[0], 0.3 * 1.5 + 1e-9);
            EXPECT_NEAR(v[1], 1, 1e-12);
        }
        EXPECT_NEAR(least, place(0.4) - 0.02, 0.01);
        EXPECT_NEAR(most, place(0.6) + 0.02, 0.01);
    }
}

/// A free body carries it to where the method has the body, at any time of the substep.
TEST(Emitter, RidesOnAFreeBody) {
    Emitter e;
    e.shape.kind = ShapeKind::kSphere;
    e.shape.center = {0.1, 0.25, 0.25};
    e.shape.radius = 0.02;
    e.rate = 2e-6;
    e.radius = 5e-4;
    e.attach = "boat";
    Solid boat;
    boat.name = "boat";
    boat.motion = Motion::kDynamic;
    boat.shape.center = {0.1, 0.4, 0.25};
    boat.shape.size = {0.05, 0.05, 0.05};
    Tank tank;
    tank.bodies.placed = {PlacedBody<3>(body_shape<3>(boat.shape, {}), Pose{{}, {0.3, 0.4, 0.25}},
                                        Twist{{1, 0, 0}, {}})};
    const EmitterSet<3> emitters({e}, 1, 5, {}, 1e9, 1, false, {boat});
    emitters.emit(tank.bubbles, tank.owed, {0.4, 0.5}, tank.domain, tank.bodies, tank.context);
    ASSERT_GT(tank.bubbles.size(), 200u);
    double least = 1, most = 0;
    for (std::size_t q = 0; q < tank.bubbles.size(); ++q) {
        least = std::min(least, tank.bubbles.position[q][0]);
        most = std::max(most, tank.bubbles.position[q][0]);
        EXPECT_NEAR(tank.bubbles.position[q][1], 0.25, 0.02);
        EXPECT_NEAR(tank.bubbles.velocity[q][0], 1, 1e-12);
    }
    EXPECT_NEAR(least, 0.2 - 0.02, 0.015);
    EXPECT_NEAR(most, 0.3 + 0.02, 0.015);
}

/// Inside a tetrahedron that grows: bubbles come out of it as large as it is, with its velocity.
TEST(Emitter, GrowsWithAMeshThatDeforms) {
    Emitter e;
    e.shape.kind = ShapeKind::kMesh;
    e.shape.file = "growing";
    e.shape.center = {0.2, 0.2, 0.2};
    e.rate = 2e-6;
    e.radius = 3e-4;
    e.velocity = {0, 1, 0};
    const std::vector<Vec<std::int32_t, 3>> faces{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    std::vector<MeshSequence::Vertices> frames;
    for (const float size : {0.02f, 0.06f, 0.10f})
        frames.push_back({{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}});
    const MeshLibrary meshes{
        {"growing", {std::make_shared<const MeshSequence>(faces, frames), 10.0}}};
    Tank tank;
    const EmitterSet<3> emitters({e}, 1, 5, meshes, 1e9);
    emitters.emit(tank.bubbles, tank.owed, {0, 0.15}, tank.domain, tank.bodies, tank.context);
    ASSERT_GT(tank.bubbles.size(), 200u);
    double farthest = 0, fastest = 0;
    for (std::size_t q = 0; q < tank.bubbles.size(); ++q) {
        const Vec<double, 3> x = tank.bubbles.position[q] - e.shape.center;
        EXPECT_GE(std::min({x[0], x[1], x[2]}), 0);
        farthest = std::max(farthest, x[0] + x[1] + x[2]);
        // Its corners run along the axes at 0.4 m/s, and what is between them in proportion.
        const Vec<double, 3> v = tank.bubbles.velocity[q] - e.velocity;
        fastest = std::max(fastest, v[0] + v[1] + v[2]);
    }
    EXPECT_NEAR(farthest, 0.08, 0.003);
    EXPECT_NEAR(fastest, 0.4, 1e-4);
}

/// On a solid that turns: its place goes round, and so does what it blows.
TEST(Emitter, TurnsWithTheSolidThatCarriesIt) {
    Tank tank;
    Emitter e;
    e.shape.kind = ShapeKind::kSphere;
    e.shape.center = {0.35, 0.25, 0.25};
    e.shape.radius = 0.01;
    e.mode = EmitMode::kSeed;
    e.count = 100;
    e.start = 2;
    e.radius = 5e-4;
    e.velocity = {1, 0, 0};
    e.attach = "wheel";
    Solid wheel;
    wheel.name = "wheel";
    wheel.motion = Motion::kKeyed;
    wheel.shape.center = {0.25, 0.25, 0.25};
    wheel.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 0}, {0, 0, 90}}};
    EmitterSet<3>({e}, 1, 5, {}, 1e9, 1, false, {wheel})
        .emit(tank.bubbles, tank.owed, {1.9, 2.1}, tank.domain, tank.bodies, tank.context);
    ASSERT_EQ(tank.bubbles.size(), 100u);
    for (std::size_t q = 0; q < 100; ++q) {
        EXPECT_LT(length(tank.bubbles.position[q] - Point<3>{0.25, 0.35, 0.25}), 0.0101);
        EXPECT_LT(length(tank.bubbles.velocity[q] - Vec<double, 3>{0, 1, 0}), 1e-9);
    }
}

TEST(Emitter, FillsAFractionAndALattice) {
    Tank tank;
    Emitter e;
    e.mode = EmitMode::kSeed;
    e.shape.kind = ShapeKind::kBox;
    e.shape.center = {0.25, 0.25, 0.25};
    e.shape.size = {0.2, 0.2, 0.2};
    e.fraction = 0.05;
    e.radius = 2e-3;
    const EmitterSet<3> some({e}, 1, 5, {});
    const double volume =
        some.emit(tank.bubbles, tank.owed, {0, 0.1}, tank.domain, tank.bodies, tank.context).volume;
    EXPECT_NEAR(volume, 0.05 * 0.008, bubble_volume<3>(2e-3));
    EXPECT_EQ(some.emit(tank.bubbles, tank.owed, {0.1, 0.2}, tank.domain, tank.bodies, tank.context)
                  .volume,
              0);
    e.spacing = 0.005;
    Bubbles<3> grid;
    EmitterSet<3>({e}, 1, 5, {})
        .emit(grid, tank.owed, {0, 0.1}, tank.domain, tank.bodies, tank.context);
    EXPECT_EQ(grid.size(), 40u * 40 * 40);
}

TEST(Solids, KeepBubblesOutAndWallsHoldThem) {
    Tank tank;
    tank.domain.wall[0][0] = tank.domain.wall[1][0] = true;
    Solid ball;
    ball.shape.kind = ShapeKind::kSphere;
    ball.shape.center = {0.25, 0.25, 0.25};
    ball.shape.radius = 0.1;
    tank.bodies = SolidSet<3>({ball}, {}).at(0);
    Emitter e;
    e.mode = EmitMode::kSeed;
    e.count = 4000;
    e.radius = 1e-3;
    e.shape.center = {0.2, 0.2, 0.25};
    e.shape.size = {0.44, 0.44, 0.44};
    // Born without the ball, so that some begin inside; then thrown about.
    EmitterSet<3>({e}, 1, 5, {})
        .emit(tank.bubbles, tank.owed, {0, 0.1}, tank.domain, {}, tank.context);
    ASSERT_EQ(tank.bubbles.size(), 4000u);
    for (auto& v : tank.bubbles.velocity.write()) v = {-1, -0.5, 0.2};
    advance(tank.bubbles, 0.05, tank.context);
    keep_out(tank.bubbles, tank.bodies, tank.domain, tank.context);
    const double before = total_volume(tank.bubbles, tank.context);
    const double left = remove_escaped(tank.bubbles, tank.domain, tank.context);
    EXPECT_NEAR(left + total_volume(tank.bubbles, tank.context), before, 1e-14);
    for (std::size_t q = 0; q < tank.bubbles.size(); ++q) {
        const auto& x = tank.bubbles.position[q];
        EXPECT_GE(tank.bodies.distance(x), 0.999e-3);
        EXPECT_GE(x[0], 0);
        EXPECT_GE(x[1], 0);
        if (x[0] == 0) {
            EXPECT_GE(tank.bubbles.velocity[q][0], 0);
        }
    }
}

TEST(CutCells, AreasOfFacesAreExactForPlanes) {
    EXPECT_DOUBLE_EQ(positive_part(1.0, -3.0), 0.25);
    const double tilted[4] = {-0.25, 0.75, 0.75, -0.25};  // x > 1/4
    EXPECT_DOUBLE_EQ(positive_part(tilted), 0.75);
    const double corner[4] = {0.5, -0.5, -1.5, -0.5};  // x + y < 1/2
    EXPECT_DOUBLE_EQ(positive_part(corner), 0.125);
    const double all[4] = {1, 2, 3, 4}, none[4] = {-1, -2, -3, -4};
    EXPECT_EQ(positive_part(all), 1);
    EXPECT_EQ(positive_part(none), 0);
}

TEST(Grains, AreMadeAndLeaveButAreNoAir) {
    Tank tank;
    Emitter air;
    air.shape.kind = ShapeKind::kSphere;
    air.shape.center = {0.25, 0.25, 0.25};
    air.shape.radius = 0.1;
    air.mode = EmitMode::kSeed;
    air.count = 20;
    air.radius = 2e-3;
    Emitter sand = air;
    sand.count = 30;
    sand.density = 1500;
    const EmitterSet<3> emitters({air, sand}, 1.2, 5, {}, 1000);
    const auto made =
        emitters.emit(tank.bubbles, tank.owed, {0, 0.01}, tank.domain, tank.bodies, tank.context);
    const double one = bubble_volume<3>(2e-3f);
    ASSERT_EQ(tank.bubbles.size(), 50u);
    EXPECT_NEAR(made.volume, 20 * one, 1e-12 * one);
    EXPECT_NEAR(made.seeded, 20 * one, 1e-12 * one);
    EXPECT_NEAR(total_volume(tank.bubbles, tank.context, 1000), 20 * one, 1e-12 * one);
    EXPECT_NEAR(total_volume(tank.bubbles, tank.context), 50 * one, 1e-12 * one);
    // Only sand beyond the open side: it goes, and no air with it.
    for (std::size_t q = 0; q < 50; ++q)
        if (tank.bubbles.density[q] > 1000) tank.bubbles.position.write()[q][1] = 10;
    EXPECT_EQ(remove_escaped(tank.bubbles, tank.domain, tank.context, 1000), 0);
    EXPECT_EQ(tank.bubbles.size(), 20u);
}

}  // namespace
}  // namespace spume::mixture

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "box.h"
#include "run.h"
#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/physics/free_surface/rigid_pressure.h"
#include "spume/solve/face_operator.h"

namespace spume {
namespace {

constexpr double kPi = std::numbers::pi;

Solid free_ball(const Vec<double, 3>& center, double radius, double density) {
    Solid s;
    s.shape.kind = ShapeKind::kSphere;
    s.shape.center = center;
    s.shape.radius = radius;
    s.motion = Motion::kDynamic;
    s.density = density;
    return s;
}

Solid free_box(const Vec<double, 3>& lo, const Vec<double, 3>& hi, double density) {
    Solid s = solid_box(lo, hi);
    s.motion = Motion::kDynamic;
    s.density = density;
    return s;
}

TEST(RigidMoments, AgreeWithSums) {
    Shape cup;
    cup.kind = ShapeKind::kCylinder;
    cup.radius = 0.5;
    cup.height = 1.2;
    cup.shell = 0.2;
    cup.open_top = true;
    const auto shape = body_shape<3>(cup, {});
    const MassMoments m = mass_moments(shape);
    // Midpoint sums on a fine lattice.
    const int n = 130;
    const double h = 1.3 / n;
    double volume = 0;
    Vec<double, 3> first{};
    double about_y = 0, about_x = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const Vec<double, 3> x =
                    Vec<double, 3>{i + 0.5, j + 0.5, k + 0.5} * h - Vec<double, 3>::filled(0.65);
                if (shape.distance(x) > 0) continue;
                volume += h * h * h;
                first += x * (h * h * h);
                about_y += (x[0] * x[0] + x[2] * x[2]) * h * h * h;
                about_x += ((x[1] - m.centre[1]) * (x[1] - m.centre[1]) + x[2] * x[2]) * h * h * h;
            }
    EXPECT_NEAR(m.volume, volume, 5e-3 * volume);
    EXPECT_NEAR(m.centre[1], first[1] / volume, 2e-3);
    EXPECT_NEAR(m.inertia[1][1], about_y, 1e-2 * about_y);
    EXPECT_NEAR(m.inertia[0][0], about_x, 1e-2 * about_x);
    EXPECT_NEAR(m.inertia[0][1], 0, 1e-12);
}

TEST(RigidMoments, MeshAndBoxAreTheSame) {
    TriangleMesh mesh;
    for (int c = 0; c < 8; ++c)
        mesh.vertices.push_back({c & 1 ? 1.5 : 0.5, c & 2 ? 1.0 : -1.0, c & 4 ? 2.0 : 0.0});
    const std::int32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& q : quads) {
        mesh.triangles.push_back({q[0], q[1], q[2]});
        mesh.triangles.push_back({q[0], q[2], q[3]});
    }
    BodyParameters p;
    p.kind = BodyKind::kMesh;
    p.mesh = std::make_shared<MeshDistance>(mesh);
    p.scale = 2;
    const MassMoments m = mass_moments(BodyShape<3>(p));
    EXPECT_NEAR(m.volume, 2.0 * 4 * 4, 1e-12);
    EXPECT_LT(length(m.centre - Vec<double, 3>{2, 0, 2}), 1e-12);
    EXPECT_NEAR(m.inertia[0][0], 32 * (16 + 16) / 12.0, 1e-10);
    EXPECT_NEAR(m.inertia[1][1], 32 * (4 + 16) / 12.0, 1e-10);
    EXPECT_NEAR(m.inertia[0][2], 0, 1e-10);
}

TEST(RigidMoments, OpenMeshHasNone) {
    TriangleMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}};
    Solid s;
    s.shape.kind = ShapeKind::kMesh;
    s.shape.file = "open";
    s.motion = Motion::kDynamic;
    const MeshLibrary meshes{{"open", std::make_shared<MeshDistance>(mesh)}};
    EXPECT_THROW(RigidSet<3>({s}, meshes), UserError);
    mesh.triangles.push_back({1, 2, 3});
    const MeshLibrary closed{{"open", std::make_shared<MeshDistance>(mesh)}};
    EXPECT_NEAR(RigidSet<3>({s}, closed).bodies()[0].mass, 500.0 / 6, 1e-10);
}

/// One projection of liquid at rest with free bodies in it.
template <int D>
struct RigidBox : BubbleBox<D> {
    std::vector<Solid> says;
    RigidSet<D> set;
    std::vector<RigidState> states;

    using BubbleBox<D>::BubbleBox;

    void add_free(const Solid& solid) {
        says.push_back(solid);
        this->bodies.placed.push_back(SolidSet<D>({solid}, {}, true).at(0).placed[0]);
    }
    /// Free bodies come first among the solids.
    void prepare(const std::function<double(const Point<D>&)>& distance) {
        set = RigidSet<D>(says, {});
        states = set.start();
        this->settle(distance);
    }
    RigidCoupling<D> coupling() {
        return RigidCoupling<D>(set, states, this->bodies, this->domain, this->open, this->phase,
                                this->regions.label, this->regions.regions.size(), {},
                                this->context);
    }
    BubbleSolve fall_with_bodies(double gravity) {
        double* u = this->velocity.write(1);
        for (std::size_t i = 0; i < this->velocity.component(1).size(); ++i)
            u[i] -= gravity * this->forces.dt;
        for (RigidState& s : states) s.velocity[1] -= gravity * this->forces.dt;
        RigidCoupling<D> rigid = coupling();
        this->solid_flux = solid_fluxes(this->regions, this->open, this->context);
        return project(this->velocity, this->pressure, this->valid,
                       {this->phase, this->open, this->faces}, {this->rows, this->solid_flux},
                       this->forces, this->solver, this->options, this->context, &rigid);
    }
};

/// First acceleration, over g, of a free ball of radius 1 at the middle of a round tank full of
/// liquid: (1 − s) / (s + C), s the ratio of densities, C the coefficient of added mass.
template <int D>
double released(double wall, double ratio, int cells_per_radius) {
    const double h = 1.0 / cells_per_radius, half = wall + 2.5 * h;
    const int n = static_cast<int>(std::ceil(2 * half / h));
    const double shift = 0.137 * h;
    RigidBox<D> box(Point<D>::filled(-n * h / 2 + shift), Index<D>::filled(n), h);
    box.add_free(free_ball({0, 0, 0}, 1, 1000 * ratio));
    Solid tank;
    tank.shape.kind = ShapeKind::kSphere;
    tank.shape.center = {0, 0, 0};
    tank.shape.radius = wall + 4 * h;
    tank.shape.shell = 4 * h;
    box.add(tank);
    box.options.tolerance = 1e-10;
    box.prepare([](const Point<D>&) { return -1.0; });
    const BubbleSolve r = box.fall_with_bodies(1.0);
    EXPECT_TRUE(r.solve.good());
    EXPECT_LT(r.divergence, 1e-9);
    return box.states[0].velocity[1] / box.forces.dt;
}

TEST(RigidExact, AccelerationWithAddedMassInARoundTank2D) {
    const double c = 5.0 / 3;
    for (const double ratio : {3.0, 0.01}) {
        const double exact = (1 - ratio) / (ratio + c);
        const double coarse = std::abs(released<2>(2, ratio, 12) - exact),
                     fine = std::abs(released<2>(2, ratio, 48) - exact);
        EXPECT_LT(fine, 0.006 * std::abs(exact)) << ratio;
        EXPECT_GT(std::log2(coarse / fine) / 2, 1.3) << coarse << " " << fine;
    }
}

TEST(RigidExact, AccelerationWithAddedMassInARoundTank3D) {
    const double exact = (1 - 3.0) / (3 + 5.0 / 7);
    EXPECT_NEAR(released<3>(2, 3, 12), exact, 0.02 * std::abs(exact));
}

/// Bodies that touch trapped air, free air and liquid.
struct Mixed : RigidBox<2> {
    Mixed() : RigidBox<2>({0, 0}, {64, 64}, 1.0 / 64) {
        domain.wall[1][1] = false;
        add_free(free_ball({0.37, 0.31, 0}, 0.12, 700));
        Solid slab = free_box({0.55, 0.55, -1}, {0.85, 0.68, 1}, 2400);
        slab.shape.rotation = {0, 0, 20};
        add_free(slab);
        prepare([](const Point<2>& x) {
            const double pocket = 0.14 - std::hypot(x[0] - 0.45, x[1] - 0.25);
            const double bubble = 0.06 - std::hypot(x[0] - 0.8, x[1] - 0.3);
            const double under = 0.09 - std::hypot(x[0] - 0.62, x[1] - 0.5);
            return std::max({x[1] - 0.63, pocket, bubble, under});
        });
    }
};

TEST(RigidExact, SystemIsSymmetricAndPositive) {
    Mixed box;
    for (RigidState& s : box.states) s.velocity = {0.1, -0.3, 0}, s.spin = {0, 0, 2};
    ASSERT_GE(box.regions.regions.size(), 3u);
    RigidCoupling<2> rigid = box.coupling();
    const auto b = bubble_system<2>(box.velocity, {box.phase, box.open, box.faces}, {box.rows},
                                    box.forces, box.context, &rigid);
    const auto levels = level_tiles(*box.tiles);
    FaceOperator<2> op;
    const std::size_t n = levels[0].values();
    std::vector<double> rhs(n), x(n, 0.0), y(n, 0.0), ax(n, 0.0), ay(n, 0.0);
    op.assign(b.system, levels[0], rhs.data(), box.context);
    for (int trial = 0; trial < 20; ++trial) {
        for (std::size_t i = 0; i < std::size_t(box.tiles->active()) * kTileCells<2>; ++i) {
            const Random random(std::uint64_t(trial), i, 0, Purpose::kTest);
            const bool unknown = b.system.kind.values()[i] == kFluidCell;
            x[i] = unknown ? random.uniform(0) - 0.5 : 0.0;
            y[i] = unknown ? random.uniform(1) - 0.5 : 0.0;
        }
        EXPECT_GT(op.apply(x.data(), ax.data(), box.context), 0);
        op.apply(y.data(), ay.data(), box.context);
        double xay = 0, yax = 0;
        for (std::size_t i = 0; i < n; ++i) xay += x[i] * ay[i], yax += y[i] * ax[i];
        EXPECT_NEAR(xay, yax, 1e-10 * (std::abs(xay) + 1));
    }
}

/// Force and moment of the pressures on everything that closes a face and belongs to no wall.
struct Push {
    Vec<double, 2> force{};
    double moment = 0;
};

TEST(RigidExact, BodiesGainWhatThePressuresPush) {
    Mixed box;
    const auto before = box.states;
    const BubbleSolve r = box.fall_with_bodies(9.81);
    ASSERT_TRUE(r.solve.good());
    EXPECT_LT(r.divergence, 1e-10);
    const double h = 1.0 / 64, dt = box.forces.dt;
    std::vector<Push> push(2);
    const auto pressure_at = [&](const Index<2>& cell, double& p) {
        if (!box.domain.cells.contains(cell)) return false;
        TileCursor<2> cursor(*box.tiles);
        const std::size_t at = cursor(cell);
        const auto phase = box.phase.read()[at];
        if (phase == kSolidPhase) return false;
        p = phase == kLiquidPhase ? box.pressure.read()[at]
                                  : r.pressure[std::size_t(box.regions.label.read()[at])];
        return true;
    };
    for (int a = 0; a < 2; ++a)
        for (int i = 1; i < 64; ++i)
            for (int j = 1; j < 64; ++j) {
                const Index<2> cell{i, j};
                TileCursor<2> cursor(*box.tiles);
                const double closed = 1 - double(box.open.area.read(a)[cursor(cell)]);
                if (closed == 0) continue;
                double above = 0, below = 0;
                pressure_at(cell, above);
                pressure_at(cell - Index<2>::unit(a), below);
                Point<2> x = cell.as<double>() * h;
                x[1 - a] += 0.5 * h;
                const std::size_t k =
                    box.bodies.placed[0].distance(x) < box.bodies.placed[1].distance(x) ? 0 : 1;
                const double f = closed * h * (below - above);
                push[k].force[a] += f;
                const Vec<double, 3> arm = lifted(x) - before[k].position;
                push[k].moment += a == 0 ? -arm[1] * f : arm[0] * f;
            }
    for (std::size_t k = 0; k < 2; ++k) {
        const auto& body = box.set.bodies()[k];
        const Vec<double, 3> gain = box.states[k].velocity - before[k].velocity;
        EXPECT_NEAR(gain[0] * body.mass, dt * push[k].force[0], 1e-9);
        EXPECT_NEAR((gain[1] + 9.81 * dt) * body.mass, dt * push[k].force[1], 1e-9);
        EXPECT_NEAR(box.states[k].spin[2] * body.inertia[2][2], dt * push[k].moment, 1e-9);
        EXPECT_GT(std::abs(gain[1] + 9.81 * dt), 1e-4) << "the liquid carries part of the weight";
    }
    // Trapped air keeps its volume between liquid and bodies together.
    const auto widened = solid_fluxes(box.regions, box.open, box.context);
    for (std::size_t k = 0; k < box.rows.size(); ++k)
        if (box.rows[k].constrained) {
            EXPECT_NEAR(r.flux[k], widened[k] * h * h, 1e-12);
        }
}

TEST(RigidRun, FloatingBallReachesArchimedesDepth) {
    const double h = 1.0 / 40, radius = 0.2;
    Scene s = tank(2, h, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 1})};
    s.solids = {free_ball({0.5, 0.56, 0}, radius, 500)};
    ConstraintRun<2> run(s, {});
    double sum = 0, weight = 0, before = 0;
    ASSERT_TRUE(run.until(4.0, [&] {
        if (run.state.time > 1) {
            sum += run.state.rigid[0].position[1] * (run.state.time - before);
            weight += run.state.time - before;
        }
        before = run.state.time;
    }));
    // Half its area is under water: the centre lies at the level, which is that of all the water.
    // Liquid that its seeding left out for the ball counts as it is.
    const double level = run.state.volume + kPi * radius * radius / 2;
    RecordProperty("depth", std::to_string(sum / weight - level));
    EXPECT_NEAR(sum / weight, level, 0.5 * h);
    EXPECT_NEAR(run.state.volume, run.state.target_volume, 0.01 * run.state.target_volume);
}

TEST(RigidRun, DropWithABodyKeepsMomentum) {
    Scene s = tank(2, 1.0 / 32, {3, 1, 1});
    s.domain.sides = s.domain.bottom = s.domain.top = Border::kOpen;
    s.physics.gravity = {0, 0, 0};
    s.physics.surface_tension = 0;
    s.liquids = {liquid_ball({0.5, 0.5, 0}, 0.35)};
    s.liquids[0].velocity = {0.5, 0, 0};
    Solid ball = free_ball({0.55, 0.5, 0}, 0.15, 1000);
    ball.velocity = {0.5, 0, 0};
    s.solids = {ball};
    ConstraintRun<2> same(s, {});
    ASSERT_TRUE(same.until(1.0));
    EXPECT_NEAR(same.state.rigid[0].velocity[0], 0.5, 1e-3);
    EXPECT_NEAR(same.state.rigid[0].velocity[1], 0, 1e-3);
    EXPECT_NEAR(same.state.rigid[0].position[0], 1.05, 2e-3);

    // At rest in a moving drop: what the body gains the liquid loses.
    s.solids[0].velocity = {0, 0, 0};
    ConstraintRun<2> slow(s, {});
    const auto momentum = [&] {
        return constraint::summary(slow.state, slow.params, slow.world, slow.context).momentum[0];
    };
    const double start = momentum();
    ASSERT_TRUE(slow.until(0.5));
    EXPECT_NEAR(momentum(), start, 0.02 * start);
    EXPECT_GT(slow.state.rigid[0].velocity[0], 0.15);
}

TEST(RigidRun, HeavyBallSinksAndRestsOnTheFloor) {
    Scene s = tank(2, 1.0 / 32, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.4, 1})};
    s.solids = {free_ball({0.5, 0.7, 0}, 0.1, 5000)};
    ConstraintRun<2> run(s, {});
    double lowest = 1;
    ASSERT_TRUE(run.until(1.5, [&] { lowest = std::min(lowest, run.state.rigid[0].position[1]); }));
    EXPECT_GT(lowest, 0.1 - 0.02 / 32);
    EXPECT_NEAR(run.state.rigid[0].position[1], 0.1, 0.02 / 32);
    EXPECT_LT(std::abs(run.state.rigid[0].velocity[1]), 1e-6);
    EXPECT_NEAR(run.state.volume, run.state.target_volume, 0.01 * run.state.target_volume);
}

TEST(RigidRun, BoxesStackOnEachOtherInAir) {
    Scene s = tank(2, 1.0 / 32, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.05, 1})};
    s.solids = {solid_box({0.3, -0.1, -1}, {0.7, 0.2, 1}),
                free_box({0.4, 0.3, -1}, {0.6, 0.4, 1}, 800),
                free_box({0.42, 0.5, -1}, {0.58, 0.6, 1}, 800)};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(1.0));
    EXPECT_NEAR(run.state.rigid[0].position[1], 0.25, 0.005);
    EXPECT_NEAR(run.state.rigid[1].position[1], 0.35, 0.01);
    EXPECT_LT(std::abs(run.state.rigid[0].spin[2]), 0.05);
}

TEST(RigidRun, AngularMomentumOfAFreeBodyIsKept) {
    Solid s = free_box({-0.1, -0.2, -0.4}, {0.1, 0.2, 0.4}, 700);
    s.spin = {1, 3, 0.5};
    const RigidSet<3> set({s}, {});
    auto state = set.start();
    const auto angular = [&] { return times(set.bodies()[0].inertia_at(state[0]), state[0].spin); };
    const Vec<double, 3> before = angular();
    for (int i = 0; i < 1000; ++i) set.drift(state, 1e-3);
    EXPECT_LT(length(angular() - before), 1e-9 * length(before));
    const double q = state[0].turn.w * state[0].turn.w + state[0].turn.x * state[0].turn.x +
                     state[0].turn.y * state[0].turn.y + state[0].turn.z * state[0].turn.z;
    EXPECT_NEAR(q, 1, 1e-12);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "box.h"
#include "run.h"
#include "spume/methods/constraint/substep_geometry.h"
#include "surface/level_sets.h"
#include "viscous_fall.h"

// Solids in the whole method: what they press, what they are made of, how liquid sticks to them.

namespace spume {
namespace {

/// A plunger of this height over water, pressed down for 0.3 s.
bool squeezes(double height, Border top) {
    Scene s = tank(2, 1.0 / 32, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.domain.top = top;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.3, 1})};
    Solid plunger = solid_box({0.3, 0.7, -1}, {0.7, 0.7 + height, 1});
    plunger.motion = Motion::kKeyed;
    plunger.keys = {{0, {0, 0, 0}, {}}, {1, {0, -0.3, 0}, {}}};
    s.solids = {plunger};
    ConstraintRun<2> run(s, {});
    int warned = 0;
    EXPECT_TRUE(run.until(0.3, [&] {
        for (const std::string& line : run.last.warnings)
            if (line.find("moving solids change the air of a closed compartment") == 0) ++warned;
    }));
    return warned > 0;
}

TEST(ConstraintSolids, AWarningWhenTheySqueezeAClosedCompartment) {
    EXPECT_TRUE(squeezes(1.0, Border::kWall)) << "it enters through the lid";
    EXPECT_FALSE(squeezes(0.2, Border::kWall)) << "as much goes as comes";
    EXPECT_FALSE(squeezes(1.0, Border::kOpen)) << "air escapes";
}

/// Air cells inside a wall of two boxes that touch on a plane of the lattice.
int air_cells_in_a_wall(double voxel) {
    Scene s = tank(3, voxel, {});
    s.domain.lower = {-8 * voxel, -8 * voxel, -8 * voxel};
    s.domain.upper = {8 * voxel, 8 * voxel, 8 * voxel};
    s.solids = {solid_box({-6 * voxel, -6 * voxel, -4 * voxel}, {6 * voxel, 1 * voxel, 4 * voxel}),
                solid_box({-6 * voxel, 1 * voxel, -4 * voxel}, {6 * voxel, 5 * voxel, 4 * voxel})};
    s.liquids = {liquid_box({-8 * voxel, -8 * voxel, -8 * voxel}, {8 * voxel, -7 * voxel, 0})};
    ConstraintRun<3> run(s, {});
    const PlacedSolids<3> solids = run.world.solids.at(0.0);
    const auto rebuilt = constraint::rebuild_geometry(run.state, run.params, run.world, solids,
                                                      run.state.velocity, 0, run.context);
    int inside = 0;
    for (int t = 0; t < run.state.grid.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<3>; ++o)
            inside += solids.distance(rebuilt.geometry.phase.position(t, o)) < 0 &&
                      rebuilt.geometry.open.kind.at(t, o) == kFluidCell;
    return inside;
}

TEST(ConstraintSolids, NoSlitsWhereTheyTouch) {
    // Rounding puts corners of the lattice on either side of the plane.
    for (const double voxel : {1.0 / 32, 0.1, 0.027694622, 0.0221556973, 1e-3 / 7, 3.3})
        EXPECT_EQ(air_cells_in_a_wall(voxel), 0) << "voxel " << voxel;
}

/// Fastest motion after a while of water at rest in a cup whose walls, two voxels thick, cut their
/// cells at `offset`; there is air outside. A pocket of air in a corner would be a sink.
template <int D>
double stirred_in_a_cup(double offset) {
    const double h = 1.0 / 32, in = (6 + offset) * h, out = in + 2 * h, deep = D == 2 ? 9 : in;
    Scene s = tank(D, h, {});
    s.domain.lower = {-0.375, -0.25, D == 2 ? 0 : -0.375};
    s.domain.upper = {0.375, 0.5, D == 2 ? 1 : 0.375};
    s.domain.sides = s.domain.top = Border::kOpen;
    s.physics.surface_tension = 0;
    s.solids = {solid_box({-out, -out, -9}, {-in, 0.4, 9}),
                solid_box({in, -out, -9}, {out, 0.4, 9}),
                solid_box({-out, -out, -9}, {out, -in, 9})};
    if (D == 3)
        s.solids.insert(s.solids.end(), {solid_box({-out, -out, -out}, {out, 0.4, -in}),
                                         solid_box({-out, -out, in}, {out, 0.4, out})});
    s.liquids = {liquid_box({-in, -in, -deep}, {in, 0.2, deep})};
    constraint::Params p;
    p.bubbles = constraint::BubbleMode::kOff;
    ConstraintRun<D> run(s, p);
    double fastest = 0;
    EXPECT_TRUE(run.until(0.1, [&] { fastest = std::max(fastest, run.last.max_speed); }));
    return fastest;
}

TEST(ConstraintSolids, NoAirInTheCornersOfThinWalls) {
    // Particles beside walls lay a surface that is not quite level: 0.2 m/s in a corner of 3D.
    for (const double offset : {0.1, 0.3, 0.45, 0.6, 0.85}) {
        EXPECT_LT(stirred_in_a_cup<2>(offset), 0.1) << "2D, cut at " << offset;
        EXPECT_LT(stirred_in_a_cup<3>(offset), 0.3) << "3D, cut at " << offset;
    }
}

/// A plate whose upper side lies on the lattice and ends within a voxel: the corners of the faces
/// there lie on the plate or beyond it, and would leave the last one all open.
template <int D>
double open_beside_an_edge(double part) {
    const double h = 1.0 / 16;
    BubbleBox<D> box({}, Index<D>::filled(16), h);
    const double end = (8 + part) * h;
    box.add(solid_box({-1, 4 * h, -1}, {end, 6 * h, D == 2 ? 1 : end}));
    box.settle([](const Point<D>&) { return -1.0; });
    Index<D> cell = Index<D>::filled(8);
    cell[1] = 6;
    TileCursor<D> cursor(*box.tiles);
    return double(box.open.area.read(1)[cursor(cell)]);
}
TEST(ConstraintSolids, FacesThatAnEdgePassesAreAsOpenAsTheyAre) {
    for (const double part : {0.125, 0.25, 0.5, 0.75}) {
        EXPECT_NEAR(open_beside_an_edge<2>(part), 1 - part, 1e-6) << part;
        EXPECT_NEAR(open_beside_an_edge<3>(part), 1 - part * part, 1e-6) << part;
    }
    EXPECT_NEAR(open_beside_an_edge<2>(0.3), 0.7, 0.07);
    EXPECT_NEAR(open_beside_an_edge<3>(0.3), 0.91, 0.07);
}

TriangleMesh box_mesh(const Vec<double, 3>& size) {
    TriangleMesh m;
    for (int i = 0; i < 8; ++i)
        m.vertices.push_back({(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1],
                              (i & 4 ? 0.5 : -0.5) * size[2]});
    m.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return m;
}

/// Frames of a mesh at 100 a second from 0 s on, its vertices where the motion takes them.
LibraryMesh filmed(const TriangleMesh& mesh, double seconds,
                   const std::function<Vec<double, 3>(const Vec<double, 3>&, double)>& motion) {
    constexpr double kRate = 100;
    std::vector<MeshSequence::Vertices> frames;
    for (int n = 0; n <= int(seconds * kRate); ++n) {
        frames.emplace_back();
        for (const auto& x : mesh.vertices)
            frames.back().push_back(motion(x, n / kRate).as<float>());
    }
    return {std::make_shared<const MeshSequence>(mesh.triangles, std::move(frames)), kRate};
}

enum class Wall { kBox, kMesh, kSequence };

/// A wall sweeps through a pool and turns; its shape is a box, or a mesh of that box, or a sequence
/// of meshes that move as it would.
struct Sweep {
    constraint::Params params;
    Context context{1};
    constraint::World<3> world;
    constraint::State<3> state;

    explicit Sweep(Wall is, bool moves = true) {
        Scene s = tank(3, 1.0 / 20, {1, 0.6, 0.5});
        s.physics.surface_tension = 0;
        s.liquids = {liquid_box({0, 0, 0}, {1, 0.3, 0.5})};
        Solid wall = solid_box({0.22, 0.08, 0.11}, {0.38, 0.47, 0.4});
        Inputs inputs;
        const TriangleMesh mesh = box_mesh(wall.shape.size);
        wall.motion = Motion::kKeyed;
        wall.keys = {{0, {0, 0, 0}, {}}, {0.5, {moves ? 0.4 : 0.0, 0, 0}, {0, 0, 20}}};
        if (is == Wall::kMesh) inputs.meshes["wall.obj"] = std::make_shared<MeshDistance>(mesh);
        if (is == Wall::kSequence) {
            const KeyedMotion keyed({{0, {}, {}}, {0.5, wall.keys[1].position, {0, 0, 20}}});
            inputs.meshes["wall.obj"] = filmed(
                mesh, 0.5, [&](const auto& x, double t) { return keyed.pose(t).to_world(x); });
            wall.motion = Motion::kFixed;
        }
        if (is != Wall::kBox) wall.shape.kind = ShapeKind::kMesh;
        wall.shape.file = "wall.obj";
        s.solids = {wall};
        world = constraint::world_of<3>(s, params, inputs);
        state = constraint::init(world, params, context);
        for (int n = 1; n <= 10; ++n) {
            const auto r = constraint::step(state, params, world, {state.time, n * 0.015}, context);
            EXPECT_FALSE(r.failed) << r.why;
        }
    }
};

/// Distance of each particle from where the other run has it, in voxels, in order.
std::vector<double> apart(const Sweep& a, const Sweep& b) {
    std::map<std::uint64_t, Point<3>> other;
    for (std::size_t i = 0; i < b.state.liquid.size(); ++i)
        other[b.state.liquid.id[i]] = b.state.liquid.position[i];
    std::vector<double> r;
    for (std::size_t i = 0; i < a.state.liquid.size(); ++i) {
        const auto found = other.find(a.state.liquid.id[i]);
        r.push_back(found == other.end() ? 1e9
                                         : length(a.state.liquid.position[i] - found->second) * 20);
    }
    std::sort(r.begin(), r.end());
    return r;
}

TEST(ConstraintSolids, AMeshOfABoxMovesTheLiquidAsTheBoxDoes) {
    const Sweep box(Wall::kBox);
    EXPECT_LT(apart(box, Sweep(Wall::kMesh)).back(), 1e-6);
    EXPECT_GT(apart(box, Sweep(Wall::kMesh, false)).back(), 1e-2) << "the wall moves the liquid";
    const std::vector<double> sequence = apart(box, Sweep(Wall::kSequence));
    // Of a hundred one is moved to fill a cell in the one run and not in the other.
    EXPECT_LT(sequence[sequence.size() * 95 / 100], 5e-3);
}

/// A flag without thickness stands across a tank and waves: no particle changes sides, and the
/// water beside it goes along.
TEST(ConstraintSolids, NothingPassesAFlagThatWaves) {
    Scene s = tank(3, 1.0 / 16, {1, 0.5, 0.5});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0, 0, 0}, {1, 0.25, 0.5})};
    TriangleMesh flag;
    constexpr int kSide = 48;
    for (int i = 0; i <= kSide; ++i)
        for (int j = 0; j <= 1; ++j)
            flag.vertices.push_back({0, 0.7 * j - 0.1, 0.6 * i / kSide - 0.05});
    for (int i = 0; i < kSide; ++i) {
        flag.triangles.push_back({2 * i, 2 * i + 1, 2 * i + 2});
        flag.triangles.push_back({2 * i + 1, 2 * i + 3, 2 * i + 2});
    }
    const auto place = [](double z, double t) {
        return 0.5 + 0.12 * std::sin(6 * t) * std::cos(4 * std::numbers::pi * z);
    };
    Inputs inputs;
    inputs.meshes["flag"] = filmed(flag, 1, [&](const Vec<double, 3>& x, double t) {
        return Vec<double, 3>{place(x[2], t), x[1], x[2]};
    });
    Solid solid;
    solid.shape.kind = ShapeKind::kMesh;
    solid.shape.file = "flag";
    s.solids = {solid};
    const constraint::Params params;
    Context context{1};
    auto world = constraint::world_of<3>(s, params, inputs);
    auto state = constraint::init(world, params, context);
    std::map<std::uint64_t, bool> left;
    for (std::size_t q = 0; q < state.liquid.size(); ++q)
        left[state.liquid.id[q]] = state.liquid.position[q][0] < 0.5;
    /// Velocity across of what is within a voxel of its crests, over the flag's own.
    const auto goes_along = [&] {
        double along = 0, beside = 0;
        for (std::size_t q = 0; q < state.liquid.size(); ++q) {
            const auto& x = state.liquid.position[q];
            const double wave = std::cos(4 * std::numbers::pi * x[2]);
            const double speed = 0.72 * std::cos(6 * state.time) * wave;
            if (std::abs(wave) < 0.8 || std::abs(x[0] - place(x[2], state.time)) > 1.0 / 16)
                continue;
            along += state.liquid.velocity[q][0] * speed, beside += speed * speed;
        }
        return along / beside;
    };
    for (int n = 1; n <= 20; ++n) {
        const auto r = constraint::step(state, params, world, {state.time, n * 0.01}, context);
        ASSERT_FALSE(r.failed) << r.why;
        if (n == 5) {  // waves of number k decay as exp(−k x): (1 − exp(−k h)) / k h
            EXPECT_NEAR(goes_along(), 0.69, 0.15);
        }
    }
    int passed = 0, known = 0;
    for (std::size_t q = 0; q < state.liquid.size(); ++q) {
        const auto was = left.find(state.liquid.id[q]);
        if (was == left.end()) continue;
        ++known;
        const auto& x = state.liquid.position[q];
        const double off = x[0] - place(x[2], state.time);
        // The mesh has chords of the wave, a third of a millimetre off.
        passed += was->second != (off < 0) && std::abs(off) > 1e-3;
    }
    EXPECT_GT(known, int(left.size()) * 9 / 10);
    EXPECT_EQ(passed, 0);
}

/// Largest error, over the largest speed, of a viscous column that falls between two solids.
double column_error(bool no_slip) {
    // As ConstraintLiquid.ViscousColumnBetweenNoSlipWalls, with solids three voxels thick as walls.
    const double w = 0.2, nu = 0.05, h = w / 20, t = 0.1, left = 3 * h;
    Scene s = tank(2, h, {w + 6 * h, 1.6, 1});
    s.physics.viscosity = 1000 * nu;
    s.physics.surface_tension = 0;
    s.domain.bottom = s.domain.top = Border::kOpen;
    s.solids = {solid_box({-1, -1, -1}, {left, 3, 1}), solid_box({left + w, -1, -1}, {2, 3, 1})};
    for (Solid& solid : s.solids) solid.no_slip = no_slip;
    s.liquids = {liquid_box({left, 0.4, -1}, {left + w, 1.5, 1})};
    constraint::Params p;
    p.liquid_correction = false;
    p.min_substeps = 16;
    ConstraintRun<2> run(s, p);
    EXPECT_TRUE(run.until(t));
    const auto exact = [&](double x) { return viscous_fall(x, w, nu, t); };
    double worst = 0;
    for (std::size_t i = 0; i < run.state.liquid.size(); ++i) {
        const double x = run.state.liquid.position[i][0] - left,
                     y = run.state.liquid.position[i][1];
        if (std::abs(y - 0.9) > 0.1 || std::abs(x - w / 2) > w / 2 - h) continue;
        worst = std::max(worst, std::abs(run.state.liquid.velocity[i][1] - exact(x)));
    }
    return worst / std::abs(exact(w / 2));
}

TEST(ConstraintSolids, LiquidSticksToThoseWithoutSlip) {
    const double error = column_error(true), slip = column_error(false);
    RecordProperty("error", std::to_string(error));
    EXPECT_LT(error, 0.05);
    EXPECT_GT(slip, 0.2) << "it falls freely";
}

TEST(ConstraintSolids, MeshOfASplashAroundABallIsWatertight) {
    Scene s = tank(3, 1.0 / 24, {1, 0.75, 0.5});
    s.liquids = {liquid_box({0, 0, -1}, {0.35, 0.5, 1})};
    Solid ball;
    ball.shape.kind = ShapeKind::kSphere;
    ball.shape.center = {0.62, 0.13, 0.26};
    ball.shape.radius = 0.17;
    s.solids = {ball};
    ConstraintRun<3> run(s, {});
    for (const double time : {0.25, 0.4}) {
        ASSERT_TRUE(run.until(time));
        const Frame frame = constraint::view(run.state, run.params, run.world, run.context);
        ASSERT_EQ(frame.meshes.size(), 1u);
        EXPECT_GT(frame.meshes[0].mesh.triangles.size(), 1000u);
        EXPECT_TRUE(is_watertight(frame.meshes[0].mesh)) << time;
        // And it ends where walls and the ball begin.
        double in_ball = 0, beyond = 0;
        for (const Vec<double, 3>& x : frame.meshes[0].mesh.vertices) {
            in_ball = std::max(in_ball, ball.shape.radius - length(x - ball.shape.center));
            for (int a = 0; a < 3; ++a)
                beyond = std::max({beyond, -x[a], x[a] - s.domain.upper[a]});
        }
        EXPECT_LT(in_ball, 0.3 / 24);
        EXPECT_LT(beyond, 0.01 / 24);
    }
}

}  // namespace
}  // namespace spume

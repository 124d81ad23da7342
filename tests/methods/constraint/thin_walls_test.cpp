// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "run.h"

// Walls thinner than a voxel, down to sheets without thickness, hold liquid: none of it is ever on
// the other side.

namespace spume {
namespace {

constexpr double kVoxel = 1.0 / 32;

/// A cup of sheets: floor and sides of this thickness, in voxels, inner faces at ±half and −half;
/// its middle is `centre`, and it is turned by `degrees` about the z axis.
struct Cup {
    int dimensions = 2;
    double thickness = 0, half = 6 * kVoxel, degrees = 0;
    Vec<double, 3> centre{};

    Vec<double, 3> turned(const Vec<double, 3>& x, double way = 1) const {
        const double a = way * degrees * std::numbers::pi / 180;
        return {std::cos(a) * x[0] - std::sin(a) * x[1], std::sin(a) * x[0] + std::cos(a) * x[1],
                x[2]};
    }
    /// From the world to the upright cup around the origin.
    Vec<double, 3> inside(const Vec<double, 3>& x) const { return turned(x - centre, -1); }

    void place(Shape& shape) const {
        shape.center = centre + turned(shape.center);
        shape.rotation = {0, 0, degrees};
    }
    std::vector<Solid> walls() const {
        const double t = thickness * kVoxel, in = half, out = half + t;
        const double deep = dimensions == 2 ? 1 : out;
        std::vector<Solid> r = {solid_box({-out, -out, -deep}, {-in, 2 * in, deep}),
                                solid_box({in, -out, -deep}, {out, 2 * in, deep}),
                                solid_box({-out, -out, -deep}, {out, -in, deep})};
        if (dimensions == 3) {
            r.push_back(solid_box({-out, -out, -out}, {out, 2 * in, -in}));
            r.push_back(solid_box({-out, -out, in}, {out, 2 * in, out}));
        }
        for (Solid& wall : r) {
            for (int a = 0; a < 3; ++a)
                if (thickness == 0 && wall.shape.size[a] < 1e-12) wall.shape.size[a] = 0;
            place(wall.shape);
        }
        return r;
    }
    bool holds(const Vec<double, 3>& world) const {
        const Vec<double, 3> x = inside(world);
        return std::abs(x[0]) < half && x[1] > -half && (dimensions == 2 || std::abs(x[2]) < half);
    }
};

struct Held {
    double lost = 1;         ///< part of the particles that is outside
    double volume = 0;       ///< over the volume at the start
    double fastest = 1e9;    ///< in the second half of the time
    double wet_outside = 1;  ///< liquid cells outside over all of them
};

/// Water that fills the lower part of the cup, for a second.
template <int D>
Held held_by(const Cup& cup, double end = 1.0) {
    Scene s = tank(D, kVoxel, {});
    const double side = 12 * kVoxel;
    s.domain.lower = {-side, -side, D == 2 ? 0 : -side};
    s.domain.upper = {side, side, D == 2 ? 1 : side};
    s.domain.top = Border::kOpen;
    s.physics.surface_tension = 0;
    s.solids = cup.walls();
    const double deep = D == 2 ? 1 : cup.half;
    s.liquids = {liquid_box({-cup.half, -cup.half, -deep}, {cup.half, 0.5 * cup.half, deep})};
    cup.place(s.liquids[0].shape);
    ConstraintRun<D> run(s, {});
    const double before = run.state.volume;
    Held r;
    double fastest = 0;
    if (!run.until(end, [&] {
            if (run.state.time > end / 2) fastest = std::max(fastest, run.last.max_speed);
        }))
        return r;
    double outside = 0;
    for (std::size_t i = 0; i < run.state.liquid.size(); ++i)
        outside += !cup.holds(lifted(run.state.liquid.position[i]));
    r.lost = outside / double(run.state.liquid.size());
    r.volume = run.state.volume / before;
    r.fastest = fastest;
    double wet = 0, wet_outside = 0;
    for (int t = 0; t < run.state.grid.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!(run.state.phi.at(t, o) < 0)) continue;
            const Vec<double, 3> x = cup.inside(lifted(run.state.phi.position(t, o)));
            const double away = cup.half + cup.thickness * kVoxel;
            ++wet;
            wet_outside +=
                std::abs(x[0]) > away || x[1] < -away || (D == 3 && std::abs(x[2]) > away);
        }
    r.wet_outside = wet_outside / wet;
    return r;
}

void expect_held(const Held& r, const std::string& what) {
    EXPECT_LT(r.lost, 1e-3) << what;
    EXPECT_NEAR(r.volume, 1, 1e-3) << what;
    EXPECT_LT(r.wet_outside, 1e-3) << what;
    EXPECT_LT(r.fastest, 0.6) << what;  // single particles between the wall and its faces
}

TEST(ThinWalls, ACupHoldsWaterWhereverItLiesOnTheLattice) {
    for (const double thickness : {0.8, 0.5, 0.2, 0.0})
        for (const double offset : {0.0, 0.1, 0.35, 0.5, 0.8}) {
            Cup cup{.thickness = thickness};
            cup.centre = {offset * kVoxel, 0.7 * offset * kVoxel, 0.5};
            expect_held(held_by<2>(cup), fmt::format("{} voxels thick, at {}", thickness, offset));
        }
}

TEST(ThinWalls, ATiltedCupHoldsWater) {
    for (const double thickness : {1.2, 0.8, 0.5, 0.2, 0.0})
        for (const double degrees : {10.0, 30.0, -45.0}) {
            Cup cup{.thickness = thickness, .degrees = degrees};
            cup.centre = {0.013 * degrees * kVoxel, 0.3 * kVoxel, 0.5};
            Held r = held_by<2>(cup);
            r.fastest = 0;  // it sways
            expect_held(r, fmt::format("{} voxels thick, turned by {}", thickness, degrees));
        }
}

TEST(ThinWalls, ACupIn3DHoldsWater) {
    for (const double thickness : {0.8, 0.2, 0.0})
        for (const double degrees : {0.0, 30.0}) {
            Cup cup{
                .dimensions = 3, .thickness = thickness, .half = 4 * kVoxel, .degrees = degrees};
            cup.centre = {0.35 * kVoxel, 0.1 * kVoxel, 0.5 * kVoxel};
            Held r = held_by<3>(cup, 0.5);
            if (degrees != 0) r.fastest = 0;
            expect_held(r, fmt::format("{} voxels thick, turned by {}", thickness, degrees));
        }
}

/// Part of the water on the wrong side of a paddle that moves towards it; no water behind.
double passed(double thickness, double degrees, double speed) {
    Scene s = tank(2, kVoxel, {1, 0.75, 1});
    s.domain.top = Border::kOpen;
    s.physics.surface_tension = 0;
    Solid paddle = solid_box({-thickness * kVoxel / 2, -2, -1}, {thickness * kVoxel / 2, 2, 1});
    paddle.shape.center = {0.31, 0, 0};
    paddle.shape.rotation = {0, 0, degrees};
    paddle.motion = Motion::kKeyed;
    paddle.keys = {{0, {0, 0, 0}, {}}, {1, {speed, 0, 0}, {}}};
    s.solids = {paddle};
    s.liquids = {liquid_box({0.05, 0, -1}, {1, 0.25, 1})};
    // Nothing behind the paddle.
    LiquidBody dry = liquid_box({-4, -4, -1}, {0, 4, 1}, LiquidMode::kHollow);
    dry.shape.rotation = {0, 0, degrees};
    const double a = degrees * std::numbers::pi / 180;
    dry.shape.center = {0.31 - 2 * std::cos(a), -2 * std::sin(a), 0};
    s.liquids.push_back(dry);
    ConstraintRun<2> run(s, {});
    if (!run.until(0.6)) return 1;
    double behind = 0;
    for (std::size_t i = 0; i < run.state.liquid.size(); ++i) {
        const Point<2>& x = run.state.liquid.position[i];
        const double at = 0.31 + speed * run.state.time;
        behind += (x[0] - at) * std::cos(a) + x[1] * std::sin(a) < 0;
    }
    return behind / double(run.state.liquid.size());
}

TEST(ThinWalls, APaddlePushesTheWaterBeforeIt) {
    for (const double thickness : {0.5, 0.1, 0.0})
        for (const double degrees : {0.0, 20.0})
            for (const double speed : {0.2, 0.5})
                EXPECT_LT(passed(thickness, degrees, speed), 1e-3)
                    << thickness << " voxels, turned by " << degrees << ", " << speed << " m/s";
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "box.h"
#include "run.h"
#include "spume/core/math.h"
#include "spume/core/random.h"

// Liquid at rest stays at rest wherever its surface lies among the cell centres: on them, a
// rounding error beside them, or anywhere between.

namespace spume {
namespace {

constexpr double kGravity = 9.81;

/// Where levels are tried, in voxels above the lower face of a cell: sixteenths, and all sides of
/// its centre.
std::vector<double> places_in_a_voxel() {
    std::vector<double> r;
    for (int k = 0; k < 16; ++k) r.push_back(k / 16.0);
    for (const double off : {1e-12, 1e-10, 2e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2})
        r.push_back(0.5 + off), r.push_back(0.5 - off);
    return r;
}

/// One projection under a plane surface across gravity: the pressure of every liquid cell is ρ g
/// times its depth and nothing moves, however near the plane comes to a centre.
template <int D>
void expect_hydrostatic(const Vec<double, D>& up, int cells, double noise = 0) {
    const Vec<double, D> n = up / length(up);
    for (const double place : places_in_a_voxel()) {
        const double h = 1.0 / cells;
        BubbleBox<D> box({}, Index<D>::filled(cells), h);
        const Point<D> centre = Point<D>::filled((cells / 2 + 0.5) * h);
        const double offset = (place - 0.5) * h;
        std::uint64_t count = 0;
        const auto depth = [&](const Point<D>& x) { return offset - dot(x - centre, n); };
        box.settle([&](const Point<D>& x) {
            const Random random(7, count++, 0, Purpose::kTest);
            return -depth(x) + noise * h * (random.uniform(0) - 0.5);
        });
        box.fall(n * -kGravity);
        // A bump of the surface is a slope, down which gravity acts for the substep.
        EXPECT_LT(box.fastest(), (1e-9 + 4 * noise) * kGravity * box.forces.dt) << place;
        for (int t = 0; t < box.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                if (box.phase.at(t, o) == kLiquidPhase) {
                    ASSERT_NEAR(box.pressure.at(t, o),
                                1000 * kGravity * depth(box.phi.position(t, o)),
                                1000 * kGravity * h * (1e-9 + 4 * noise))
                        << place;
                }
    }
}
TEST(ConstraintRest, PressureIsHydrostaticAtAnyLevel) {
    expect_hydrostatic<2>({0, 1}, 16);
    expect_hydrostatic<3>({0, 1, 0}, 8);
}
TEST(ConstraintRest, PressureIsHydrostaticUnderTiltedGravity) {
    expect_hydrostatic<2>({1, 1}, 16);
    expect_hydrostatic<2>({-1, 2}, 16);
    expect_hydrostatic<2>({0.1, 1}, 16);
    expect_hydrostatic<3>({1, 1, 1}, 8);
    expect_hydrostatic<3>({0.2, 1, -0.6}, 8);
}
TEST(ConstraintRest, RoundingOfTheLevelSetMovesNothing) {
    expect_hydrostatic<2>({0, 1}, 16, 1e-10);
    expect_hydrostatic<3>({0, 1, 0}, 8, 1e-10);
    expect_hydrostatic<2>({1, 1}, 16, 1e-10);
}

template <int D>
void expect_rest(const Scene& scene, double end, double place) {
    ConstraintRun<D> run(scene, {});
    ASSERT_TRUE(run.until(end));
    EXPECT_LT(run.fastest, 1e-3 * std::sqrt(kGravity * scene.domain.upper[1])) << place;
}

template <int D>
Scene pool(int cells, double level) {
    Scene s = tank(D, 1.0 / cells, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({-1, -1, -1}, {2, level / cells, 2})};
    return s;
}
TEST(ConstraintRest, StillWaterAtAnyLevel2D) {
    for (const double place : places_in_a_voxel())
        for (const int below : {1, 8}) expect_rest<2>(pool<2>(24, below + place), 0.5, place);
    Scene s = pool<2>(24, 8.5);
    s.physics.surface_tension = 0.072;
    expect_rest<2>(s, 0.5, 0.5);
}
TEST(ConstraintRest, StillWaterAtAnyLevel3D) {
    for (const double off : {0.0, 1e-12, -1e-12, 2e-9, -2e-9, 1e-5, 0.25})
        expect_rest<3>(pool<3>(12, 4.5 + off), 0.3, 0.5 + off);
}

/// In long frames too: longer substeps than the shortest waves stand let still water boil.
TEST(ConstraintRest, StillWaterInLongFrames) {
    for (const double place : {0.25, 0.501, 0.51, 0.53, 0.75}) {
        Scene plane = pool<2>(24, 8 + place), space = pool<3>(12, 4 + place);
        plane.time.fps = space.time.fps = 1;
        expect_rest<2>(plane, 6, place);
        expect_rest<3>(space, 2, place);
    }
}

/// Walls, floors and blocks whose sides pass through cell centres, with the level on others.
TEST(ConstraintRest, StillWaterBesideWallsOnHalfVoxels) {
    const double h = 1.0 / 24;
    const auto box = [&](double x0, double y0, double x1, double y1) {
        return solid_box({x0 * h, y0 * h, -1}, {x1 * h, y1 * h, 1});
    };
    for (const double level : {8.0, 8.25, 8.5, 8.5 + 1e-9, 8.5 - 1e-9}) {
        Scene s = pool<2>(24, level);
        s.solids = {box(-9, -9, 3.5, 40), box(19.5, -9, 40, 40), box(-9, -9, 40, 2.5)};
        expect_rest<2>(s, 0.4, level);
        s.solids = {box(8.5, -9, 14.5, 4.5)};  // on the floor
        expect_rest<2>(s, 0.4, level);
        s.solids = {box(8.5, 5.5, 14.5, 12.5)};  // across the surface
        expect_rest<2>(s, 0.4, level);
    }
}

/// Where walls cut cells, counts of particles there say little: what corrects them must not move
/// the surface.
TEST(ConstraintRest, StillWaterBesideWallsAnywhereInAVoxel) {
    const double h = 1.0 / 24;
    const auto box = [&](double x0, double y0, double x1, double y1) {
        return solid_box({x0 * h, y0 * h, -1}, {x1 * h, y1 * h, 1});
    };
    for (const double part : {0.1, 0.25, 0.6, 0.75, 0.9})
        for (const double level : {8.0, 8.75}) {
            Scene s = pool<2>(24, level);
            s.solids = {box(-9, -9, 3 + part, 40), box(20 - part, -9, 40, 40)};
            expect_rest<2>(s, 0.4, part);
            s.solids = {box(-9, -9, 40, 2 + part)};
            expect_rest<2>(s, 0.4, part);
            s.solids = {box(8 + part, -9, 15 - part, 4 + part)};  // on the floor
            expect_rest<2>(s, 0.4, part);
            s.solids = {box(8 + part, 5 + part, 15 - part, 12 + part)};  // across the surface
            expect_rest<2>(s, 0.4, part);
        }
}

/// A block on the floor that the water covers by less than a voxel: a film is no drop that falls.
void expect_rest_of_film(int cells, double block, double film) {
    const double h = 1.0 / cells;
    Scene s = pool<2>(cells, block + film);
    s.solids = {solid_box({0.3, -1, -1}, {0.72, block * h, 1})};
    expect_rest<2>(s, 0.6, block + film);
}
TEST(ConstraintRest, FilmsOnASubmergedBlock) {
    // Particles of 0.1 voxels on a block whose top is at 0.9 of its voxel stand 0.3 higher than the
    // film is: 4e-3 √(gL), which is missed.
    for (const double film : {0.1, 0.25, 0.4, 0.5, 0.6})
        for (const double top : {8.0, 8.25, 8.5, 8.6, 8.9})
            if (film > 0.1 || top < 8.9) expect_rest_of_film(32, top, film);
}

/// Water under a gravity that leans, its surface across it.
TEST(ConstraintRest, StillWaterUnderTiltedGravity) {
    const std::pair<double, int> cases[] = {
        {5, 24}, {26.565051177077994, 24}, {45, 24}, {26.565051177077994, 32}, {70, 24}, {90, 24}};
    for (const auto& [degrees, cells] : cases)
        for (const double place : {0.0, 0.01, 0.25, 0.5, 0.5 + 1e-9}) {
            Scene s = tank(2, 1.0 / cells, {1, 1, 1});
            s.physics.surface_tension = 0;
            const double angle = degrees * math::kPi / 180;
            const Vec<double, 3> up{-math::sin(angle), math::cos(angle), 0};
            s.physics.gravity = up * -kGravity;
            LiquidBody l = liquid_box({-3, -3, -3}, {3, 3, 3});
            const double middle = 0.5 + 0.5 / cells;
            l.shape.center = Vec<double, 3>{middle, middle, 0} + up * (place / cells - 3);
            l.shape.rotation = {0, 0, degrees};
            s.liquids = {l};
            expect_rest<2>(s, 0.4, degrees + place);
        }
}

/// Nothing pushes: nothing moves, whatever the centres of cells the surface passes through.
TEST(ConstraintRest, DropsWithoutGravity) {
    for (const double centre : {12.0, 12.5, 12.3})
        for (const double radius : {6.0, 6.5}) {
            Scene s = tank(2, 1.0 / 24, {1, 1, 1});
            s.physics.surface_tension = 0;
            s.physics.gravity = {};
            const double c = centre / 24, r = radius / 24;
            s.liquids = {liquid_ball({c, c, 0}, r)};
            expect_rest<2>(s, 0.4, centre);
            s.liquids = {liquid_box({c - r, c - r, -1}, {c + r, c + r, 1})};
            expect_rest<2>(s, 0.4, centre);
        }
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "box.h"
#include "run.h"
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

}  // namespace
}  // namespace spume

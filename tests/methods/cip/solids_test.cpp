// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "cip_run.h"
#include "spume/core/math.h"
#include "spume/methods/cip/fragments.h"

namespace spume {
namespace {

using cip::kBubble;

/// Pressure has no value in solids and any constant beside them: buoyancy near a wall is that of
/// the open water, and nothing pushes towards the wall or away from it.
template <int D>
void beside_a_wall() {
    const double h = 1.0 / 16, radius = 0.3 * h, dt = 1e-6;
    Scene scene = cip_box(D, h, {1, 1, 1});
    scene.liquids = {water_box({-1, -1, -1}, {2, 2, 2})};
    Solid wall;
    wall.shape = water_box({0.5, -1, -1}, {2, 2, 2}).shape;
    scene.solids = {wall};
    cip::Params p;
    CipRun<D> run(scene, p);
    const double volume =
        D == 2 ? math::kPi * radius * radius : 4.0 / 3 * math::kPi * radius * radius * radius;
    Point<D> place = Point<D>::filled(0.5);
    place[0] -= 0.4 * h;
    run.add_fragment(kBubble, place, {}, volume);
    const auto phases = cip::phases_of(run.state.phi, run.world, p, run.context);
    const auto solids =
        cip::solid_geometry(run.world, run.world.solids_at(0, run.state.rigid), run.context);
    auto pressure = run.state.pressure.write();
    const auto& shape = run.state.pressure.shape;
    for (std::size_t row = 0; row < shape.rows(); ++row) {
        Index<D> i = shape.row(row);
        for (; i[D - 1] < 16; ++i[D - 1])
            pressure[shape.at(i)] =
                solids.dense.kind.at(i) == kFluidCell ? 3e4 - 1000 * 9.81 * i[1] * h : 0;
    }
    cip::move_fragments(run.state, phases, run.world, p, solids, dt, run.context);
    const double lift = 999.0 / (1 + p.added_mass * 1000) * 9.81;
    EXPECT_NEAR(run.state.fragments.velocity[0][1], lift * dt, 1e-3 * lift * dt);
    EXPECT_NEAR(run.state.fragments.velocity[0][0], 0, 1e-3 * lift * dt);
}

TEST(CipFragments, BuoyancyBesideAWallIsThatOfTheOpenWater) {
    beside_a_wall<2>();
    beside_a_wall<3>();
}

/// What flows through next to nothing of a face has no speed of its own.
TEST(CipSolids, CrevicesFlowAsWhatIsAround) {
    const double h = 1.0 / 16;
    Scene scene = cip_box(2, h, {1, 1, 1});
    Solid below, above;
    below.shape = water_box({0.3, -1, -1}, {2, 0.5 - 0.02 * h, 2}).shape;
    above.shape = water_box({0.3, 0.5 + 0.02 * h, -1}, {2, 2, 2}).shape;
    scene.solids = {below, above};
    CipRun<2> run(scene, {});
    const auto solids =
        cip::solid_geometry(run.world, run.world.solids_at(0, run.state.rigid), run.context);
    const Index<2> slit{8, 7};
    ASSERT_NEAR(solids.dense.area[0].at(slit), 0.02, 1e-6);
    run.state.velocity[0].f.values.fill(0.5);
    run.state.velocity[0].f.values.write()[run.state.velocity[0].f.shape.at(slit)] = 400;
    cip::continue_into_solids(run.state, run.world, solids, run.context);
    EXPECT_LT(run.state.velocity[0].f.at(slit), 1);
}

/// What is taken beside a solid is what the grid loses, whose cells it fills in part.
TEST(CipFragments, VolumesBesideSolids) {
    const double h = 1.0 / 32;
    Scene scene = cip_box(2, h, {1, 1, 1});
    Solid block;
    block.shape.kind = ShapeKind::kBox;
    block.shape.center = {0.5, 0.25, 0};
    block.shape.size = {0.5, 0.51, 1};
    scene.solids = {block};
    cip::Params p;
    p.most_pieces = 1;
    CipRun<2> run(scene, p);
    const Point<2> middle{16.5 * h, 16.3 * h};
    run.set_surface([&](const Point<2>& x) { return length(x - middle) - 0.7 * h; });
    const cip::SolidGeometry<2> solids =
        cip::solid_geometry(run.world, run.world.solids_at(0, run.state.rigid), run.context);
    const double before = cip::water_size(run.state.phi, solids.dense, 1.5, run.context).volume;
    cip::find_fragments(run.state, solids.dense, run.world, p, run.context);
    ASSERT_EQ(run.state.fragments.size(), 1u);
    const double after = cip::water_size(run.state.phi, solids.dense, 1.5, run.context).volume;
    EXPECT_NEAR(run.state.fragments.volume[0], (before - after) * h * h, 1e-9 * h * h);
}

}  // namespace
}  // namespace spume

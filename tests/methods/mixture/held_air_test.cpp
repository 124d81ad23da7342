// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "spume/methods/mixture/method.h"
#include "spume/run/session.h"

namespace spume::mixture {
namespace {

double mean_height(Simulation& simulation) {
    const auto points = simulation.view().points.at(0).position;
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) sum += points[i][1];
    return sum / double(points.size());
}

TEST(HeldAir, StaysInAFullCupThatOpensDownwards) {
    // Under hydrostatic pressure a full inverted cup is at rest. Air beside the solid must feel the
    // pressure that holds it, not the buoyancy of water that is not there.
    Scene scene;
    scene.domain.lower = {-0.36, 0.1, -0.36};
    scene.domain.upper = {0.36, 1.06, 0.36};
    scene.domain.voxel = 0.04;
    scene.physics.water_density = 10;
    scene.time.fps = 48;
    Solid cup;
    cup.shape.kind = ShapeKind::kCylinder;
    cup.shape.center = {0, 0.6, 0};
    cup.shape.radius = 0.24;
    cup.shape.height = 0.6;
    cup.shape.shell = 0.06;
    cup.shape.open_top = true;
    cup.shape.rotation = {180, 0, 0};
    scene.solids = {cup};
    Emitter air;
    air.shape.kind = ShapeKind::kCylinder;
    air.shape.center = {0, 0.57, 0};
    air.shape.radius = 0.2;
    air.shape.height = 0.54;
    air.mode = EmitMode::kSeed;
    air.spacing = 0.02;
    air.law = RadiusLaw::kMarker;
    scene.emitters = {air};
    mixture::Params params;
    params.scheme = Scheme::kStabilized;
    Context context(2);
    const auto simulation = start_session(scene, {mixture::entry(), params}, {}, context);
    simulation->advance_frame(1);
    const double before = mean_height(*simulation);
    for (int frame = 2; frame <= 7; ++frame) simulation->advance_frame(frame);
    EXPECT_NEAR(mean_height(*simulation), before, 0.25 * 0.04) << "a quarter of a voxel";
}

}  // namespace
}  // namespace spume::mixture

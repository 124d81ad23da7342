// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "methods/guided/guided_run.h"

namespace spume {
namespace {

guided::Params exact() {
    guided::Params p;
    p.pressure_tolerance = 1e-12;
    return p;
}

/// Water without bubbles on dense tiles, in a ball of water that turns.
template <int D>
Scene turning(double voxel) {
    Scene s = over_bulk(D, voxel, {0.32, 0.32, 0.32}, BulkKind::kAnalytic);
    s.domain.dense = true;
    s.bulk.flow = BulkFlow::kRotation;
    s.bulk.center = s.bulk.pivot = {0.16, 0.16, 0.16};
    s.bulk.radius = 10;
    s.bulk.spin = 3;
    return s;
}

// A flow that is the bulk's stays the bulk's: what advection does wrong is not seen, and a rotation
// has no divergence on the grid either.
template <int D>
void follows(guided::Border border) {
    guided::Params p = exact();
    p.border = border;
    GuidedRun<D> run(turning<D>(0.02), p);
    ASSERT_TRUE(run.until(0.5));
    EXPECT_GT(run.steps, 10);
    EXPECT_LE(run.deviation(), 1e-11 * 3 * 0.32);
}
TEST(GuidedFollow, RotationToTheSolversTolerance2D) {
    for (auto b : {guided::Border::kMixed, guided::Border::kPressure, guided::Border::kVelocity})
        follows<2>(b);
}
TEST(GuidedFollow, RotationToTheSolversTolerance3D) { follows<3>(guided::Border::kMixed); }

// A flow from elsewhere is pushed out by what the bulk brings in at the borders, and is gone once
// the stream has crossed the box.
TEST(GuidedFollow, AStreamBringsInTheBulk) {
    Scene s = over_bulk(2, 0.01, {0.32, 0.32, 0}, BulkKind::kAnalytic);
    s.domain.dense = true;
    s.bulk.velocity = {1, 0, 0};
    GuidedRun<2> run(s, exact());
    for (double& u : run.state.water.component(1).write()) u += 0.3;
    for (int n = 1; n <= 3; ++n) ASSERT_TRUE(run.until(0.05 * n));
    EXPECT_GT(run.deviation(), 0.05);
    ASSERT_TRUE(run.until(1));
    EXPECT_LE(run.deviation(), 1e-3);
}

/// Largest difference from the bulk, over the bulk's speed, in a standing wave whose surface lies
/// in the box.
double wave_error(int cells, int ratio) {
    Scene s = over_bulk(2, 0.64 / cells, {0.64, 0.64, 0}, BulkKind::kAnalytic);
    s.domain.dense = true;
    s.domain.bottom = Border::kWall;
    s.bulk.flow = BulkFlow::kStandingWave;
    s.bulk.voxel = s.domain.voxel / ratio;
    s.bulk.level = 0.4;
    s.bulk.depth = 0.4;
    s.bulk.amplitude = 0.01;
    s.bulk.wavelength = 1.28;
    GuidedRun<2> run(s, exact());
    EXPECT_TRUE(run.until(0.3));
    const double omega = std::sqrt(9.81 * (2 * M_PI / 1.28) * std::tanh(2 * M_PI / 1.28 * 0.4));
    return run.deviation() / (0.01 * omega);
}
// Here the bulk's velocity, taken at the middles of faces, has a divergence of second order.
TEST(GuidedFollow, StandingWaveWithItsOrder) {
    for (int ratio : {1, 2}) {
        const double coarse = wave_error(32, ratio), fine = wave_error(64, ratio);
        std::printf("ratio %d: off by %.2e of the wave's speed, %.2e at half the voxel\n", ratio,
                    coarse, fine);
        EXPECT_LE(coarse, 0.02);
        EXPECT_GE(std::log2(coarse / fine), 1.5);
    }
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "methods/mixture/tension_ball.h"

namespace spume::mixture {
namespace {

constexpr double kSigma = 0.072;

/// Relative error of the pressure jump against 2σ/R (2D: σ/R), one substep from rest.
template <int D>
double jump_error(Scheme scheme, double voxels_a_radius, double air) {
    const int cells = int(std::ceil(3 * voxels_a_radius));
    TensionBall<D> ball(cells, voxels_a_radius, 1e-3, kSigma, air, 1000);
    ball.box.coupling.scheme = scheme;
    ball.box.options.tolerance = 1e-8;
    ball.pull();
    ball.box.substep(3, true);
    return ball.jump() / ((D - 1) * kSigma / ball.radius()) - 1;
}

TEST(StaticBubble, PressureJumpOfLaplace2D) {
    for (Scheme scheme : {Scheme::kImplicitDrag, Scheme::kStabilized}) {
        const double error = jump_error<2>(scheme, 12, 1);
        std::printf("2D, 12 voxels a radius: jump %+.2f %%\n", 100 * error);
        EXPECT_LE(std::abs(error), 0.05);
    }
}

TEST(StaticBubble, PressureJumpOfLaplace3D) {
    for (Scheme scheme : {Scheme::kImplicitDrag, Scheme::kStabilized}) {
        const double error = jump_error<3>(scheme, 12, 1);
        std::printf("3D, 12 voxels a radius: jump %+.2f %%\n", 100 * error);
        EXPECT_LE(std::abs(error), 0.05);
    }
}

/// Fastest motion over √(σ/ρR) after five substeps with the exact curvature of the ball everywhere.
template <int D>
double motion_at_exact_curvature(Scheme scheme, bool on_faces) {
    TensionBall<D> ball(32, 8, 1e-3, kSigma, 1, 1000);
    ball.box.coupling.scheme = scheme;
    ball.law.on_faces = on_faces;
    ball.pull((D - 1) / ball.radius());
    for (int n = 0; n < 5; ++n) ball.box.substep(2);
    return ball.fastest() / std::sqrt(kSigma / (1000 * ball.radius()));
}

// [WSB25] §5.5: with the same curvature everywhere f^σ is the gradient of σκφ, so that pressure can
// balance it to the tolerance of the solver, if the projection is shown that force.
TEST(StaticBubble, ExactCurvatureIsBalanced) {
    for (Scheme scheme : {Scheme::kImplicitDrag, Scheme::kStabilized}) {
        const double flat = motion_at_exact_curvature<2>(scheme, true);
        const double space = motion_at_exact_curvature<3>(scheme, true);
        std::printf("exact curvature: 2D %.1e, 3D %.1e\n", flat, space);
        EXPECT_LE(flat, 1e-9);
        EXPECT_LE(space, 1e-9);
    }
}

TEST(StaticBubble, WithoutForceOnFacesItIsNot) {
    const double motion = motion_at_exact_curvature<3>(Scheme::kStabilized, false);
    std::printf("exact curvature without Eq. 51: %.1e\n", motion);
    EXPECT_GE(motion, 1e-3);
}

}  // namespace
}  // namespace spume::mixture

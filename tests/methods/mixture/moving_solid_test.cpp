// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "methods/mixture/mixture_box.h"
#include "spume/physics/domain/solid_set.h"

namespace spume::mixture {
namespace {

// A ball pushed through a closed tank: what it displaces must come back past it. Through each plane
// of faces the open flux and the ball's own cut cancel, and the least energy flow around it carries
// the added mass of a sphere in a box.
TEST(MovingSolid, WaterFlowsAroundAPushedBall) {
    const int n = 32;
    MixtureBox<3> box({n, n, n}, 1.0 / n, true);
    box.coupling.gravity = {};
    box.coupling.dt = 0.01;
    box.settle();
    Solid ball;
    ball.motion = Motion::kKeyed;
    ball.shape.kind = ShapeKind::kSphere;
    ball.shape.center = {0.5, 0.5, 0.5};
    ball.shape.radius = 0.2;
    ball.keys = {{0, {-0.5, 0, 0}, {}}, {1, {0.5, 0, 0}, {}}};
    const PlacedSolids<3> bodies = SolidSet<3>({ball}, {}).at(0.5);  // at the centre, at full speed
    const double speed = bodies.placed[0].velocity({0.5, 0.5, 0.5})[0];
    EXPECT_NEAR(speed, 1.5, 1e-9);  // a cubic with flat ends
    box.open = cut_cells(bodies, box.domain, box.tiles, box.context);
    box.substep(1, true);
    EXPECT_LE(box.divergence, 1e-10);

    const double h = box.domain.voxel();
    double energy = 0;
    for (int i = 1; i < n; ++i) {
        double flux = 0, own = 0;
        for (int t = 0; t < box.tiles->active(); ++t)
            for (int o = 0; o < 512; ++o) {
                if ((box.tiles->origin(t) + tile_local<3>(o))[0] != i) continue;
                const double area = box.open.area.at(0, t, o);
                flux +=
                    (area * box.water.at(0, t, o) + (1 - area) * box.open.velocity.at(0, t, o)) *
                    h * h;
                own += (1 - area) * box.open.velocity.at(0, t, o) * h * h;
            }
        EXPECT_NEAR(flux, 0, 1e-11) << "plane " << i;
        if (i == n / 2) {
            EXPECT_NEAR(own, speed * 0.04 * 3.14159265, 0.03 * own);
        }
    }
    // Half the displaced mass in open water; a box of side 5 R adds about 6.5 % of the ball's
    // volume share. Held to a few per cent.
    for (int a = 0; a < 3; ++a)
        for (int t = 0; t < box.tiles->active(); ++t)
            for (int o = 0; o < 512; ++o)
                energy += 0.5 * 1000 * box.open.area.at(a, t, o) * h * h * h *
                          box.water.at(a, t, o) * box.water.at(a, t, o);
    const double displaced = 1000 * 4.0 / 3 * 3.14159265 * 0.008;
    const double added = energy / (0.5 * speed * speed) / displaced;
    EXPECT_GT(added, 0.5);
    EXPECT_LT(added, 0.62);
}

}  // namespace
}  // namespace spume::mixture

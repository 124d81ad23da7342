// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "methods/mixture/mixture_box.h"
#include "spume/core/random.h"

namespace spume::mixture {
namespace {

// Two fluids of one density, moving through each other nowhere: with drag that is not linear, only
// a scheme whose fixed point is the mixture equations keeps them at rest ([WSB25] §4.2).
template <int D>
double speed_after(Scheme scheme, double density) {
    MixtureBox<D> box(Index<D>::filled(D == 2 ? 32 : 16), 0.01, true);
    box.coupling.scheme = scheme;
    box.coupling.dt = 1.0 / 48;
    box.coupling.max_fraction = 0.7;
    for (std::uint64_t i = 0; i < 400; ++i) {
        const Random random(5, i, 0, Purpose::kTest);
        Point<D> x = random.uniform_vec<D>(0) * (0.01 * box.domain.cells.hi[0]);
        box.add(x, 0.5e-3 + 2e-3 * random.uniform(9), density);
    }
    box.settle();
    double speed = 0;
    for (int n = 0; n < 5; ++n) {
        box.substep(3, true);
        for (const auto& v : box.bubbles.velocity) speed = std::max(speed, length(v));
    }
    return std::max(speed, box.max_water_speed());
}

TEST(MixtureRest, EqualDensitiesStayAtRest2D) {
    EXPECT_LE(speed_after<2>(Scheme::kStabilized, 1000), 1e-12);
}
TEST(MixtureRest, EqualDensitiesStayAtRest3D) {
    EXPECT_LE(speed_after<3>(Scheme::kStabilized, 1000), 1e-12);
    EXPECT_LE(speed_after<3>(Scheme::kImplicitDrag, 1000), 1e-12);
}
TEST(MixtureRest, GuidedSchemesStayAtRest) {
    EXPECT_LE(speed_after<3>(Scheme::kGuidedAware, 1000), 1e-12);
    EXPECT_LE(speed_after<3>(Scheme::kGuidedUnaware, 1000), 1e-12);
}

// Drag resists at once, also at zero slip. The printed Eq. 23 and Eqs. 15–20 then set the weight of
// the water against another inertia than its pressure, and start to move.
TEST(MixtureRest, PrintedAndOlderSchemesDoNotHoldRest) {
    const double printed = speed_after<3>(Scheme::kStabilizedPrinted, 1000);
    const double older = speed_after<3>(Scheme::kInertiaAware, 1000);
    std::printf("speed out of rest: printed Eq. 23 %.2e m/s, Eqs. 15-20 %.2e m/s\n", printed,
                older);
    EXPECT_GE(printed, 1e-4);
    EXPECT_GE(older, 1e-4);
}

// A pool of still water at 1000:1 whose light layer ends on a plane of faces.
TEST(MixtureRest, PureWaterStaysAtRest) {
    MixtureBox<3> box({16, 24, 16}, 0.01, true);
    box.coupling.dt = 0.01;
    box.settle();
    for (int n = 0; n < 10; ++n) box.substep(2, true);
    EXPECT_LE(box.max_water_speed(), 1e-10 * 9.81 * box.coupling.dt);
}

}  // namespace
}  // namespace spume::mixture

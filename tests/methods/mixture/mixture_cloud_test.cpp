// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "methods/mixture/locked_cloud.h"

namespace spume::mixture {
namespace {

template <int D>
LockedResult compared(const char* name, const LockedCloud& c, double expected) {
    const LockedResult r = released<D>(c);
    std::printf("locked cloud, %dD %s, R/h %g: all bubbles %+.2f %%, core %+.2f %%\n", D, name,
                c.cells, 100 * (r.all / expected - 1), 100 * (r.core / expected - 1));
    EXPECT_LE(r.change, 1e-6) << "the Newton loop has not converged";
    EXPECT_NEAR(r.all / expected, 1, 0.05);
    EXPECT_NEAR(r.core / expected, 1, 0.02);
    return r;
}

TEST(LockedCloud, ClosedForms) {
    // φ g / (3/2 − φ) and φ g / (2 − φ) of the validation cases, but for the weight of the air.
    const LockedCloud c{.fraction = 0.1};
    EXPECT_NEAR(locked_acceleration(c, 0.5) / 9.81, 0.0714, 1e-4);
    EXPECT_NEAR(locked_acceleration(c, 1) / 9.81, 0.0526, 1e-4);
}

TEST(LockedCloud, HydrostaticBorder3D) {
    const LockedCloud c{.iterations = 4, .tolerance = 1e-6};
    compared<3>("border at 2 R", c, locked_acceleration(c, added_mass<3>(c)));
}

TEST(LockedCloud, OpenWater3D) {
    // A border at 4 R is as good as none: it changes the acceleration by 0.8 %.
    const LockedCloud c{.reach = 4, .iterations = 4, .tolerance = 1e-6};
    compared<3>("open water", c, locked_acceleration(c, 0.5));
}

TEST(LockedCloud, HydrostaticBorder2D) {
    for (double fraction : {0.1, 0.3}) {
        const LockedCloud c{.fraction = fraction};
        compared<2>("border at 2 R", c, locked_acceleration(c, added_mass<2>(c)));
    }
}

TEST(LockedCloud, OpenWater2D) {
    const LockedCloud c{.reach = 8, .tolerance = 1e-7};
    compared<2>("open water", c, locked_acceleration(c, 1));
}

TEST(LockedCloud, StabilizedSchemeReachesTheSameAfterHundredsOfIterations) {
    const LockedCloud c{.scheme = Scheme::kStabilized, .iterations = 400};
    compared<2>("stabilized", c, locked_acceleration(c, added_mass<2>(c)));
}

TEST(LockedCloud, ConvergesWithResolution) {
    // The water slips along the cloud's edge; bubbles within a voxel of it feel both sides. The
    // layer is one part in R/h of the cloud, so the mean converges with first order.
    double last = 0;
    for (double cells : {8.0, 16.0, 32.0}) {
        const LockedCloud c{.cells = cells};
        const double error =
            std::abs(released<2>(c).all / locked_acceleration(c, added_mass<2>(c)) - 1);
        if (last > 0) {
            EXPECT_NEAR(std::log2(last / error), 1, 0.15) << cells;
        }
        last = error;
    }
}

}  // namespace
}  // namespace spume::mixture

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "methods/mixture/mixture_run.h"

namespace spume::mixture {
namespace {

// One bubble in open water, everything on. The water near it is dragged along, so it rises faster
// than alone; in nature that wake is part of the drag law already. The excess shrinks with r/h.
double excess(Scheme scheme, double radius, double ratio, double begin, double end) {
    mixture::Params p;
    p.scheme = scheme;
    p.newton_iterations = 3;
    p.min_substeps = 2;
    const double h = radius / ratio;
    MixtureRun<3> run(open_water(h, {-32 * h, -16 * h, -32 * h}, {32 * h, 64 * h, 32 * h}), p);
    run.add({0.3 * h, 0.4 * h, 0.2 * h}, radius, 1);
    EXPECT_TRUE(run.until(begin));
    const double y = run.centroid()[1];
    EXPECT_TRUE(run.until(end));
    return (run.centroid()[1] - y) / (end - begin) / terminal_speed(radius) - 1;
}

TEST(SingleBubble, RisesAtItsTerminalSpeedInTheCoupledSolver) {
    for (Scheme scheme : {Scheme::kImplicitDrag, Scheme::kStabilized})
        for (const auto& [radius, ratio] : {std::pair{1e-3, 0.1}, std::pair{0.5e-3, 0.1}}) {
            const double e = excess(scheme, radius, ratio, 0.25, 0.5);
            std::printf("single bubble, %s, r %.1f mm, r/h %.2f: excess %.2f %%\n",
                        scheme == Scheme::kStabilized ? "stabilized" : "implicit drag",
                        1e3 * radius, ratio, 100 * e);
            EXPECT_NEAR(e, 0, 0.05) << radius << " " << ratio;
        }
}

}  // namespace
}  // namespace spume::mixture

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "run.h"
#include "spume/surface/fraction.h"

// A jet through a slot in the floor of a tank, which contracts by a law of free streamlines.

namespace spume {
namespace {

/// Width of the jet far below over that of a slot a quarter as wide as the tank, [Mis17].
constexpr double kMises = 0.619;

/// The same by the water that leaves, beside the speed by the height of what is left.
double contraction(int voxels_across) {
    const double slot = 0.1, width = 0.4, height = 1.2, h = slot / voxels_across, plate = 2 * h;
    Scene s = tank(2, h, {});
    s.domain.lower = {-width / 2, -3 * slot, 0};
    s.domain.upper = {width / 2, height + 0.2, 1};
    s.domain.bottom = s.domain.top = Border::kOpen;
    s.physics.surface_tension = 0;
    s.solids = {solid_box({-width, -plate, -1}, {-slot / 2, 0, 1}),
                solid_box({slot / 2, -plate, -1}, {width, 0, 1})};
    s.liquids = {liquid_box({-width / 2, 0, -1}, {width / 2, height, 1})};
    constraint::Params p;
    p.bubbles = constraint::BubbleMode::kOff;
    ConstraintRun<2> run(s, p);
    const auto level = [&] {
        const auto part = liquid_fractions<2>(run.state.phi, run.context);
        double cells = 0;
        for (int t = 0; t < run.state.grid.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<2>; ++o) {
                const Point<2> x = part.position(t, o);
                if (x[1] > 0 && std::abs(x[0]) < width / 2) cells += double(part.at(t, o));
            }
        return cells * h * h / width;
    };
    EXPECT_TRUE(run.until(0.25));
    const double first = level();
    EXPECT_TRUE(run.until(0.4));
    const double last = level(), mean = (first + last) / 2, flux = (first - last) / 0.15 * width;
    // v² (1 − (c b/B)²) = 2 g H, flux = c b v
    const double sinks = flux / width;
    return flux / slot / std::sqrt(2 * 9.81 * mean + sinks * sinks);
}

TEST(ConstraintJet, ContractsAsFreeStreamlinesDo) {
    const double coarse = contraction(8) / kMises - 1, fine = contraction(16) / kMises - 1;
    RecordProperty("error_8", std::to_string(coarse));
    RecordProperty("error_16", std::to_string(fine));
    EXPECT_NEAR(coarse, 0, 0.06);
    EXPECT_NEAR(fine, 0, 0.06);
}

}  // namespace
}  // namespace spume

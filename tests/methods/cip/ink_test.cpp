// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "cip_run.h"

namespace spume {
namespace {

struct InkLeft {
    double amount = 1;    ///< in water, of what was there
    double contrast = 1;  ///< Σc² of what was there: what blurs makes less of it
    double least = 0, most = 1;
};

template <int D>
InkLeft after_dam_break(cip::Scheme scheme, double seconds) {
    const double h = D == 2 ? 1.0 / 64 : 1.0 / 24;
    Scene scene = cip_box(D, h, {1, 0.75, 0.25});
    scene.physics.surface_tension = 0;
    scene.liquids = {water_box({-1, -1, -1}, {0.5, 0.5, 2})};
    scene.time.fps = 30;
    cip::Params p;
    p.advection = scheme;
    p.ink.resize(1);
    p.ink[0].shape = water_box({0.1, 0.1, -1}, {0.4, 0.35, 2}).shape;
    CipRun<D> run(scene, p);
    const auto measure = [&](double& least, double& most) {
        Vec<double, 2> sum{};
        const auto& shape = run.state.ink.f.shape;
        for (std::size_t r = 0; r < shape.rows(); ++r)
            for (Index<D> i = shape.row(r); i[D - 1] < shape.size[D - 1]; ++i[D - 1]) {
                const double c = run.state.ink.f.at(i);
                least = std::min(least, c), most = std::max(most, c);
                if (run.state.phi.f.at(i) < 0) sum += Vec<double, 2>{c, c * c};
            }
        return sum;
    };
    InkLeft r;
    const auto before = measure(r.least, r.most);
    EXPECT_GT(before[0], 10);
    EXPECT_TRUE(run.until(seconds));
    const auto after = measure(r.least, r.most);
    r.amount = after[0] / before[0];
    r.contrast = after[1] / before[1];
    std::printf("ink %dD: amount %.4f, contrast %.4f\n", D, r.amount, r.contrast);
    return r;
}

/// Ink stays between clear and black and in the water, and blurs less than linearly.
TEST(CipInk, StaysInTheWater) {
    const InkLeft cip = after_dam_break<2>(cip::Scheme::kCip, 0.5);
    const InkLeft linear = after_dam_break<2>(cip::Scheme::kLinear, 0.5);
    EXPECT_NEAR(cip.amount, 1, 0.03);
    EXPECT_GE(cip.least, 0);
    EXPECT_LE(cip.most, 1);
    EXPECT_GT(cip.contrast, 0.8);
    EXPECT_LT(linear.contrast, cip.contrast - 0.1);
}

TEST(CipInk, StaysInThreeDimensions) {
    const InkLeft cip = after_dam_break<3>(cip::Scheme::kCip, 0.2);
    EXPECT_NEAR(cip.amount, 1, 0.05);
    EXPECT_GE(cip.least, 0);
    EXPECT_LE(cip.most, 1);
}

/// A state without ink has no room for it; an edit makes some.
TEST(CipInk, RoomOnDemand) {
    Scene scene = cip_box(2, 1.0 / 16, {1, 1, 1});
    scene.liquids = {water_box({-1, -1, -1}, {2, 0.5, 2})};
    CipRun<2> run(scene, {});
    EXPECT_FALSE(cip::has_ink(run.state));
    cip::make_room_for_ink(run.state);
    ASSERT_TRUE(cip::has_ink(run.state));
    run.state.ink.f.write()[run.state.ink.f.shape.at({3, 3})] = 1;
    difference(run.state.ink, run.context);
    ASSERT_TRUE(run.one_step(0.01));
    EXPECT_NEAR(run.state.ink.f.at({3, 3}), 1, 0.05);  // it rests
}

}  // namespace
}  // namespace spume

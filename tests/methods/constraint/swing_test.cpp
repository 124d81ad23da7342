// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "swing.h"

// A massless bubble that swings with a tenth of its radius, by the whole method.

namespace spume {
namespace {

template <int D>
void is_lambs_for_small_swings(std::initializer_list<int> modes) {
    for (const int n : modes) {
        const auto z = FiniteSwing<D>::zeros(n, 0.001, 3);
        ASSERT_EQ(z.size(), 3u);
        EXPECT_NEAR(z[0], 0.25, 1e-4);
        EXPECT_NEAR(z[2] - z[0], 1, 1e-4);
    }
}
TEST(FiniteSwing, IsLambsForSmallSwings2D) { is_lambs_for_small_swings<2>({2, 3, 4}); }
TEST(FiniteSwing, IsLambsForSmallSwings3D) { is_lambs_for_small_swings<3>({2, 4}); }

template <int D>
void keeps_its_volume() {
    FiniteSwing<D> bubble(4, 0.1);
    const double before = bubble.volume();
    for (int i = 0; i < 500; ++i) bubble.advance(FiniteSwing<D>::lamb_period(4) / 500);
    EXPECT_NEAR(bubble.volume(), before, 1e-6 * before);
}
TEST(FiniteSwing, KeepsItsVolume2D) { keeps_its_volume<2>(); }
TEST(FiniteSwing, KeepsItsVolume3D) { keeps_its_volume<3>(); }

/// The period of mode n at D/h = 25 over that of potential flow with the same swing.
double period_of(int n) {
    const auto z = swing_zeros<2>(n, 25, {0.137, 0.291}, 0.1, 3);
    const auto exact = FiniteSwing<2>::zeros(n, 0.1, 3);
    if (z.size() < 3) return 0;
    return (z[2] - z[0]) / (exact[2] - exact[0]);
}
TEST(ConstraintOscillation, SecondModeHasThePeriodOfPotentialFlow) {
    EXPECT_NEAR(period_of(2), 1, 0.05);
}
TEST(ConstraintOscillation, FourthModeHasThePeriodOfPotentialFlow) {
    EXPECT_NEAR(period_of(4), 1, 0.05);
}

/// Around an axis, in space: potential flow of this swing is nearer to Lamb's there. What it can
/// fail of and a minute is not needed for, the plane modes above and FrequenciesOfAMasslessBubble3D
/// show.
TEST(DeepConstraintOscillation, FourthModeIn3DHasLambsPeriod) {
    const auto z = swing_zeros<3>(4, 25, {0.137, 0.291, 0.4}, 0.1, 3, 4);
    const auto exact = FiniteSwing<3>::zeros(4, 0.1, 3);
    ASSERT_EQ(z.size(), 3u);
    EXPECT_NEAR(z[2] - z[0], 1, 0.05);
    EXPECT_NEAR((z[2] - z[0]) / (exact[2] - exact[0]), 1, 0.04);
}

TEST(SwingMap, KeepsVolumesAndLaysTheSurface) {
    const double swing = 0.1, step = 3e-3;
    const SwingMap<3> map(4, swing);
    for (const Point<3>& x : {Point<3>{1.1, 0.3, 0.2}, Point<3>{0.2, -1.2, 0.9}}) {
        Vec<double, 3> column[3];
        for (int a = 0; a < 3; ++a) {
            const Point<3> d = Point<3>::unit(a, step);
            column[a] = (map(x + d) - map(x - d)) / (2 * step);
        }
        EXPECT_NEAR(std::abs(dot(column[0], cross(column[1], column[2]))), 1, 1e-3);
        const Point<3> on = map(x / length(x));
        EXPECT_NEAR(length(on), map.radius() * (1 + swing * swing_shape<3>(4, on)), 1e-5);
    }
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/context.h"
#include "spume/core/random.h"
#include "spume/particles/bubble_size.h"
#include "spume/physics/foam/marker_bubbles.h"

namespace spume {
namespace {

MarkerLaw usual_law() {
    MarkerLaw law;
    law.marker_min = 0.1e-2;
    law.marker_max = 0.5e-2;
    law.seed = 3;
    return law;
}

/// A ball of one phase in the other: Φ = ± (|x − c| − R).
CellField<double, 3> ball(double sign) {
    CellField<double, 3> phi(Tiles<3>::dense({{-8, -8, -8}, {40, 40, 40}}, {0.01, {}}));
    double* out = phi.write();
    for (int t = 0; t < phi.tiles()->zero(); ++t)
        for (int o = 0; o < kTileCells<3>; ++o)
            out[t * kTileCells<3> + o] =
                sign * (length(phi.position(t, o) - Point<3>::filled(0.16)) - 0.08);
    return phi;
}

void add(EscapedMarkers<3>& set, const Point<3>& x, double radius, std::int32_t pocket = 0,
         double volume = 0) {
    EscapedMarkers<3>::Marker m;
    m.position = x;
    m.radius = radius;
    m.id = set.markers.size();
    m.pocket = pocket;
    m.volume = volume;
    set.markers.push_back(m);
}

TEST(MarkerRadii, AreNormalByTheMarkersRadiusWithinTheRange) {
    MarkerLaw law = usual_law();
    law.large_mean = 3e-3;
    law.large_deviation = 0.3e-3;  // the range is seven deviations away
    law.radius_max = 6e-3;
    double sum = 0, squares = 0;
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
        const double r = marker_bubble_radius(law, 0.5e-2, std::uint64_t(i), 0);
        sum += r;
        squares += r * r;
    }
    const double mean = sum / n, deviation = std::sqrt(squares / n - mean * mean);
    EXPECT_NEAR(mean, 3e-3, 4 * 0.3e-3 / std::sqrt(n));
    EXPECT_NEAR(deviation, 0.3e-3, 4 * 0.3e-3 / std::sqrt(2.0 * n));
    double middle = 0;  // halfway between the least and the largest marker
    for (int i = 0; i < n; ++i) {
        const double r = marker_bubble_radius(law, 0.3e-2, std::uint64_t(i), 0);
        EXPECT_TRUE(r >= law.radius_min && r <= law.radius_max);
        middle += r / n;
    }
    EXPECT_NEAR(middle, 2e-3, 1e-5);
}

TEST(MarkerThinning, GoesWithVolumeOrArea) {
    // At 64 markers a cell of 1 cm, the density is 64e6 a cubic metre.
    EXPECT_DOUBLE_EQ(considered_part(64e6, 64, 0.01, 3, false), 1);
    EXPECT_NEAR(considered_part(64e6, 64, 0.005, 3, false), 1.0 / 8, 1e-12);
    EXPECT_NEAR(considered_part(64e6, 64, 0.005, 3, true), 1.0 / 4, 1e-12);
    EXPECT_NEAR(considered_part(16e4, 16, 0.005, 2, false), 1.0 / 4, 1e-12);
    EXPECT_NEAR(considered_part(16e4, 16, 0.005, 2, true), 1.0 / 2, 1e-12);
    EXPECT_DOUBLE_EQ(considered_part(0, 64, 0.005, 3, false), 1);
    EXPECT_DOUBLE_EQ(considered_part(64e6, 64, 0.02, 3, false), 1);
}

TEST(MarkerBubbles, OnlyWhereTheSurfaceIsConcaveAndDeepEnough) {
    Context context(1);
    double carried = 0;
    EscapedMarkers<3> markers;
    // A marker of 2 mm is 4 mm, or 2 mm, on the liquid's side of a ball of air, and of liquid.
    add(markers, {0.16 + 0.084, 0.16, 0.16}, 2e-3);
    add(markers, {0.16 - 0.082, 0.16, 0.16}, 2e-3);
    const auto hollow = bubbles_from_markers(markers, ball(-1), usual_law(), carried, context);
    EXPECT_EQ(hollow.bubbles.size(), 1u);
    EXPECT_EQ(hollow.shallow, 1u);
    markers.markers.clear();
    add(markers, {0.16 + 0.076, 0.16, 0.16}, 2e-3);
    const auto drop = bubbles_from_markers(markers, ball(1), usual_law(), carried, context);
    EXPECT_EQ(drop.bubbles.size(), 0u);
    EXPECT_EQ(drop.convex, 1u);
    MarkerLaw any = usual_law();
    any.concave = false;
    EXPECT_EQ(bubbles_from_markers(markers, ball(1), any, carried, context).bubbles.size(), 1u);
}

TEST(MarkerBubbles, OfTheLeastRadiusOnlyBesideOthers) {
    Context context(1);
    double carried = 0;
    MarkerLaw law = usual_law();
    law.small_deviation = law.large_deviation = 0;  // 1 mm and 3 mm
    EscapedMarkers<3> markers;
    add(markers, {0.16 + 0.09, 0.16, 0.16}, 1e-3);
    add(markers, {0.16 - 0.09, 0.16, 0.16}, 1e-3);
    add(markers, {0.16 - 0.0935, 0.16, 0.16}, 5e-3);
    const auto made = bubbles_from_markers(markers, ball(-1), law, carried, context);
    EXPECT_EQ(made.bubbles.size(), 2u);
    EXPECT_EQ(made.lone, 1u);
    // One that lies inside another is left out.
    add(markers, {0.16 - 0.0945, 0.16, 0.16}, 2e-3);
    const auto more = bubbles_from_markers(markers, ball(-1), law, carried, context);
    EXPECT_EQ(more.bubbles.size(), 2u);
    EXPECT_EQ(more.inside, 1u);
}

TEST(MarkerPockets, TheirVolumeBecomesTheBubbles) {
    Context context(1);
    double carried = 0, came = 0, made_of_it = 0;
    for (const double volume : {2e-6, 3.3e-7, 1e-10, 4e-5}) {
        EscapedMarkers<3> markers;
        for (int i = 0; i < 200; ++i) {
            const Vec<double, 3> u =
                Random(5, std::uint64_t(i), 0, Purpose::kTest).uniform_vec<3>(0);
            add(markers, Point<3>::filled(0.1) + u * 0.02, 0.5e-2, 7, volume / 200);
        }
        const auto made = bubbles_from_markers(markers, ball(-1), usual_law(), carried, context);
        came += volume;
        for (const double r : made.bubbles.radius) {
            made_of_it += bubble_volume<3>(r);
            EXPECT_GE(r, 0.5e-3 * (1 - 1e-12));
            EXPECT_LE(r, 5e-3 * (1 + 1e-12));
        }
        EXPECT_NEAR(made.from_pockets, volume, 1e-12 * volume);
        EXPECT_NEAR(made_of_it + carried, came, 1e-12 * came);
        EXPECT_LT(carried, bubble_volume<3>(0.5e-3));
    }
}

// A large pocket with two markers: all of its air becomes bubbles, and stays near them.
TEST(MarkerPockets, FewMarkersGiveAllOfTheAir) {
    Context context(1);
    double carried = 0, made_of_it = 0;
    const double volume = 4e-5;
    const Point<3> middle = Point<3>::filled(0.16);
    EscapedMarkers<3> markers;
    for (int i = 0; i < 2; ++i) add(markers, middle, 0.5e-2, 3, volume / 2);
    const auto made = bubbles_from_markers(markers, ball(-1), usual_law(), carried, context);
    for (const double r : made.bubbles.radius) made_of_it += bubble_volume<3>(r);
    EXPECT_GE(made_of_it, volume - bubble_volume<3>(0.5e-3));
    for (const Point<3>& x : made.bubbles.position)
        EXPECT_LT(length(x - middle), bubble_radius<3>(volume));
}

// Ids follow the lattice; bubbles of fewer markers than there are must not all be on one side.
TEST(MarkerPockets, BubblesAreSpreadOverThePocket) {
    Context context(1);
    double carried = 0;
    EscapedMarkers<3> markers;
    const Point<3> middle = Point<3>::filled(0.16);
    constexpr int kCount = 2000;
    for (int i = 0; i < kCount; ++i) {  // on a sphere, from its left to its right
        const double x = -1 + 2 * (i + 0.5) / kCount, r = std::sqrt(1 - x * x), turn = 2.4 * i;
        add(markers, middle + Vec<double, 3>{x, r * std::cos(turn), r * std::sin(turn)} * 0.08,
            0.5e-2, 3, 4e-5 / kCount);
    }
    const auto made = bubbles_from_markers(markers, ball(-1), usual_law(), carried, context);
    ASSERT_LT(made.bubbles.size(), std::size_t(kCount) * 3 / 4);
    Vec<double, 3> mean{};
    for (const Point<3>& x : made.bubbles.position)
        mean += (x - middle) / double(made.bubbles.size());
    std::printf("%zu bubbles, their centre %.3f radii off\n", made.bubbles.size(),
                length(mean) / 0.08);
    EXPECT_LT(length(mean), 0.2 * 0.08);
}

TEST(MarkerPockets, WithoutAVolumeGoByTheMarkersCount) {
    Context context(1);
    double carried = 0;
    MarkerLaw law = usual_law();
    law.marker_volume = 1e-6 / 64;
    EscapedMarkers<3> markers;
    for (int i = 0; i < 640; ++i) add(markers, {0.1 + 1e-4 * i, 0.1, 0.1}, 0.5e-2, 2);
    const auto made = bubbles_from_markers(markers, ball(-1), law, carried, context);
    double volume = carried;
    for (const double r : made.bubbles.radius) volume += bubble_volume<3>(r);
    EXPECT_NEAR(volume, 1e-5, 1e-17);
    // Which marker came first does not matter.
    EscapedMarkers<3> turned;
    turned.markers.assign(markers.markers.rbegin(), markers.markers.rend());
    double again = 0;
    const auto same = bubbles_from_markers(turned, ball(-1), law, again, context);
    ASSERT_EQ(same.bubbles.size(), made.bubbles.size());
    for (std::size_t i = 0; i < same.bubbles.size(); ++i)
        EXPECT_EQ(same.bubbles.radius[i], made.bubbles.radius[i]);
}

}  // namespace
}  // namespace spume

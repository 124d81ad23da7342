// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/particles/split_merge.h"

#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "spume/core/random.h"

namespace spume {
namespace {

constexpr double kVoxel = 0.01;

template <int D>
double ball(double r) {
    return D == 2 ? std::numbers::pi * r * r : 4 * std::numbers::pi / 3 * r * r * r;
}

template <int D>
struct Totals {
    long double volume = 0, mass = 0;
    Vec<double, D> momentum{}, moment{};
    double largest = 0, push = 0;

    explicit Totals(const Bubbles<D>& b) {
        for (std::size_t i = 0; i < b.size(); ++i) {
            const double v = ball<D>(b.radius[i]), m = v * double(b.density[i]);
            volume += v;
            mass += m;
            momentum += b.velocity[i] * m;
            moment += b.position[i] * v;
            push += length(b.velocity[i]) * m;
            largest = std::max(largest, v);
        }
    }
};

/// A dense ball of small bubbles, eight a voxel, and large ones far from it and from each other.
template <int D>
Bubbles<D> body_and_strays(std::size_t& body) {
    std::vector<Point<D>> places;
    for (int i = 0; places.size() < (D == 2 ? 400u : 3000u); ++i) {
        const Point<D> x = (Random(1, std::uint64_t(i), 0, Purpose::kTest).uniform_vec<D>(0) * 2.0 -
                            Point<D>::filled(1)) *
                           (D == 2 ? 5.6 * kVoxel : 4.5 * kVoxel);
        if (length(x) < (D == 2 ? 5.6 * kVoxel : 4.5 * kVoxel)) places.push_back(x);
    }
    body = places.size();
    for (int n = 0; n < 20; ++n) places.push_back(Point<D>::unit(0, 0.3 + 0.2 * n));
    Bubbles<D> b;
    resize(b, places.size());
    auto x = b.position.write();
    auto v = b.velocity.write();
    auto r = b.radius.write();
    auto rho = b.density.write();
    auto id = b.id.write();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Random random(2, i, 0, Purpose::kTest);
        x[i] = places[i];
        v[i] = random.uniform_vec<D>(0) - Vec<double, D>::filled(0.3);
        r[i] = static_cast<float>(i < body ? (0.25 + 0.1 * random.uniform(5)) * kVoxel
                                           : (D == 2 ? 0.68 : 0.85) * kVoxel);
        rho[i] = static_cast<float>(1 + 0.5 * random.uniform(6));
        id[i] = b.next_id++;
    }
    return b;
}

template <int D>
SplitMergeRule rule() {
    SplitMergeRule r;
    r.reach = 2 * kVoxel;
    r.merged_radius = 0.87 * kVoxel;
    r.split_radius = 0.2 * kVoxel;
    r.heaviest = 100;
    return r;
}

template <int D>
void expect_kept() {
    Context context(2);
    std::size_t body = 0;
    Bubbles<D> bubbles = body_and_strays<D>(body);
    const Totals<D> before(bubbles);
    const std::uint64_t named = bubbles.next_id;
    std::size_t merged = 0, split = 0;
    for (int round = 0; round < 12; ++round) {
        const auto report = split_and_merge(bubbles, rule<D>(), context);
        merged += report.merged;
        split += report.split;
        const Totals<D> after(bubbles);
        // One float's rounding of the largest bubble a round; of the sum it is less than 1e-7.
        const double rounding = D * 6e-8 * (round + 1) * after.largest;
        EXPECT_NEAR(double(after.volume - before.volume), 0, rounding);
        EXPECT_NEAR(double(after.mass - before.mass), 0, 4 * rounding);
        EXPECT_LT(rounding / double(before.volume), 1e-7);
        EXPECT_LT(length(after.momentum - before.momentum), 1e-12 * before.push);
        EXPECT_LT(length(after.moment - before.moment), 1e-6 * double(before.volume));
    }
    EXPECT_GT(merged, body / 2);
    EXPECT_GT(split, 100u);
    EXPECT_EQ(bubbles.next_id, named + split) << "one new name a split";
    std::set<std::uint64_t> ids(bubbles.id.begin(), bubbles.id.end());
    EXPECT_EQ(ids.size(), bubbles.size());
    EXPECT_LT(*ids.rbegin(), bubbles.next_id);

    // Sizes: what the body's bubbles have become, weighed by air; what strays have.
    double in_body = 0, air = 0;
    for (std::size_t i = 0; i < bubbles.size(); ++i) {
        const double v = ball<D>(bubbles.radius[i]);
        if (length(bubbles.position[i]) < 0.1) {
            in_body += v * bubbles.radius[i];
            air += v;
        } else {
            EXPECT_GT(bubbles.radius[i], 0.15 * kVoxel);
            EXPECT_LT(bubbles.radius[i], 0.27 * kVoxel);
        }
    }
    EXPECT_NEAR(in_body / air, 0.87 * kVoxel, 0.25 * kVoxel);
}
TEST(SplitMerge, KeepsVolumeMassMomentumAndNames) {
    expect_kept<2>();
    expect_kept<3>();
}

TEST(SplitMerge, LeavesGrainsAlone) {
    Context context(1);
    std::size_t body = 0;
    Bubbles<3> grains = body_and_strays<3>(body);
    grains.density.fill(1500.0f);
    const auto report = split_and_merge(grains, rule<3>(), context);
    EXPECT_EQ(report.merged + report.split, 0u);
}

TEST(SplitMerge, ThreadsChangeNoBit) {
    std::size_t body = 0;
    Bubbles<3> one = body_and_strays<3>(body), many = one;
    Context single(1), five(5);
    for (int round = 0; round < 3; ++round) {
        split_and_merge(one, rule<3>(), single);
        split_and_merge(many, rule<3>(), five);
    }
    EXPECT_TRUE(std::equal(one.position.begin(), one.position.end(), many.position.begin()));
    EXPECT_TRUE(std::equal(one.radius.begin(), one.radius.end(), many.radius.begin()));
    EXPECT_TRUE(std::equal(one.id.begin(), one.id.end(), many.id.begin()));
}

}  // namespace
}  // namespace spume

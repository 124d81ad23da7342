// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/surface/level_sample.h"
#include "spume/surface/marker_correction.h"

namespace spume {
namespace {

constexpr int kCells = 16;
constexpr double kVoxel = 0.5, kLevel = 8.2;  // of the liquid, voxels

struct Pool {
    Context context{2};
    Transform<2> lattice{kVoxel, {}};
    MarkerRule rule;
    DenseField<float, 2> phi{DensePlace<2>::centres({kCells, kCells}).shape};
    Markers<2> markers;

    Pool() {
        for (int i = 0; i < kCells; ++i)
            for (int j = 0; j < kCells; ++j)
                phi.write()[phi.shape.at({i, j})] = float(j + 0.5 - kLevel);
        const bool even[2] = {};
        mirror_ghosts<float, 2>(phi.write(), DensePlace<2>::centres(phi.shape.size), even);
        rule.liquid_escape = 1.5;
    }
    /// By lattice coordinate and signed radius in voxels.
    void add(const Point<2>& u, double radius) {
        Markers<2> one;
        resize(one, 1);
        one.position.write()[0] = lattice.to_world(u);
        one.radius.write()[0] = float(radius * kVoxel);
        append(markers, one);
    }
};

// [G04] Eq. 16: the distance where it lies between the least and the most radius.
TEST(Markers, RadiiAreTheDistanceWithinTheirRange) {
    Pool p;
    std::map<std::uint64_t, double> height;
    for (int i = 0; i < 400; ++i) {
        const double above = -4 + 8 * Random(1, std::uint64_t(i), 0, Purpose::kTest).uniform(0);
        height[p.markers.next_id] = above;
        p.add({8, kLevel + above}, above > 0 ? 0.3 : -0.3);
    }
    adjust_markers(p.markers, p.phi, p.lattice, p.rule, p.context);
    ASSERT_EQ(p.markers.size(), 400u);
    for (std::size_t i = 0; i < p.markers.size(); ++i) {
        const double s = height.at(p.markers.id[i]);
        const double meant = std::clamp(std::abs(s), 0.1, 0.5) * (s > 0 ? 1 : -1);
        EXPECT_NEAR(double(p.markers.radius[i]) / kVoxel, meant, 2e-6) << s;
    }
}

/// A marker of radius 0.2 on the wrong side of a level surface: its ball is put around it where it
/// is `from` to 1.5 radii deep, beyond that it leaves.
void expect_corrections(double from) {
    for (const double sign : {1.0, -1.0})
        for (const double depth : {-0.05, 0.15, 0.25, 0.4}) {
            Pool p;
            p.rule.correct_from = from;
            const bool wants = depth > 0.2 * from, may = wants && depth < 0.3;
            const double r = 0.2;
            const Point<2> u{7.9, kLevel - sign * depth};
            p.add(u, sign * r);
            const auto before = p.phi;
            const std::size_t wrong =
                correct_with_markers(p.phi, p.markers, p.lattice, p.rule, p.context);
            EXPECT_EQ(wrong, wants ? 1u : 0u);
            int changed = 0;
            for (int i = 0; i < kCells; ++i)
                for (int j = 0; j < kCells; ++j) {
                    const Point<2> x{i + 0.5, j + 0.5};
                    const double was = j + 0.5 - kLevel, ball = sign * (r - length(x - u));
                    const bool around = std::abs(x[0] - u[0]) < 1 && std::abs(x[1] - u[1]) < 1;
                    // Farther out of the wrong phase, and the nearer to the surface of both.
                    const bool better = sign * ball > sign * was && std::abs(ball) < std::abs(was);
                    const bool corrects = may && around && better;
                    EXPECT_NEAR(double(p.phi.at({i, j})), corrects ? ball : was, 2e-6)
                        << depth << " " << i << " " << j;
                    changed += corrects;
                }
            EXPECT_EQ(changed > 0, may) << sign;
            p.phi = before;
            const auto gone = adjust_markers(p.markers, p.phi, p.lattice, p.rule, p.context);
            EXPECT_EQ(gone.size(), depth == 0.4 ? 1u : 0u);
        }
}

// [G04] Eq. 15 and §3.3.4.
TEST(Markers, CorrectFromOneRadiusToOneAndAHalf) { expect_corrections(1); }

TEST(Markers, CorrectOnceTheyHaveCrossed) { expect_corrections(0); }

// [G04] §3.3.2: reseeding spares what touches the surface or has crossed it.
TEST(Markers, ReseedingSparesThoseAtTheSurface) {
    Pool p;
    p.rule.per_cell = 24;
    seed_markers(p.markers, p.phi, p.lattice, p.rule, 1, 0, p.context);
    // The liquid rises by three quarters of a cell: too many markers here, none there.
    for (float& f : p.phi.values.write()) f -= 0.75f;
    const auto height = [&](std::size_t i) {
        return double(sample_level<2>(p.phi.read(), p.phi.shape,
                                      p.lattice.to_lattice(p.markers.position[i])));
    };
    std::vector<std::uint64_t> spared, kept;
    for (std::size_t i = 0; i < p.markers.size(); ++i) {
        const double r = double(p.markers.radius[i]) / kVoxel;
        if (height(i) * (r > 0 ? 1 : -1) < std::abs(r)) spared.push_back(p.markers.id[i]);
    }
    const auto tiles = Tiles<2>::dense({Index<2>{}, {kCells, kCells}}, p.lattice);
    reseed_markers<2>(p.markers, p.phi, tiles, p.rule, 1, 1, p.context);
    kept.assign(p.markers.id.begin(), p.markers.id.end());
    std::sort(kept.begin(), kept.end());
    ASSERT_GT(spared.size(), 100u);
    for (const std::uint64_t id : spared)
        EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), id)) << id;
    std::map<int, int> count;
    for (std::size_t i = 0; i < p.markers.size(); ++i) {
        EXPECT_LT(std::abs(height(i)), p.rule.reach + 1e-5);
        ++count[int(p.lattice.to_lattice(p.markers.position[i])[1])];
    }
    for (int j = int(kLevel + 0.75) + 1; j < int(kLevel + 0.75 + p.rule.reach); ++j)
        EXPECT_EQ(count[j], p.rule.per_cell * kCells) << j;
}

}  // namespace
}  // namespace spume

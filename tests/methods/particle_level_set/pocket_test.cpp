// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "pls_run.h"
#include "spume/core/math.h"
#include "spume/methods/particle_level_set/surface_step.h"
#include "spume/surface/trapped_air.h"

namespace spume {
namespace {

using particle_level_set::Params;
using particle_level_set::Pockets;

/// +1 where the drawing has air, −1 where it has liquid; the first line is the highest row.
DenseField<float, 2> drawn(const std::vector<std::string>& rows) {
    const int n = int(rows[0].size()), m = int(rows.size());
    DenseField<float, 2> phi(DensePlace<2>::centres({n, m}).shape);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            const char c = rows[std::size_t(m - 1 - j)][std::size_t(i)];
            phi.write()[phi.shape.at({i, j})] = c == '.' ? 0.4f : c == 'o' ? -0.1f : -1.0f;
        }
    const bool even[2] = {};
    mirror_ghosts<float, 2>(phi.write(), DensePlace<2>::centres(phi.shape.size), even);
    return phi;
}

std::size_t pockets_in(const std::vector<std::string>& rows) {
    Context context(2);
    const bool open[2][2] = {{false, false}, {false, true}};
    return find_trapped_air<2>(drawn(rows), {}, {}, open, context).pockets.size();
}

// A large pocket under gravity keeps its air as a region until it is below the chosen size.
TEST(TrappedAir, LargePocketsStayRegions) {
    Scene s = pls_box(2, 1.0 / 32, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.liquids = {pls_water({0, 0, 0}, {1, 0.8, 1}),
                 pls_ball({0.5, 0.35, 0}, 0.15, LiquidMode::kHollow)};
    const double air = math::kPi * 0.15 * 0.15;
    Params p;
    p.compensation = false;
    p.region_size = 0.2;
    PlsRun<2> kept(s, p);
    ASSERT_TRUE(kept.until(0.15));
    EXPECT_EQ(kept.state.pockets, 0);
    const auto covered = particle_level_set::SolidLattice<2>{};
    const auto now = particle_level_set::trapped_air(kept.state, kept.world, covered, kept.context);
    ASSERT_FALSE(now.pockets.empty());
    double volume = 0, height = 0;
    for (const auto& pocket : now.pockets) {
        volume += pocket.volume / (32 * 32);
        height += pocket.volume / (32 * 32) * pocket.centre[1] / 32;
    }
    std::printf("pocket: %.4f of its air, at %.3f m\n", volume / air, height / volume);
    EXPECT_NEAR(volume / air, 1, 0.05);
    EXPECT_GT(height / volume, 0.38);  // it rose
    p.region_size = 0.4;
    PlsRun<2> handed(s, p);
    ASSERT_TRUE(handed.one_step(0.01));
    EXPECT_EQ(handed.state.pockets, 1);
    EXPECT_NEAR(handed.state.pocket_air, air, 0.02 * air);
}

TEST(TrappedAir, DiagonalRule) {
    // [G04] Fig. 7: `o` is liquid that barely covers, `#` liquid that parts.
    EXPECT_EQ(pockets_in({".....", "#.o##", "##o.#", "#####"}), 1u);  // apart by a column
    EXPECT_EQ(pockets_in({".....", "#.o##", "#o.##", "#####"}), 0u);  // air between them
    EXPECT_EQ(pockets_in({".....", "#.###", "##.##", "#####"}), 1u);  // liquid between them
    EXPECT_EQ(pockets_in({".....", "#####", "#.#.#", "#####"}), 2u);
}

template <int D>
void expect_pocket_becomes_bubbles() {
    Scene s = pls_box(D, 1.0 / 24, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.physics.gravity = {0, 0, 0};
    s.liquids = {pls_water({0, 0, 0}, {1, 0.8, 1}),
                 pls_ball({0.5, 0.4, D == 3 ? 0.5 : 0.0}, 0.2, LiquidMode::kHollow)};
    const double air = D == 2 ? math::kPi * 0.04 : 4 * math::kPi / 3 * 0.008;
    const double full = 0.8;
    for (const Pockets mode : {Pockets::kBubbles, Pockets::kRemoved, Pockets::kVoid}) {
        Params p;
        p.trapped_air = mode;
        PlsRun<D> run(s, p);
        EXPECT_NEAR(run.state.volume, full - air, 0.02 * air) << D;
        ASSERT_TRUE(run.one_step(0.01));
        const auto& e = run.state.escaped;
        if (mode == Pockets::kVoid) {
            EXPECT_NEAR(run.state.volume, full - air, 0.02 * air) << D;
            EXPECT_EQ(run.state.pockets, 0);
            continue;
        }
        EXPECT_EQ(run.state.pockets, 1);
        EXPECT_NEAR(run.state.pocket_air, air, 0.02 * air) << D;
        EXPECT_NEAR(run.state.volume, full, 3e-3 * air) << D;  // no slivers
        EXPECT_NEAR(run.state.target_volume, full, 3e-3 * air) << D;
        double carried = 0;
        for (std::size_t q = 0; q < e.size(); ++q) {
            EXPECT_EQ(e.pocket[q], 1);
            EXPECT_EQ(e.type[q], 1);
            carried += double(e.volume[q]);
        }
        if (mode == Pockets::kRemoved)
            EXPECT_EQ(e.size(), 0u);
        else
            EXPECT_NEAR(carried, run.state.pocket_air, 1e-5 * air) << D;
        // Deep in the liquid: the level set knows nothing of the pocket any more.
        Index<D> middle = Index<D>::filled(12);
        middle[1] = 9;
        EXPECT_LT(run.state.surface.phi.at(middle), -5) << D;
    }
}
TEST(TrappedAir, BecomesBubblesWithItsVolume) {
    expect_pocket_becomes_bubbles<2>();
    expect_pocket_becomes_bubbles<3>();
}

// Half a disc of air on a block: what the block covers is no air.
TEST(TrappedAir, CountsNoAirInSolids) {
    Scene s = pls_box(2, 1.0 / 32, {1, 1, 1});
    s.domain.top = Border::kOpen;
    s.physics.gravity = {0, 0, 0};
    s.liquids = {pls_water({0, 0, 0}, {1, 0.8, 1}),
                 pls_ball({0.5, 0.31, 0}, 0.2, LiquidMode::kHollow)};
    Solid block;
    block.shape.kind = ShapeKind::kBox;
    block.shape.center = {0.5, 0.11, 0};
    block.shape.size = {0.8, 0.4, 1};
    s.solids = {block};
    const double air = math::kPi * 0.04 / 2;
    PlsRun<2> run(s, {});
    ASSERT_TRUE(run.one_step(0.01));
    EXPECT_EQ(run.state.pockets, 1);
    EXPECT_NEAR(run.state.pocket_air, air, 0.03 * air);
    EXPECT_NEAR(run.state.target_volume, 0.8 - 0.8 * 0.31, 0.01 * air);
}

TEST(TrappedAir, SurfaceLeavesMarkersThatEscape) {
    // A drop that falls into a pool leaves markers of both kinds behind.
    Scene s = pls_box(2, 1.0 / 40, {1, 1, 1});
    s.liquids = {pls_water({0, 0, 0}, {1, 0.3, 1}), pls_water({0.4, 0.4, 0}, {0.6, 0.8, 1})};
    PlsRun<2> run(s, {});
    int air = 0, drops = 0;
    for (int f = 1; f <= 40; ++f) {
        ASSERT_TRUE(run.until(f / 60.0));
        for (const std::int32_t type : run.state.escaped.type) ++(type > 0 ? air : drops);
    }
    std::printf("escaped: %d of air, %d of liquid\n", air, drops);
    EXPECT_GT(air, 20);
    EXPECT_GT(drops, 0);
}

}  // namespace
}  // namespace spume

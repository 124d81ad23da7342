// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "box.h"
#include "run.h"
#include "spume/physics/air/small_bubbles.h"
#include "spume/physics/motion/move_bubbles.h"

namespace spume {
namespace {

constexpr double kWater = 1000, kAir = 300;  // heavy air shows in the balance

/// A pool with a block at a wall; the flow is a swirl. Fast enough that bubbles cross the surface.
template <int D>
struct SwirlingPool : BubbleBox<D> {
    SwirlingPool() : BubbleBox<D>({}, Index<D>::filled(24), 0.1) {
        this->add(solid_box({-1, 0.45, -1}, {0.85, 1.05, 4}));
        this->settle([](const Point<D>& x) { return x[1] - 1.63; });
        FaceField<double, D>& flow = this->velocity;
        for (int a = 0; a < D; ++a) {
            double* u = flow.write(a);
            for_faces(this->context.arena, *this->tiles, a, [&](int t, int o) {
                const Point<D> x = flow.position(a, t, o);
                u[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                    a == 1 ? 0.6 * std::sin(2 * x[0]) + 0.5 : 0.4 * std::cos(3 * x[1] + a);
            });
        }
    }
};

/// ρ h^D Σ u over open faces with liquid on one side, cell by cell of the box.
template <int D>
Vec<double, D> momentum_of_liquid(const BubbleBox<D>& box) {
    Vec<double, D> sum{};
    TileCursor<D> cursor(*box.tiles);
    const auto liquid = [&](const Index<D>& cell) {
        const std::size_t at = cursor(cell);
        return box.domain.cells.contains(cell) && box.phase.read()[at] == kLiquidPhase;
    };
    const int side = 25;
    int count = 1;
    for (int d = 0; d < D; ++d) count *= side;
    for (int a = 0; a < D; ++a)
        for (int c = 0; c < count; ++c) {
            Index<D> face{};
            for (int d = 0, rest = c; d < D; ++d, rest /= side) face[d] = rest % side;
            Index<D> below = face;
            below[a] -= 1;
            if (!liquid(face) && !liquid(below)) continue;
            const std::size_t at = cursor(face);
            if (box.open.area.read(a)[at] > 0)
                sum[a] += kWater * box.domain.cell_volume() * box.velocity.read(a)[at];
        }
    return sum;
}

template <int D>
void expect_balance() {
    SwirlingPool<D> box;
    const LiquidFaces<D> faces{&box.phase, &box.open.area, nullptr};
    BubbleTracker<D> tracker;
    tracker.label = box.regions.label;
    tracker.bubbles.resize(box.regions.regions.size());
    const LostRegion lost[] = {{{1.2, 1.0, 1.1}, 3e-4, 0, {0.3, -0.2, 0.5}},    // deep
                               {{1.6, 1.58, 1.3}, 2e-4, 1, {0.1, 0.7, -0.4}},   // below the surface
                               {{2.33, 0.02, 2.3}, 1e-4, 2, {-0.2, 0.1, 0.3}},  // in a corner
                               {{0.87, 0.8, 0.4}, 1e-4, 3, {0.6, 0, 0.2}}};     // at the block
    const Vec<double, D> begin = momentum_of_liquid(box);
    Bubbles<D> bubbles;
    std::vector<Impulse<D>> owed;
    hand_over<D>(bubbles, lost, kAir, box.context, &owed);
    const Vec<double, D> taken = total_momentum(bubbles, box.context);
    EXPECT_GT(length(taken), 0.01);
    const double large = length(taken);
    const auto settle_up = [&](const char* what) {
        EXPECT_EQ(length(scatter_impulses<D>(box.velocity, owed, faces, kWater, box.context)), 0);
        owed.clear();
        const Vec<double, D> now = momentum_of_liquid(box) + total_momentum(bubbles, box.context);
        for (int a = 0; a < D; ++a) EXPECT_NEAR(now[a], begin[a], 1e-8 * large) << what << a;
    };
    settle_up("hand-over");
    // One of them rises through the surface.
    auto places = bubbles.position.write();
    places[1][1] = 1.7;
    owed = bubble_to_region(bubbles, tracker, box.domain.transform, box.context);
    EXPECT_EQ(owed.size(), 1u);
    EXPECT_EQ(bubbles.size(), 3u);
    settle_up("bubble_to_region");
}

TEST(ConstraintMomentum, BubblesAndLiquidKeepTheirSum) {
    expect_balance<2>();
    expect_balance<3>();
}

TEST(ConstraintMomentum, WithoutLiquidNothingTakesIt) {
    SwirlingPool<2> box;
    const LiquidFaces<2> faces{&box.phase, &box.open.area, nullptr};
    const Impulse<2> high[] = {{{1.2, 2.38}, {1, 2}}};  // 7.5 voxels over the surface
    EXPECT_EQ(length(scatter_impulses<2>(box.velocity, high, faces, kWater, box.context)), 0);
    box.settle([](const Point<2>& x) { return x[1] - 0.9; });
    const auto left = scatter_impulses<2>(box.velocity, high, faces, kWater, box.context);
    EXPECT_EQ(left[0], 1);
    EXPECT_EQ(left[1], 2);
}

/// A drop falls past nothing, and drifts; the air in it becomes too small for the grid and goes on
/// as a bubble. In free fall nothing lifts it: it stays in the drop. Nothing acts along x, so what
/// drop and bubble have of momentum there stays: the bubble's part is 2 % of it.
TEST(ConstraintMomentum, ADropWithABubbleDrifts) {
    const double h = 1e-3, v = 0.2;
    Scene s = tank(2, h, {80 * h, 112 * h, 1});
    s.domain.sides = s.domain.bottom = s.domain.top = Border::kOpen;
    s.physics.gravity = {0, -5, 0};
    s.physics.surface_tension = 0;
    s.physics.air_density = 500;
    s.liquids = {liquid_ball({20 * h, 90.3 * h, 0}, 12 * h),
                 liquid_ball({20.2 * h, 92.1 * h, 0}, 2.5 * h, LiquidMode::kHollow)};
    s.liquids[0].velocity = {v, 0, 0};
    constraint::Params p;
    p.small_bubbles = true;
    ConstraintRun<2> run(s, p);
    ASSERT_TRUE(run.until(0.01));
    run.params.smoothing = 16;
    const auto drift = [&] {
        double sum = 0;
        for (const auto& u : run.state.liquid.velocity) sum += u[0];
        return kWater * run.state.target_volume * sum / double(run.state.liquid.size());
    };
    const double begin = drift();
    double most = 0, worst = 0, worst_alone = 0;
    ASSERT_TRUE(run.until(0.15, [&] {
        const double bubble = total_momentum(run.state.small, run.context)[0];
        most = std::max(most, bubble / begin);
        worst = std::max(worst, std::abs(drift() + bubble - begin) / begin);
        worst_alone = std::max(worst_alone, std::abs(drift() - begin) / begin);
    })) << run.last.why;
    RecordProperty("bubble", std::to_string(most));
    RecordProperty("worst", std::to_string(worst));
    RecordProperty("alone", std::to_string(worst_alone));
    EXPECT_GT(most, 0.015);
    ASSERT_EQ(run.state.small.size(), 1u);
    Point<2> middle{};
    for (const auto& x : run.state.liquid.position) middle += x / double(run.state.liquid.size());
    EXPECT_LT(length(run.state.small.position[0] - middle), 6 * h) << "it does not rise";
    const double together = drift() + total_momentum(run.state.small, run.context)[0];
    RecordProperty("end", std::to_string(together / begin - 1));
    // The faces where the hollow was are liquid, but hardly a particle sees them at first.
    EXPECT_LT(worst, 0.6 * most);
    EXPECT_LT(std::abs(together / begin - 1), 0.5 * most);
    EXPECT_GT(worst_alone, 0.5 * most);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "run.h"
#include "spume/physics/motion/move_bubbles.h"
#include "spume/run/session.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

/// Runs a scene to a frame and returns the last one.
Frame frame_of(const std::string& text, int frames) {
    MethodParams params;
    const Scene scene = parse_scene(
        text, "swarm.toml", {}, [&](Scene& s, SceneDocument& d) { params = read_method(s, d); });
    Context context(1);
    const auto run = start_session(scene, params, {}, context);
    for (int f = 1; f <= frames; ++f) run->advance_frame(f);
    return run->view();
}

double mean_height(const Frame& frame) {
    for (const PointSet& points : frame.points)
        if (points.name == "bubbles") {
            double sum = 0;
            for (const auto& x : points.position) sum += x[1];
            return sum / double(points.position.size());
        }
    return 0;
}

/// A ball of bubbles low in a tank whose walls are shut, full of liquid.
std::string swarm(const std::string& method, double fraction) {
    return fmt::format(R"(version = 1
method = "{}"
[time]
fps = 24
frames = 12
[domain]
lower = [0, 0, 0]
upper = [0.4, 0.8, 0.4]
divisions = 32
sides = "wall"
bottom = "wall"
top = "wall"
[[emitter]]
mode = "seed"
radius = 1.5e-3
fraction = {}
[emitter.shape]
kind = "sphere"
center = [0.2, 0.2, 0.2]
radius = 0.08
{})",
                       method, fraction,
                       method == "constraint" ? R"([whitewater]
[[liquid]]
[liquid.shape]
kind = "box"
center = [0.2, 0.4, 0.2]
size = [0.5, 0.9, 0.5]
)"
                                              : "");
}

TEST(ConstraintWhitewater, ASwarmInAClosedTankRisesAsInTheMixture) {
    for (const double fraction : {0.02, 0.1}) {
        const double live = mean_height(frame_of(swarm("constraint", fraction), 12)) - 0.2,
                     alone = mean_height(frame_of(swarm("mixture", fraction), 12)) - 0.2;
        RecordProperty(fmt::format("ratio_{}", fraction), std::to_string(live / alone));
        EXPECT_NEAR(live / alone, 1, 0.05) << fraction << ": " << live << " " << alone;
    }
}

/// Nothing acts on a drop in free space but its bubbles on it, and it on them: heavy air that flies
/// through it is slowed down, some of it leaves, and what both have of momentum stays.
template <int D>
void expect_momentum_kept() {
    const double h = 0.01, size = D == 2 ? 0.64 : 0.4, air = 300;
    Scene s = tank(D, h, {size, size, size});
    s.domain.sides = s.domain.bottom = s.domain.top = Border::kOpen;
    s.physics.gravity = {0, 0, 0};
    s.physics.surface_tension = 0;
    s.physics.air_density = air;
    s.liquids = {liquid_ball({size / 2, size / 2, size / 2}, size / 4)};
    s.whitewater.on = true;
    Emitter e;
    e.mode = EmitMode::kSeed;
    e.shape.kind = ShapeKind::kSphere;
    e.shape.center = {size / 2 + 0.02, size / 2, size / 2};
    e.shape.radius = size / 8;
    e.fraction = 0.15;
    e.radius = 2e-3;
    s.emitters = {e};
    ConstraintRun<D> run(s, {});
    // Liquid makes room for what appeared in it; then there is as much of it as its faces say.
    for (int i = 1; i <= 24; ++i) ASSERT_TRUE(run.one_step(i * 1e-3));
    ASSERT_GT(run.state.small.size(), 100u);
    for (auto& v : run.state.small.velocity.write()) v[0] = 1.5, v[1] = 0.4;
    const auto momentum = [&] {
        Vec<double, D> sum{};
        for (const auto& u : run.state.liquid.velocity) sum += u;
        sum = sum * (1000 * run.state.target_volume / double(run.state.liquid.size()));
        return sum + total_momentum(run.state.small, run.context);
    };
    const Vec<double, D> begin = momentum(), bubbles = total_momentum(run.state.small, run.context);
    double worst = 0;
    ASSERT_TRUE(run.until(0.15, [&] {
        worst = std::max(worst, length(momentum() - begin) / length(bubbles));
    })) << run.last.why;
    testing::Test::RecordProperty("worst", std::to_string(worst));
    EXPECT_LT(length(total_momentum(run.state.small, run.context)), 0.5 * length(bubbles))
        << "the liquid has it";
    EXPECT_LT(worst, 0.1);
}

TEST(ConstraintWhitewater, DropAndBubblesKeepTheirMomentum) {
    expect_momentum_kept<2>();
    expect_momentum_kept<3>();
}

/// How far below its mouth a jet of liquid carries the air that it brings along, `share` of it.
double depth_of_jet(double share) {
    const double h = 1.0 / 64, width = 3 * h, speed = 1.5;
    Scene s = tank(2, h, {0.75, 1.0, 1});
    s.liquids = {liquid_box({-1, -1, -1}, {2, 0.8, 1}),
                 liquid_box({0.375 - width / 2, 0.72, -1}, {0.375 + width / 2, 0.75, 1},
                            LiquidMode::kSource)};
    s.liquids[1].velocity = {0, -speed, 0};
    s.whitewater.on = true;
    Emitter e;
    e.shape.kind = ShapeKind::kBox;
    e.shape.center = {0.375, 0.69, 0};
    e.shape.size = {width, 2 * h, 1};
    e.rate = share * speed * width;
    e.radius = 1e-3;
    e.velocity = {0, -speed, 0};
    s.emitters = {e};
    ConstraintRun<2> run(s, {});
    double sum = 0, volume = 0;
    EXPECT_TRUE(run.until(1.2, [&] {
        if (run.state.time < 0.6) return;
        for (const auto& x : run.state.small.position) sum += 0.7 - x[1], volume += 1;
    })) << run.last.why;
    return sum / volume;
}

TEST(ConstraintWhitewater, ABubblyJetIsShallowerTheMoreAirItCarries) {
    const double little = depth_of_jet(0.02), more = depth_of_jet(0.1), much = depth_of_jet(0.3);
    RecordProperty("depths", fmt::format("{} {} {}", little, more, much));
    EXPECT_LT(more, 0.95 * little);
    EXPECT_LT(much, 0.9 * more);
}

}  // namespace
}  // namespace spume

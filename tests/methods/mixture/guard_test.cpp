// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/guard.h"

#include <limits>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/methods/mixture/mixture.h"

namespace spume::mixture {
namespace {

Scene small_column() {
    Scene scene;
    scene.domain.dimensions = 2;
    scene.domain.lower = {0, 0, 0};
    scene.domain.upper = {0.32, 0.32, 0};
    scene.domain.voxel = 0.01;
    scene.domain.bottom = Border::kWall;
    Emitter e;
    e.name = "seed";
    e.mode = EmitMode::kSeed;
    e.count = 60;
    e.radius = 1e-3;
    e.shape.kind = ShapeKind::kSphere;
    e.shape.center = {0.16, 0.12, 0};
    e.shape.radius = 0.05;
    scene.emitters = {e};
    return scene;
}

struct Poison {
    std::string stage, field;
    std::size_t place = 0;
    double value = 0;
    bool done = false;
};

TEST(Guard, FindsEveryPoisonedValueInItsSubstep) {
    const mixture::Params params;
    const Scene scene = small_column();
    Context context(2);
    auto world = mixture::world_of<2>(scene, params, {});
    auto state = mixture::init<2>(world, params, context);
    mixture::step(state, params, world, {0, 1.0 / 48}, context);

    // Learn what is watched, in which order.
    std::vector<std::pair<std::string, std::string>> watched;
    context.spoil = [&](std::string_view stage, std::string_view field, std::span<double>) {
        watched.emplace_back(stage, field);
    };
    auto copy = state;
    mixture::step(copy, params, world, {copy.time, copy.time + 1.0 / 48}, context);
    ASSERT_GE(watched.size(), 8u);

    const double kinds[] = {std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};
    for (std::uint64_t n = 0; n < 1000; ++n) {
        const Random random(17, n, 0, Purpose::kTest);
        const std::size_t target = std::size_t(random.uniform(0) * double(watched.size()));
        Poison poison;
        std::size_t calls = 0;
        context.spoil = [&](std::string_view stage, std::string_view field,
                            std::span<double> values) {
            if (calls++ != target || poison.done) return;
            // Any place but the shared zero tile, which no cell owns.
            const bool grid = field.find("water") == 0 || field.find("pressure") == 0;
            const std::size_t room = values.size() - (grid ? kTileCells<2> : 0);
            poison = {std::string(stage), std::string(field),
                      std::size_t(random.uniform(1) * double(room)), kinds[n % 3], true};
            values[poison.place] = poison.value;
        };
        copy = state;
        const StepReport report =
            mixture::step(copy, params, world, {copy.time, copy.time + 1.0 / 48}, context);
        ASSERT_TRUE(poison.done);
        ASSERT_TRUE(report.failed) << n;
        ASSERT_EQ(report.bad.size(), 1u);
        const BadValue& bad = report.bad[0];
        EXPECT_EQ(bad.stage, poison.stage);
        EXPECT_EQ(bad.field.find(poison.field), 0u) << bad.field << " for " << poison.field;
        EXPECT_EQ(std::isnan(bad.value), std::isnan(poison.value));
        if (poison.field.find("water") == 0 || poison.field == "pressure") {
            const int tile = int(poison.place / kTileCells<2>);
            const Index<2> cell =
                copy.grid.tiles->origin(tile) + tile_local<2>(int(poison.place % kTileCells<2>));
            EXPECT_EQ(bad.cell[0], cell[0]);
            EXPECT_EQ(bad.cell[1], cell[1]);
            EXPECT_NEAR(bad.position[0], cell[0] * 0.01, 0.0051);
            EXPECT_EQ(bad.neighbours.size(), 4u);
        } else {
            EXPECT_NE(bad.field.find("of bubble"), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace spume::mixture

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/constraint/density_correction.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "run.h"
#include "spume/methods/constraint/density_error.h"
#include "spume/methods/constraint/substep_geometry.h"

namespace spume {
namespace {

/// Density error of the particles of a run as they are, by the surface around them.
template <int D>
struct DensityError {
    constraint::RebuiltGeometry<D> geometry;
    CellField<float, D> density_error;
    double volume = 0;  ///< of the liquid, in cells

    explicit DensityError(ConstraintRun<D>& run) {
        const auto solids = constraint::solids_at<D>(run.world, run.state.rigid, run.state.time);
        geometry = constraint::rebuild_geometry(run.state, run.params, run.world, solids,
                                                run.state.velocity, run.state.time, run.context);
        const auto& f = geometry.volumes;
        density_error = constraint::density_error_in(geometry, run.state, run.world,
                                                     constraint::BubblesOnGrid<D>{}, run.context);
        for (int t = 0; t < run.state.grid.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                volume += double(f.reconstructed.at(t, o)) * double(f.open.at(t, o));
    }
    double sum() const {
        double s = 0;
        for (const float e : density_error.values()) s += double(e);
        return s;
    }
};

/// A tank half full in which nothing pushes.
template <int D>
Scene still_tank() {
    Scene s = tank(D, 1.0 / 32, {1, 1, D == 2 ? 1 : 0.25});
    s.physics.surface_tension = 0;
    s.physics.gravity = {0, 0, 0};
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 1})};
    return s;
}

/// More particles on the left, fewer on the right, by a part `uneven` of all.
template <int D>
void press_to_the_left(ConstraintRun<D>& run, double uneven) {
    for (auto& x : run.state.liquid.position.write()) {
        const double middle = 0.5 / (1 + uneven);
        x[0] = x[0] < 0.5 ? x[0] / 0.5 * middle : middle + (x[0] - 0.5) / 0.5 * (1 - middle);
    }
}

/// Of the left half: the density error a cell of liquid, its part of the liquid and of the
/// particles.
struct LeftHalf {
    double density_error = 0, volume = 0, particles = 0;
};
template <int D>
LeftHalf left_half(ConstraintRun<D>& run) {
    const DensityError<D> error(run);
    double e = 0, volume = 0;
    for (int t = 0; t < run.state.grid.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (error.density_error.position(t, o)[0] > 0.5) continue;
            e += double(error.density_error.at(t, o));
            volume += double(error.geometry.volumes.reconstructed.at(t, o)) *
                      double(error.geometry.volumes.open.at(t, o));
        }
    double count = 0;
    for (const auto& x : run.state.liquid.position.read()) count += x[0] < 0.5;
    return {e / volume, volume / error.volume, count / double(run.state.liquid.size())};
}

template <int D>
void expect_the_sum_of_missing_volume() {
    ConstraintRun<D> run(still_tank<D>(), {});
    const double cell = std::pow(1.0 / 32, D);
    for (const double more : {0.0, 0.03, -0.05}) {
        run.state.target_volume = run.state.volume * (1 + more);
        const DensityError<D> error(run);
        EXPECT_NEAR(error.sum(), run.state.target_volume / cell - error.volume, 1e-5 * error.volume)
            << more;
    }
}
TEST(ConstraintDensityCorrection, ErrorAddsUpToTheVolumeThatIsMissing) {
    expect_the_sum_of_missing_volume<2>();
    expect_the_sum_of_missing_volume<3>();
}

TEST(ConstraintDensityCorrection, ErrorShowsWhereParticlesAre) {
    ConstraintRun<2> run(still_tank<2>(), {});
    press_to_the_left(run, 0.2);
    const DensityError<2> error(run);
    double left = 0, right = 0;
    for (int t = 0; t < run.state.grid.tiles->active(); ++t)
        for (int o = 0; o < kTileCells<2>; ++o) {
            const Point<2> x = error.density_error.position(t, o);
            if (x[0] > 0.1 && x[0] < 0.3) left += double(error.density_error.at(t, o));
            if (x[0] > 0.7 && x[0] < 0.9) right += double(error.density_error.at(t, o));
        }
    // A fifth more in the left half, 1/1.2 of the room there; 0.2 m of 0.5 in a pool half a metre
    // deep are 32²/10 cells.
    EXPECT_NEAR(left / (32 * 32 * 0.1), 0.2, 0.03);
    EXPECT_NEAR(right / (32 * 32 * 0.1), 1 / (2 - 1 / 1.2) - 1, 0.03);
}

template <int D>
void expect_correction_without_motion() {
    const double uneven = 0.4;
    ConstraintRun<D> run(still_tank<D>(), {});
    const double count = double(run.state.liquid.size());
    press_to_the_left(run, uneven);
    const LeftHalf pressed = left_half(run);
    EXPECT_GT(pressed.density_error, 0.15);
    EXPECT_NEAR(pressed.particles, 0.611, 0.005);
    EXPECT_NEAR(pressed.volume, 0.5, 0.005);
    for (int n = 0; n < 60; ++n) ASSERT_TRUE(run.one_step(run.state.time + 0.01));
    const LeftHalf led = left_half(run);
    EXPECT_LT(std::abs(led.density_error), D == 2 ? 0.12 : 0.06) << "even but for the noise";
    EXPECT_NEAR(led.volume, led.particles, D == 2 ? 0.06 : 0.03)
        << "it stands higher where they are";
    EXPECT_GT(led.volume, 0.53);
    EXPECT_LT(run.fastest, 1e-9) << "and nothing has got any velocity";
    EXPECT_NEAR(double(run.state.liquid.size()), count, 0.02 * count);

    constraint::Params off;
    off.liquid_correction = false;
    ConstraintRun<D> left(still_tank<D>(), off);
    press_to_the_left(left, uneven);
    for (int n = 0; n < 60; ++n) ASSERT_TRUE(left.one_step(left.state.time + 0.01));
    EXPECT_GT(left_half(left).density_error, 0.15) << "nobody leads them";
}
TEST(ConstraintDensityCorrection, EvensWithoutGivingVelocity2D) {
    expect_correction_without_motion<2>();
}
TEST(ConstraintDensityCorrection, EvensWithoutGivingVelocity3D) {
    expect_correction_without_motion<3>();
}

/// Water that sloshes hard: holes are filled from full cells, and nothing is made or lost.
TEST(ConstraintDensityCorrection, SloshingKeepsTheParticles) {
    Scene s = tank(3, 1.0 / 24, {1, 1, 0.5});
    s.liquids = {liquid_box({0, 0, -1}, {0.4, 0.8, 1})};
    ConstraintRun<3> run(s, {});
    const double count = double(run.state.liquid.size());
    double most = 0;
    ASSERT_TRUE(run.until(1.0, [&] {
        most = std::max(most, std::abs(double(run.state.liquid.size()) / count - 1));
    }));
    RecordProperty("most", std::to_string(most));
    EXPECT_LT(most, 0.02);
}

/// Particles of a film that lie flat on the floor: the surface passes over them until they are as
/// many as there is no room for.
TEST(ConstraintDensityCorrection, FullCellsAreLiquid) {
    Context context(1);
    const auto tiles = Tiles<2>::dense({{0, 0}, {16, 16}}, {0.1, {0, 0}});
    LevelSet<2> phi(tiles);
    for (double& v : phi.values().write()) v = 0.03;
    CellField<std::uint8_t, 2> open(tiles);
    for (std::uint8_t& k : open.values().write()) k = 1;
    CellRanges<2> cells;
    cells.begin = Array<std::uint32_t>(std::size_t(kTileCells<2>) + 1, 0);
    auto begin = cells.begin.write();
    const int counts[] = {3, 5, 6, 8, 40};
    for (std::size_t i = 0; i < kTileCells<2>; ++i)
        begin[i + 1] = begin[i] + std::uint32_t(i < 5 ? counts[i] : 0);
    constraint::cover_full_cells(phi, cells, open, 4.0, context);
    EXPECT_EQ(phi.at(0, 0), 0.03);
    EXPECT_EQ(phi.at(0, 1), 0.03) << "five where four belong may be chance";
    EXPECT_NEAR(phi.at(0, 2), -0.0125, 1e-12) << "6/4 − 1.25 of half a voxel";
    EXPECT_NEAR(phi.at(0, 3), -0.0375, 1e-12);
    EXPECT_NEAR(phi.at(0, 4), -0.05, 1e-12) << "half a voxel at most";
    EXPECT_EQ(phi.at(0, 5), 0.03);
}

/// [GB17] Figure 1, coarse. Air rises through the neck, 6 cm wide, as fast as a slug of that width:
/// 0.333 √(g d) over its area, which is what the law of Clanet & Searby [CS04] says too. The flow
/// between 1 and 3.5 s, over the law's.
double cooler_flow(std::uint64_t seed) {
    Scene s = tank(3, 0.6 / 40, {});
    s.seed = seed;
    s.domain.lower = {-0.15, -0.3, -0.15};
    s.domain.upper = {0.15, 0.3, 0.15};
    s.time.fps = 30;
    s.solids = {solid_box({-0.2, -0.02, -0.2}, {-0.03, 0.02, 0.2}),
                solid_box({0.03, -0.02, -0.2}, {0.2, 0.02, 0.2}),
                solid_box({-0.031, -0.02, -0.2}, {0.031, 0.02, -0.03}),
                solid_box({-0.031, -0.02, 0.03}, {0.031, 0.02, 0.2})};
    s.liquids = {liquid_box({-0.2, -0.02, -0.2}, {0.2, 0.26, 0.2})};
    ConstraintRun<3> run(s, {}, 2);
    const auto above = [&] {
        const int k = run.region_at({0.1, 0.295, 0.1});
        return k < 0 ? 0.0 : run.state.air.bubbles[std::size_t(k)].volume;
    };
    EXPECT_NEAR(above(), 0.3 * 0.3 * 0.04, 1e-4);
    EXPECT_TRUE(run.until(1));
    const double later = above();
    EXPECT_TRUE(run.until(3.5));
    EXPECT_NEAR(run.state.volume / run.state.target_volume, 1, 0.005);
    const double area = 0.06 * 0.06, width = 2 * std::sqrt(area / std::numbers::pi);
    return (above() - later) / 2.5 / (0.333 * std::sqrt(9.81 * width) * area);
}

/// The cooler used to stop after two seconds, with a jet that fell on and never filled the pool.
/// With four voxels across the neck the flow of a run is a matter of chance: of eight seeds it was
/// 0.32 to 0.55 of the law's, 0.43 ± 0.03 in the mean; with five voxels it is 0.6, with ten 0.8.
/// So the mean of four is held to three standard errors below, and to what the ten voxels reach.
TEST(DeepConstraintDensityCorrection, WaterCoolerGlugsOn) {
    double mean = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const double flow = cooler_flow(seed);
        RecordProperty("seed_" + std::to_string(seed), std::to_string(flow));
        EXPECT_GT(flow, 0.2) << "it stops, seed " << seed;
        mean += flow / 4;
    }
    EXPECT_GT(mean, 0.3);
    EXPECT_LT(mean, 0.8);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <map>

#include <gtest/gtest.h>

#include "methods/mixture/mixture_run.h"
#include "spume/methods/mixture/tension.h"
#include "spume/particles/transfer.h"

namespace spume::mixture {
namespace {

constexpr double kVoxel = 4e-3, kRadius = 2e-3;

/// How long bubbles have been slower than half their terminal slip.
struct Slowness {
    std::map<std::uint64_t, double> since;  ///< by id
    double longest = 0;

    void watch(MixtureRun<3>& run) {
        Bubbles<3> bubbles = run.state.bubbles;
        const auto ranges =
            sort_by_tile(bubbles, run.state.grid.tiles, run.context, run.world.domain.clamp());
        std::vector<double> slip(bubbles.size());
        gather_from_faces<double, 3>(
            bubbles.position.read(), ranges, run.world.domain.clamp(), run.state.water,
            [&](std::size_t q, const Vec<double, 3>& u) {
                slip[q] = bubbles.velocity[q][1] - u[1];
            },
            run.context);
        for (std::size_t q = 0; q < bubbles.size(); ++q) {
            const double enough =
                0.5 * terminal_speed(bubbles.radius[q], run.scene.physics.water_density,
                                     run.scene.physics.air_density);
            if (slip[q] >= enough) since[bubbles.id[q]] = run.state.time;
            longest = std::max(longest, run.state.time - since[bubbles.id[q]]);
        }
    }
};

/// Lone bubbles of half a voxel, and one crowd within a voxel, anywhere between the faces, at the
/// densities and surface tension of [WSB25] Fig. 10. The longest time that any has been slow.
double longest_stop(bool filter, bool compensate) {
    Scene scene = open_water(kVoxel, {-0.08, 0, -0.08}, {0.08, 0.4, 0.08});
    scene.physics.water_density = 10;
    scene.physics.air_density = 1;
    scene.physics.surface_tension = 0.0072;
    mixture::Params params;
    params.surface_tension = true;
    params.fraction_filter = filter;
    params.drift_compensation = compensate;
    params.padding = 0;
    MixtureRun<3> run(scene, params);
    const auto at = [](double x, double y, double z) {
        return Point<3>{x * kVoxel, 0.04 + y * kVoxel, z * kVoxel};
    };
    run.add(at(-8.5, 0.5, -8.5), kRadius, 1);
    run.add(at(-8, 0, 8), kRadius, 1);
    run.add(at(8.3, 0.1, -8.2), kRadius, 1);
    run.add(at(8.5, 0.3, 8), kRadius, 1);
    run.add(at(0.3, 0.4, 0.3), kRadius / 2, 1);
    run.add(at(0.7, 0.6, 0.4), kRadius / 2, 1);
    run.add(at(0.5, 0.3, 0.7), kRadius / 2, 1);
    Slowness slow;
    while (run.state.time < 0.3 && !run.failed) {
        run.until(run.state.time + 0.01);
        slow.watch(run);
    }
    EXPECT_FALSE(run.failed);
    return slow.longest;
}

TEST(LoneBubbles, NoneSticksWithTheFractionFilter) {
    EXPECT_LE(longest_stop(true, true), 0.1);
    EXPECT_LE(longest_stop(true, false), 0.1);
}

/// [WSB25] Fig. 10 as the paper has it: its voxel, densities, surface tension, scheme, and
/// curvature as printed. Lone bubbles and lone markers in water at rest; the longest time that any
/// rises slower than half its terminal slip.
double longest_stop_as_printed(bool filter) {
    const double h = 1.25e-3;
    Scene scene = open_water(h, {-20 * h, 0, -20 * h}, {20 * h, 80 * h, 20 * h});
    scene.physics.water_density = 10;
    scene.physics.air_density = 1;
    scene.physics.surface_tension = 0.0072;
    mixture::Params params;
    params.surface_tension = true;
    params.scheme = Scheme::kStabilized;
    params.newton_iterations = 3;
    params.curvature_smoothing = 0;
    params.resolved_air = false;
    params.padding = 0;
    params.fraction_filter = filter;
    MixtureRun<3> run(scene, params);
    run.add({-8.3 * h, 20.1 * h, -8.2 * h}, 0.5 * h, 1);
    run.add({8.5 * h, 20.5 * h, -8 * h}, 0.5 * h, 1);
    run.add({-8.2 * h, 20.8 * h, 8.3 * h}, std::sqrt(0.75) * h, 1);
    run.add({8.1 * h, 20.4 * h, 8.4 * h}, std::sqrt(0.75) * h, 1);
    // A rise speed is a mean over kLook: bubbles tremble in the hollow they are caught in.
    constexpr double kLook = 0.02;
    std::map<std::uint64_t, double> height, since;
    double longest = 0;
    for (int look = 0; look * kLook < 0.15 && !run.failed; ++look) {
        const Bubbles<3>& b = run.state.bubbles;
        for (std::size_t q = 0; q < b.size(); ++q) {
            const double enough = 0.5 * kLook * terminal_speed(b.radius[q], 10, 1);
            if (look == 0 || b.position[q][1] - height[b.id[q]] >= enough)
                since[b.id[q]] = run.state.time;
            height[b.id[q]] = b.position[q][1];
            longest = std::max(longest, run.state.time - since[b.id[q]]);
        }
        run.until((look + 1) * kLook);
    }
    EXPECT_FALSE(run.failed);
    return longest;
}

TEST(LoneBubbles, StickWithoutTheFilterAsInTheFigure) {
    EXPECT_LE(longest_stop_as_printed(true), 0.1);
    EXPECT_GT(longest_stop_as_printed(false), 0.1);
}

}  // namespace
}  // namespace spume::mixture

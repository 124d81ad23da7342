// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "run.h"

// The surface around the particles of the start, beside the scene's shapes.

namespace spume {
namespace {

/// Root of the mean square and largest distance between the two, in voxels, at cells next to the
/// surface.
template <int D, class Distance>
std::pair<double, double> bumps(const Scene& scene, const Distance& distance) {
    constraint::Params params;
    params.surface_memory = 0;  // otherwise the first surface is the scene's itself
    const ConstraintRun<D> run(scene, params);
    const LevelSet<D>& phi = run.state.phi;
    const double h = phi.tiles()->voxel();
    double sum = 0, most = 0;
    int count = 0;
    for (int t = 0; t < phi.tiles()->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Point<D> x = phi.position(t, o);
            bool inside = true;
            for (int a = 0; a < D; ++a) inside = inside && x[a] > 0 && x[a] < 1;
            const double exact = distance(x);
            if (!inside || std::abs(exact) > 0.6 * h) continue;
            const double error = (phi.at(t, o) - exact) / h;
            sum += error * error;
            most = std::max(most, std::abs(error));
            ++count;
        }
    return {std::sqrt(sum / count), most};
}

template <int D>
void flat_pool() {
    Scene scene = tank(D, 1.0 / 32, {1, 1, 1});
    scene.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 2})};
    const auto [mean, most] = bumps<D>(scene, [](const Point<D>& x) { return x[1] - 0.5; });
    // Without the fit 0.10 and 0.22, in 3D 0.062 and 0.21; without filled gaps 3D 0.022 and 0.12.
    EXPECT_LT(mean, 0.02);
    EXPECT_LT(most, 0.1);
}
TEST(ConstraintStart, SurfaceOfParticlesIsFlat2D) { flat_pool<2>(); }
TEST(ConstraintStart, SurfaceOfParticlesIsFlat3D) { flat_pool<3>(); }

TEST(ConstraintStart, SurfaceOfParticlesIsRound) {
    Scene scene = tank(2, 1.0 / 32, {1, 1, 1});
    scene.liquids = {liquid_box({0, 0, -1}, {1, 1, 1}),
                     liquid_ball({0.51, 0.48, 0}, 0.2, LiquidMode::kHollow)};
    const auto [mean, most] = bumps<2>(scene, [](const Point<2>& x) {
        return 0.2 - length(x - Point<2>{0.51, 0.48});
    });
    // Without the fit 0.10 and 0.20; the filter of the surface moves it by a few hundredths.
    EXPECT_LT(mean, 0.05);
    EXPECT_LT(most, 0.13);
}

}  // namespace
}  // namespace spume

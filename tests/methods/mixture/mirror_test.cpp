// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "methods/mixture/tension_run.h"

namespace spume::mixture {
namespace {

constexpr double kVoxel = 1e-3;

/// Largest distance, in voxels, between the particles and their mirror images about the middle of
/// the box, of the nearest partner each; and the same for the water on faces, over its largest
/// speed.
struct Asymmetry {
    double particles = 0, water = 0;
};

template <int D>
Asymmetry asymmetry_of(const MixtureRun<D>& run, int cells, int axis) {
    Asymmetry r;
    const auto x = run.state.bubbles.position.read();
    const double width = cells * kVoxel;
    for (const Point<D>& one : x) {
        Point<D> image = one;
        image[axis] = width - image[axis];
        double nearest = 1;
        for (const Point<D>& other : x) nearest = std::min(nearest, length(other - image));
        r.particles = std::max(r.particles, nearest / kVoxel);
    }
    const FaceField<double, D>& u = run.state.water;
    const Tiles<D>& tiles = *u.tiles();
    const auto value = [&](int a, const Index<D>& face) {
        const Index<D> key = tile_of<D>(face);
        return u.at(a, tiles.find(key), tile_offset<D>(face - key * kTileSide<D>));
    };
    double most = 0;
    for (int a = 0; a < D; ++a)
        for (int t = 0; t < tiles.active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                Index<D> face = tiles.origin(t) + tile_local<D>(o);
                bool inside = true;
                for (int d = 0; d < D; ++d) inside = inside && face[d] >= 1 && face[d] < cells;
                if (!inside) continue;
                const double here = value(a, face);
                face[axis] = cells - face[axis] - (a == axis ? 0 : 1);
                const double there = value(a, face) * (a == axis ? -1 : 1);
                most = std::max(most, std::abs(here));
                r.water = std::max(r.water, std::abs(here - there));
            }
    r.water /= most;
    return r;
}

/// A resting bubble seeded symmetrically stays symmetric in every stage of the substep: what is
/// left is rounding and the solver's tolerance.
template <int D>
void expect_mirror_images(int cells, int substeps) {
    mixture::Params params = hero_params();
    params.drag = 1;
    params.pressure_tolerance = 1e-12;
    MixtureRun<D> run(hero_scene<D>(cells, kVoxel, 0.072, 1, 1000), params);
    const double radius = 4.3 * kVoxel;
    fill(run, Point<D>::filled(cells / 2 * kVoxel), radius, 2, std::sqrt(D / 4.0) * kVoxel,
         [&](const Point<D>& x) { return length(x) < radius; });
    for (int n = 0; n < substeps; ++n) {
        const double dt = mixture::max_dt(run.state, params, run.world, run.context).seconds;
        ASSERT_TRUE(run.until(run.state.time + dt));
    }
    for (int axis = 0; axis < D; ++axis) {
        const auto off = asymmetry_of(run, cells, axis);
        EXPECT_LE(off.particles, 1e-8) << D << "D, axis " << axis;
        EXPECT_LE(off.water, 1e-7) << D << "D, axis " << axis;
    }
    EXPECT_GT(run.fastest, 0);
}
TEST(MirrorImages, SurviveSubsteps2D) { expect_mirror_images<2>(16, 10); }
TEST(MirrorImages, SurviveSubsteps3D) { expect_mirror_images<3>(16, 5); }

}  // namespace
}  // namespace spume::mixture

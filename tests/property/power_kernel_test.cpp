// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/particles/bubbles.h"
#include "spume/particles/power_resume.h"
#include "spume/particles/transfer.h"

namespace spume {
namespace {

constexpr double kVoxel = 0.01;

/// Random particles of 1 / 2^D of a cell each in a box of cells, all in dense tiles.
template <int D>
struct Crowd {
    Bubbles<D> set;
    std::vector<double> volumes;
    TileRanges<D> ranges;
    Clamp<D> clamp;
    PowerReport report;
    Context context;

    Crowd(int cells, double per_cell, bool walls, int threads = 2, std::uint64_t seed = 3)
        : context(threads) {
        const int margin = walls ? 0 : 5;
        const Box<int, D> box{Index<D>::filled(-margin), Index<D>::filled(cells + margin)};
        if (walls) clamp = Clamp<D>::closed(box);
        const double room = std::pow(cells, D);
        resize(set, std::size_t(per_cell * room));
        auto x = set.position.write();
        auto id = set.id.write();
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = Random(seed, i, 0, Purpose::kTest).uniform_vec<D>(0) * (cells * kVoxel);
            id[i] = set.next_id++;
        }
        const auto tiles = Tiles<D>::dense(box, {kVoxel, {}});
        ranges = sort_by_tile(set, tiles, context, clamp);
        volumes.assign(set.size(), std::pow(kVoxel / 2, D));
    }
    void make(const PowerOptions& options = {}) {
        ranges.power =
            power_kernel<D>(set.position.read(), volumes, ranges, clamp, options, report, context);
    }
    void make_from(const std::vector<float>& start) {
        ranges.power = resumed_power_kernel<D>(set.position.read(), volumes, start, ranges, clamp,
                                               {}, report, context);
    }
    std::vector<float> scales() const {
        return {ranges.power->scale.begin(), ranges.power->scale.end()};
    }
    FaceField<double, D> fractions() {
        std::array<FaceField<double, D>, 1> out;
        scatter_to_faces<double, D, 1>(
            set.position.read(), ranges, clamp,
            [&](std::size_t q, int) {
                return std::array<double, 1>{volumes[q] / std::pow(kVoxel, D)};
            },
            out, context);
        return out[0];
    }
};

template <int D>
double largest(const FaceField<double, D>& field) {
    double most = 0;
    for (int a = 0; a < D; ++a)
        for (double v : field.component(a)) most = std::max(most, v);
    return most;
}

/// A function of space on faces.
template <int D, class F>
FaceField<double, D> on_faces(const typename Tiles<D>::Ptr& tiles, F&& f) {
    FaceField<double, D> r(tiles);
    for (int a = 0; a < D; ++a) {
        double* v = r.write(a);
        for (int t = 0; t < tiles->zero(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                v[std::size_t(t) * kTileCells<D> + std::size_t(o)] = f(r.position(a, t, o));
    }
    return r;
}

template <int D>
void expect_air_fits(bool walls) {
    Crowd<D> crowd(10, 0.8 * (1 << D), walls);
    EXPECT_GT(largest(crowd.fractions()), 1.2) << "no crowd, no test";
    crowd.make();
    const auto phi = crowd.fractions();
    EXPECT_LE(largest(phi), 1 + 1e-3);
    EXPECT_LE(crowd.report.excess, 1e-3);
    const double air = std::accumulate(crowd.volumes.begin(), crowd.volumes.end(), 0.0);
    for (int a = 0; a < D; ++a) {
        const auto& v = phi.component(a);
        const double sum = std::accumulate(v.begin(), v.end(), 0.0) * std::pow(kVoxel, D);
        EXPECT_NEAR(sum / air, 1, 1e-12) << "axis " << a << " walls " << walls;
    }
}
TEST(PowerKernel, AirFitsAndIsKept) {
    for (bool walls : {false, true}) {
        expect_air_fits<2>(walls);
        expect_air_fits<3>(walls);
    }
}

template <int D>
void expect_linear_at_centroids() {
    Crowd<D> crowd(8, 0.7 * (1 << D), false);
    crowd.make();
    Vec<double, D> slope{};
    for (int a = 0; a < D; ++a) slope[a] = 1 + 2 * a;
    const auto one = on_faces<D>(crowd.ranges.tiles, [](const Point<D>&) { return 1.0; });
    const auto linear =
        on_faces<D>(crowd.ranges.tiles, [&](const Point<D>& x) { return 3 + dot(slope, x); });
    const auto moved = centroids(*crowd.ranges.power, crowd.context);
    double far = 0, ones = 0, shift = 0;
    gather_from_faces<double, D, 2>(
        crowd.set.position.read(), crowd.ranges, crowd.clamp, {&one, &linear},
        [&](std::size_t q, const std::array<Vec<double, D>, 2>& v) {
            for (int a = 0; a < D; ++a) {
                ones = std::max(ones, std::abs(v[0][a] - 1));
                far = std::max(far, std::abs(v[1][a] - 3 - dot(slope, moved[q])));
            }
            shift = std::max(shift, length(moved[q] - crowd.set.position[q]));
        },
        crowd.context);
    EXPECT_LT(ones, 1e-13);
    EXPECT_LT(far, 1e-13);
    EXPECT_GT(shift, 0.05 * kVoxel);
    EXPECT_LT(shift, 1.5 * kVoxel);
}
TEST(PowerKernel, InterpolatesLinearFunctionsAtTheCentroid) {
    expect_linear_at_centroids<2>();
    expect_linear_at_centroids<3>();
}

template <int D>
void expect_adjoint(bool walls) {
    Crowd<D> crowd(7, 4, walls);
    crowd.make();
    std::uint64_t n = 0;
    const auto f = on_faces<D>(crowd.ranges.tiles, [&](const Point<D>&) {
        return Random(5, n++, 0, Purpose::kTest).uniform(0) - 0.5;
    });
    const auto value = [](std::size_t q, int a) {
        return Random(6, q, std::uint32_t(a), Purpose::kTest).uniform(0) - 0.5;
    };
    std::array<FaceField<double, D>, 1> sums;
    scatter_to_faces<double, D, 1>(
        crowd.set.position.read(), crowd.ranges, crowd.clamp,
        [&](std::size_t q, int a) { return std::array<double, 1>{value(q, a)}; }, sums,
        crowd.context);
    double on_grid = 0, on_particles = 0, size = 0;
    for (int a = 0; a < D; ++a)
        for (std::size_t i = 0; i < f.component(a).size(); ++i) {
            on_grid += f.component(a)[i] * sums[0].component(a)[i];
            size += std::abs(f.component(a)[i] * sums[0].component(a)[i]);
        }
    Context one(1);
    gather_from_faces<double, D>(
        crowd.set.position.read(), crowd.ranges, crowd.clamp, f,
        [&](std::size_t q, const Vec<double, D>& v) {
            for (int a = 0; a < D; ++a) on_particles += v[a] * value(q, a);
        },
        one);
    EXPECT_NEAR(on_grid, on_particles, 1e-12 * size);
    EXPECT_GT(std::abs(on_grid), 1e-3 * size);
}
TEST(PowerKernel, GatherIsTheTransposeOfScatter) {
    for (bool walls : {false, true}) {
        expect_adjoint<2>(walls);
        expect_adjoint<3>(walls);
    }
}

/// All particles in one place: their air does not fit the ball that their kernels reach.
TEST(PowerKernel, TooMuchAirInOnePlaceIsReported) {
    Crowd<3> crowd(4, 8, false);
    for (Point<3>& x : crowd.set.position.write()) x = Point<3>::filled(2.3 * kVoxel);
    crowd.ranges = sort_by_tile(crowd.set, crowd.ranges.tiles, crowd.context);
    crowd.make({.tolerance = 1e-3, .max_iterations = 30});
    EXPECT_GT(crowd.report.excess, 0.1);
    // The ball of 3h/2 holds at most about 14.1 of the 64 cells of air.
    const double air = std::accumulate(crowd.volumes.begin(), crowd.volumes.end(), 0.0);
    EXPECT_NEAR(crowd.report.volume, air - 14.137 * std::pow(kVoxel, 3), 2 * std::pow(kVoxel, 3));
}

TEST(PowerKernel, ThreadsChangeNoBit) {
    Crowd<3> one(8, 6, true, 1), many(8, 6, true, 5);
    one.make();
    many.make();
    const auto a = one.fractions(), b = many.fractions();
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_TRUE(std::equal(a.component(axis).begin(), a.component(axis).end(),
                               b.component(axis).begin()));
}

/// A body that has moved by a fraction of a voxel: its scales of before save a third of the turns,
/// and the air is as complete and fits as well as anew.
TEST(PowerKernel, StartsFromTheScalesOfBefore) {
    Crowd<3> crowd(10, 0.8 * 8, false);
    crowd.make();
    const std::vector<float> before = crowd.scales();
    for (auto& x : crowd.set.position.write()) x += Vec<double, 3>{0.3, 0.2, -0.1} * kVoxel;
    crowd.make();
    const int anew = crowd.report.iterations;
    crowd.make_from(before);
    std::printf("turns: %d anew, %d resumed\n", anew, crowd.report.iterations);
    EXPECT_LT(4 * crowd.report.iterations, 3 * anew);
    EXPECT_LE(crowd.report.excess, 1e-3);
    const auto phi = crowd.fractions();
    EXPECT_LE(largest(phi), 1 + 1e-3);
    const double air = std::accumulate(crowd.volumes.begin(), crowd.volumes.end(), 0.0);
    const auto& v = phi.component(0);
    EXPECT_NEAR(std::accumulate(v.begin(), v.end(), 0.0) * std::pow(kVoxel, 3) / air, 1, 1e-12);
}

/// A bubble that was in a crowd and is now alone: its air does not stay as wide as it was there.
TEST(PowerKernel, ForgetsACrowd) {
    Crowd<3> alone(8, 1.0 / 512, false);
    ASSERT_EQ(alone.set.size(), 1u);
    alone.make();
    const float own = alone.scales()[0];
    std::vector<float> scale = {50 * own};
    for (int n = 0; n < 40; ++n) {
        alone.make_from(scale);
        scale = alone.scales();
    }
    EXPECT_NEAR(scale[0] / own, 1, 1e-3);
}

}  // namespace
}  // namespace spume

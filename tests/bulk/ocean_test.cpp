// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "bulk/flow_frames.h"
#include "spume/core/error.h"
#include "spume/physics/bulk/bulk_report.h"
#include "spume/physics/bulk/ocean_bulk.h"

namespace spume {
namespace {

Scene sea_of(int dimensions, double tile, double voxel) {
    Scene s;
    s.domain.dimensions = dimensions;
    s.domain.lower = {0, -2, 0};
    s.domain.upper = {dimensions == 2 ? 10.0 : 4.0, 1, 4};
    s.domain.voxel = voxel;
    s.bulk.present = true;
    s.bulk.kind = BulkKind::kOcean;
    s.bulk.ocean.tile = tile;
    return s;
}
double significant(double m0) { return 4 * std::sqrt(m0); }

// Numbers computed apart from this code, from the formulas' definitions.
TEST(WaveSpectrum, HeightsArePublishedOnes) {
    struct Row {
        double wind, fetch, peak, height, at_20, at_5;
    };
    for (const Row& row : {Row{5, 10e3, 2.81201, 0.30404, 0.3040, 0.2983},
                           Row{10, 10e3, 2.22160, 0.56736, 0.5671, 0.5296},
                           Row{10, 100e3, 1.03912, 2.01309, 1.8340, 1.1108},
                           Row{15, 100e3, 0.90531, 2.89964, 2.4718, 1.4100},
                           Row{20, 100e3, 0.82095, 3.75655, 3.0155, 1.6699},
                           Row{20, 500e3, 0.48268, 9.10381, 4.6961, 2.5912}}) {
        Scene s = sea_of(3, 40, 0.1);
        s.physics.surface_tension = 0;
        s.bulk.ocean.wind = row.wind;
        s.bulk.ocean.fetch = row.fetch;
        const WaveSpectrum deep(s);
        EXPECT_NEAR(deep.peak() / row.peak, 1, 1e-5);
        EXPECT_NEAR(significant(deep.variance(1e-5, 1e4)) / row.height, 1, 1e-4);
        s.bulk.ocean.spectrum = OceanSpectrum::kTma;
        for (const auto& [depth, height] : {std::pair{20.0, row.at_20}, {5.0, row.at_5}}) {
            s.bulk.depth = depth;
            EXPECT_NEAR(significant(WaveSpectrum(s).variance(1e-6, 1e4)) / height, 1, 1e-3)
                << depth;
        }
    }
    Scene grown = sea_of(3, 40, 0.1);
    grown.bulk.ocean.spectrum = OceanSpectrum::kPiersonMoskowitz;
    EXPECT_NEAR(significant(WaveSpectrum(grown).variance(1e-5, 1e4)), 2.133, 2e-3);
}

TEST(WaveSpectrum, WavesRunAsDeepWaterShallowWaterAndRipplesDo) {
    Scene s = sea_of(3, 40, 0.1);
    s.physics.water_density = 1000;
    s.physics.surface_tension = 0.072;
    const auto speed = [&](double length) {
        const double k = 2 * M_PI / length;
        return WaveSpectrum(s).frequency(k) / k;
    };
    EXPECT_NEAR(speed(0.1), 0.40082, 1e-5);
    EXPECT_NEAR(speed(1), 1.24970, 1e-5);
    EXPECT_NEAR(speed(100), 12.4952, 1e-4);
    EXPECT_NEAR(speed(0.01702), 0.23055, 1e-5) << "the slowest";
    EXPECT_GT(speed(0.0165), speed(0.01702));
    EXPECT_GT(speed(0.0175), speed(0.01702));
    for (const double depth : {0.0, 5.0}) {
        s.bulk.depth = depth;
        const WaveSpectrum w(s);
        for (const double k : {0.06, 1.0, 50.0, 600.0})
            EXPECT_NEAR(w.group_speed(k),
                        (w.frequency(k * 1.0001) - w.frequency(k * 0.9999)) / (2e-4 * k),
                        1e-6 * w.group_speed(k));
    }
    EXPECT_NEAR(speed(100), 6.8919, 1e-4) << "in five metres";
}

TEST(WaveSpectrum, SpreadingIsThePublishedAndLosesNothing) {
    Scene s = sea_of(3, 40, 0.1);
    struct Row {
        OceanSpreading law;
        double shape[3];
    };
    const double upwind[3] = {0.0015, 0.0143, 0.0654};
    for (const Row& row : {Row{OceanSpreading::kHasselmann, {6.9700, 4.0540, 2.1719}},
                           Row{OceanSpreading::kMitsuyasu, {9.9588, 3.6139, 1.7605}},
                           Row{OceanSpreading::kDonelanBanner, {2.2800, 1.3459, 0.9603}}})
        for (const double swell : {0.0, 0.3, 1.0}) {
            s.bulk.ocean.spreading = row.law;
            s.bulk.ocean.swell = swell;
            const WaveSpectrum w(s);
            for (int i = 0; i < 3; ++i) {
                const double omega = (1 + 0.5 * i) * w.peak();
                EXPECT_NEAR(w.shape(omega), row.shape[i], 1e-4);
                double sum = 0, back = 0;
                constexpr int kAngles = 20000;
                for (int n = 0; n < kAngles; ++n) {
                    const double theta = (n + 0.5) / kAngles * 2 * M_PI - M_PI;
                    const double share = w.spreading(omega, theta) * 2 * M_PI / kAngles;
                    sum += share;
                    if (std::abs(theta) > M_PI / 2) back += share;
                }
                EXPECT_NEAR(sum, 1, 2e-4) << int(row.law) << " " << swell << " " << i;
                EXPECT_NEAR(w.upwind_share(omega), back, 1e-4);
                if (row.law == OceanSpreading::kHasselmann && swell == 0) {
                    EXPECT_NEAR(back, upwind[i], 1e-4);
                }
                if (swell == 1) {
                    EXPECT_LT(back, 1e-3) << "long crests across the wind";
                }
            }
        }
}

TEST(OceanWaves, ATileHoldsTheWavesThatFitIt) {
    struct Row {
        double wind, fetch, tile, height;
        int points;
    };
    for (const Row& row : {Row{10, 100e3, 40, 1.1093, 128}, Row{10, 100e3, 100, 1.9987, 128},
                           Row{10, 100e3, 400, 2.0129, 192}, Row{5, 10e3, 40, 0.3040, 128}}) {
        Scene s = sea_of(3, row.tile, 0.5);
        s.bulk.ocean.wind = row.wind;
        s.bulk.ocean.fetch = row.fetch;
        s.bulk.ocean.resolution = row.points;
        s.bulk.ocean.choppiness = 0;
        const OceanWaves<3> waves(s);
        EXPECT_NEAR(significant(waves.variance()) / row.height, 1, 0.01) << row.tile;
        if (row.tile != 100) continue;
        Context context(2);
        double mean = 0, share = 0;
        constexpr int kSeas = 6;
        for (int seed = 1; seed <= kSeas; ++seed) {
            s.bulk.ocean.seed = std::uint64_t(seed);
            const auto sea = OceanWaves<3>(s).state(3.1, 0.5, 1, context);
            const auto& height = sea.layers[sea.surface].lift;
            double sum = 0;
            for (int i = 0; i < 100; ++i)
                for (int k = 0; k < 100; ++k) sum += std::pow(height({double(i), double(k)}), 2);
            mean += sum / 1e4 / kSeas;
            share += std::pow(sum / 1e4 / waves.variance() - 1, 2) / kSeas;
        }
        EXPECT_NEAR(mean / waves.variance(), 1, 0.25) << "of the seas of six seeds";
        EXPECT_GT(share, 1e-4) << "no two seas are alike";
    }
}

TEST(OceanWaves, AFinerSeaIsTheSameSeaWithMoreRipples) {
    Scene s = sea_of(3, 40, 0.5);
    s.bulk.ocean.choppiness = 0;
    Context context(2);
    s.bulk.ocean.resolution = 48;
    const auto coarse = OceanWaves<3>(s).state(1, 0.5, 1, context);
    s.bulk.ocean.resolution = 96;
    const auto fine = OceanWaves<3>(s).state(1, 0.5, 1, context);
    double off = 0, all = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec<double, 2> x{0.37 * i, 0.11 * i};
        const double a = coarse.layers[coarse.surface].lift(x),
                     b = fine.layers[fine.surface].lift(x);
        off += (a - b) * (a - b);
        all += b * b;
        EXPECT_NEAR(b, fine.layers[fine.surface].lift(x + Vec<double, 2>{40, -80}), 1e-12)
            << "tiles";
    }
    EXPECT_LT(off, 0.02 * all);
    EXPECT_GT(off, 1e-6 * all);
}

/// One wave of the sea alone runs at its phase speed.
TEST(OceanWaves, CrestsRunAtTheirPhaseSpeed) {
    Scene s = sea_of(2, 4, 0.05);
    s.bulk.ocean.resolution = 8;
    s.bulk.ocean.wind = 4;
    s.bulk.ocean.fetch = 3e3;
    s.bulk.ocean.choppiness = 0;
    const OceanWaves<2> waves(s);
    Context context(1);
    // Amplitudes of each wavelength, found again by projection, keep their size and turn by ωt.
    const auto amplitude = [&](double t, int m) {
        const auto sea = waves.state(t, 0.05, 1, context);
        std::complex<double> sum;
        for (int i = 0; i < 64; ++i)
            sum += sea.layers[sea.surface].lift({4.0 * i / 64}) *
                   std::polar(1.0, -2 * M_PI * m * i / 64);
        return sum / 64.0;
    };
    for (const int m : {1, 2, 3}) {
        const double omega = waves.spectrum().frequency(2 * M_PI * m / 4),
                     period = 2 * M_PI / omega;
        // Waves both ways: after a period all is as before, after half of it upside down.
        EXPECT_LT(std::abs(amplitude(0.2 + period, m) - amplitude(0.2, m)), 1e-12);
        EXPECT_LT(std::abs(amplitude(0.2 + period / 2, m) + amplitude(0.2, m)), 1e-12);
        EXPECT_GT(std::abs(amplitude(0.2 + period / 4, m) - amplitude(0.2, m)),
                  0.3 * std::abs(amplitude(0.2, m)));
    }
}

template <int D>
void expect_no_divergence(double depth, int ratio) {
    Scene s = sea_of(D, 8, 0.25);
    s.bulk.depth = depth;
    s.bulk.ocean.wind = 6;
    s.bulk.ocean.fetch = 2e3;
    if (ratio == 2) s.bulk.voxel = 0.5 * s.domain.voxel;
    const auto bulk = bulk_of<D>(s, {});
    Context context(2);
    const auto tiles = test::dense_tiles<D>(s);
    const auto f = bulk->on(tiles, 2.3, context);
    TileCursor<D> cursor(*tiles);
    double fastest = 0, worst = 0;
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> cell = tiles->origin(t) + tile_local<D>(o);
            if (f.phi.at(t, o) > 0 || !grid_domain_of<D>(s).cells.contains(cell)) continue;
            double sum = 0;
            for (int a = 0; a < D; ++a) {
                const double* u = f.velocity.read(a);
                sum += u[cursor(cell + Index<D>::unit(a))] - u[cursor(cell)];
                fastest = std::max(fastest, std::abs(u[cursor(cell)]));
            }
            worst = std::max(worst, std::abs(sum));
        }
    EXPECT_GT(fastest, 0.05);
    EXPECT_LT(worst, 1e-12 * fastest) << depth << " " << ratio;
    if (depth > 0)
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o)
                if (f.velocity.position(1, t, o)[1] <= -depth) {
                    ASSERT_EQ(f.velocity.at(1, t, o), 0) << "nothing through the bottom";
                }
}

TEST(OceanBulk, FluxesBalance) {
    for (const int ratio : {1, 2}) {
        expect_no_divergence<2>(0, ratio);
        expect_no_divergence<2>(2, ratio);
        expect_no_divergence<3>(0, ratio);
        expect_no_divergence<3>(2, ratio);
    }
}

/// The residual is looked at up to a voxel off the surface: it falls with the voxel.
TEST(OceanBulk, TheSurfaceMovesWithTheWater) {
    Context context(2);
    const auto residual = [&](auto dimensions, double voxel, double chop, double depth) {
        constexpr int D = decltype(dimensions)::value;
        Scene s = sea_of(D, 8, voxel);
        s.bulk.depth = depth;
        s.bulk.ocean.choppiness = chop;
        s.bulk.ocean.resolution = 24;
        return kinematic_residual<D>(*bulk_of<D>(s, {}), {1.2, 1.2 + voxel / 2}, context).share;
    };
    const std::integral_constant<int, 2> plane;
    for (const double chop : {0.0, 0.7})
        for (const double depth : {0.0, 2.0}) {
            const double coarse = residual(plane, 0.1, chop, depth),
                         fine = residual(plane, 0.05, chop, depth);
            EXPECT_LT(coarse, 0.08) << chop << " " << depth;
            EXPECT_LT(fine, 0.75 * coarse) << chop << " " << depth;
        }
    EXPECT_LT(residual(std::integral_constant<int, 3>(), 0.1, 0.7, 0), 0.08);
}

/// −∇·M = ∂η/∂t on the surface, however choppy: water that comes in below lifts it.
template <int D>
void expect_surface_rate(double chop) {
    Scene s = sea_of(D, 40, 0.5);
    s.bulk.ocean.choppiness = chop;
    s.bulk.ocean.resolution = 80;
    const OceanWaves<D> waves(s);
    Context context(2);
    constexpr double kStep = 1e-4;
    const auto now = waves.state(2, 0.5, 0, context),
               before = waves.state(2 - kStep, 0.5, 0, context),
               after = waves.state(2 + kStep, 0.5, 0, context);
    const auto& layer = now.layers[now.surface];
    double off = 0, all = 0;
    for (int i = 0; i < 500; ++i) {
        Vec<double, D - 1> x{}, slope{};
        for (int a = 0; a < D - 1; ++a) x[a] = 0.0817 * i * (1 + 0.37 * a);
        double rate = 0;
        for (int a = 0; a < D - 1; ++a) {
            layer.transport[a].with_gradient(x, slope);
            rate -= slope[a];
        }
        const double rises = (after.layers[2].lift(x) - before.layers[2].lift(x)) / (2 * kStep);
        off += (rate - rises) * (rate - rises);
        all += rises * rises;
    }
    EXPECT_LT(std::sqrt(off / all), 0.01) << D << "D, choppiness " << chop;
}

TEST(OceanWaves, FluxesLiftTheSurface) {
    for (const double chop : {0.0, 0.8}) {
        expect_surface_rate<2>(chop);
        expect_surface_rate<3>(chop);
    }
}

/// Choppiness sharpens crests and flattens troughs, and moves no water up or down.
TEST(OceanWaves, ChoppyCrestsAreSharpAndTheLevelStays) {
    Scene s = sea_of(2, 64, 0.25);
    s.bulk.ocean.wind = 5;
    s.bulk.ocean.fetch = 10e3;
    s.bulk.ocean.resolution = 128;  // sampled where its points are
    Context context(1);
    double skewness[2];
    for (const int choppy : {0, 1}) {
        s.bulk.ocean.choppiness = choppy;
        double m1 = 0, m2 = 0, m3 = 0;
        for (int n = 0; n < 20; ++n) {
            s.bulk.ocean.seed = std::uint64_t(n);
            const auto sea = OceanWaves<2>(s).state(0, 0.25, 0, context);
            const auto& height = sea.layers[sea.surface].lift;
            for (int i = 0; i < 256; ++i) {
                const double x = 0.25 * i,
                             bend = height({x + 0.25}) - 2 * height({x}) + height({x - 0.25});
                m1 += height({x});
                m2 += bend * bend;
                m3 += bend * bend * bend;
            }
        }
        const double count = 20 * 256;
        EXPECT_NEAR(m1 / count, 0, 1e-12);
        skewness[choppy] = m3 / count / std::pow(m2 / count, 1.5);
    }
    EXPECT_NEAR(skewness[0], 0, 0.15) << "crests are as sharp as troughs";
    EXPECT_LT(skewness[1], skewness[0] - 0.3);
}

TEST(OceanBulk, ThreadsDoNotMatter) {
    const Scene s = sea_of(3, 8, 0.25);
    const auto tiles = test::dense_tiles<3>(s);
    Context one(1), four(4);
    const auto a = bulk_of<3>(s, {})->on(tiles, 0.9, one),
               b = bulk_of<3>(s, {})->on(tiles, 0.9, four);
    for (std::size_t i = 0; i < tiles->values(); ++i) {
        ASSERT_EQ(a.phi.read()[i], b.phi.read()[i]);
        for (int c = 0; c < 3; ++c) ASSERT_EQ(a.velocity.read(c)[i], b.velocity.read(c)[i]);
    }
}

TEST(OceanBulk, CrestsThatWouldFoldAreRefused) {
    Scene s = sea_of(3, 8, 0.05);
    s.bulk.ocean.wind = 30;
    s.bulk.ocean.fetch = 300;
    s.bulk.ocean.choppiness = 1;
    s.bulk.ocean.resolution = 160;
    EXPECT_THROW(OceanWaves<3>{s}, UserError);
    s.bulk.ocean.choppiness = -1;
    EXPECT_LT(OceanWaves<3>(s).choppiness(), 1);
}

}  // namespace
}  // namespace spume

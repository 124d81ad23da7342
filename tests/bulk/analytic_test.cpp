// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "bulk/flow_frames.h"
#include "spume/core/error.h"
#include "spume/physics/bulk/analytic_flow.h"
#include "spume/physics/bulk/bulk_report.h"

namespace spume {
namespace {

Scene scene_with(int dimensions, BulkFlow flow) {
    Scene s;
    s.domain.dimensions = dimensions;
    s.domain.lower = {0, 0, 0};
    s.domain.upper = {1, 1, 1};
    s.domain.voxel = dimensions == 2 ? 1.0 / 64 : 1.0 / 24;
    s.bulk.present = true;
    s.bulk.kind = BulkKind::kAnalytic;
    s.bulk.flow = flow;
    s.bulk.level = 0.5;
    s.bulk.velocity = {0.7, 0.3, -0.2};
    s.bulk.acceleration = {1, -2, 0.5};
    s.bulk.center = {0.6, 0.5, 0.5};
    s.bulk.pivot = {0.5, 0.45, 0.5};
    s.bulk.radius = 0.2;
    s.bulk.spin = 3;
    s.bulk.amplitude = 0.02;
    s.bulk.wavelength = 1;
    return s;
}

constexpr BulkFlow kFlows[] = {BulkFlow::kStream, BulkFlow::kRotation, BulkFlow::kStandingWave,
                               BulkFlow::kGerstnerWave, BulkFlow::kFreeFall};

/// Divergence by central differences.
template <int D>
double divergence(const AnalyticFlow<D>& flow, const Point<D>& x, double t) {
    constexpr double kStep = 1e-5;
    double sum = 0;
    for (int a = 0; a < D; ++a) {
        const auto step = Point<D>::unit(a, kStep);
        sum += (flow.velocity(x + step, t)[a] - flow.velocity(x - step, t)[a]) / (2 * kStep);
    }
    return sum;
}

template <int D>
void expect_no_divergence() {
    for (const BulkFlow kind : kFlows) {
        const auto flow = analytic_flow<D>(scene_with(D, kind));
        for (int n = 0; n < 40; ++n) {
            Point<D> x = Point<D>::filled(0.3);
            x[0] = 0.025 * n;
            x[1] = 0.1 + 0.009 * n;  // in the liquid, up to 4 cm below the troughs
            EXPECT_NEAR(divergence<D>(*flow, x, 0.37), 0, 1e-8) << int(kind) << " " << n;
        }
    }
}

TEST(AnalyticFlow, FluxesBalance) {
    expect_no_divergence<2>();
    expect_no_divergence<3>();
}

/// A point of the surface that goes along with the liquid stays on it: traced by the classical
/// Runge–Kutta rule, whose error is far below the bounds.
template <int D>
double leaves_surface(const Scene& scene, double x0, double until) {
    const auto flow = analytic_flow<D>(scene);
    Point<D> x = Point<D>::filled(0.5);
    x[0] = x0;
    double lo = scene.bulk.flow == BulkFlow::kFreeFall || scene.bulk.flow == BulkFlow::kRotation
                    ? 0.5
                    : 0.0,
           hi = 1;
    for (int i = 0; i < 60; ++i) {  // the surface above x0
        x[1] = 0.5 * (lo + hi);
        (flow->phi(x, 0) < 0 ? lo : hi) = x[1];
    }
    const int steps = 2000;
    const double dt = until / steps;
    for (int n = 0; n < steps; ++n) {
        const double t = n * dt;
        const auto a = flow->velocity(x, t), b = flow->velocity(x + a * (dt / 2), t + dt / 2),
                   c = flow->velocity(x + b * (dt / 2), t + dt / 2),
                   d = flow->velocity(x + c * dt, t + dt);
        x = x + (a + b * 2 + c * 2 + d) * (dt / 6);
    }
    return std::abs(flow->phi(x, until));
}

TEST(AnalyticFlow, TheSurfaceGoesWithTheLiquid) {
    for (const BulkFlow kind : {BulkFlow::kStream, BulkFlow::kRotation, BulkFlow::kFreeFall}) {
        EXPECT_LT(leaves_surface<2>(scene_with(2, kind), 0.63, 0.5), 1e-7);
        EXPECT_LT(leaves_surface<3>(scene_with(3, kind), 0.63, 0.5), 1e-7);
    }
    // Gerstner's wave is exact however steep; here ka = 0.75.
    Scene steep = scene_with(2, BulkFlow::kGerstnerWave);
    steep.bulk.amplitude = 0.12;
    for (const double x0 : {0.1, 0.4, 0.9}) EXPECT_LT(leaves_surface<2>(steep, x0, 1.1), 1e-6);
    // The linear standing wave is so to first order: half the height, a quarter of the error.
    const auto worst = [](double amplitude) {
        Scene wave = scene_with(2, BulkFlow::kStandingWave);
        wave.bulk.amplitude = amplitude;
        double most = 0;
        for (const double x0 : {0.05, 0.15, 0.25, 0.35, 0.45})
            most = std::max(most, leaves_surface<2>(wave, x0, 0.15));
        return most;
    };
    EXPECT_LT(worst(0.02), 2 * M_PI * 0.02 * 0.02);
    EXPECT_NEAR(worst(0.02) / worst(0.01), 4, 0.4);
}

TEST(AnalyticFlow, WavesHaveTheirPeriods) {
    Scene s = scene_with(2, BulkFlow::kStandingWave);
    for (const double depth : {0.0, 0.1}) {
        s.bulk.depth = depth;
        const double k = 2 * M_PI / s.bulk.wavelength;
        const double omega = std::sqrt(9.81 * k * (depth > 0 ? std::tanh(k * depth) : 1));
        const auto flow = analytic_flow<2>(s);
        EXPECT_NEAR(flow->phi({0, 0.52}, 0), 0, 1e-12) << "a crest";
        EXPECT_NEAR(flow->phi({0, 0.48}, M_PI / omega), 0, 1e-12) << "half a period on, a trough";
        EXPECT_NEAR(flow->phi({0.3, 0.5}, M_PI / omega / 2), 0, 1e-12) << "level between";
        if (depth > 0) {
            EXPECT_NEAR(flow->velocity({0.3, 0.4}, 0.1)[1], 0, 1e-12)
                << "nothing through the bottom";
        }
    }
    // Gerstner's goes by a wavelength in 2π / √(gk), and its mean level is that at rest.
    s = scene_with(2, BulkFlow::kGerstnerWave);
    s.bulk.amplitude = 0.1;
    const auto flow = analytic_flow<2>(s);
    const double period = std::sqrt(2 * M_PI / 9.81);
    double mean = 0;
    for (int n = 0; n < 400; ++n) {
        double lo = 0, hi = 1;
        for (int i = 0; i < 50; ++i)
            (flow->phi({n / 400.0, 0.5 * (lo + hi)}, 0.2) < 0 ? lo : hi) = 0.5 * (lo + hi);
        mean += lo / 400;
        EXPECT_NEAR(flow->phi({n / 400.0, 0.5}, 0.2),
                    flow->phi({n / 400.0 + 0.25, 0.5}, 0.2 + period / 4), 1e-9);
    }
    EXPECT_NEAR(mean, 0.5, 1e-9);
}

template <int D>
void expect_fields_of_flow() {
    for (const BulkFlow kind : kFlows) {
        Scene s = scene_with(D, kind);
        const auto flow = analytic_flow<D>(s);
        const auto bulk = bulk_of<D>(s, {});
        Context context(2);
        const auto tiles = test::dense_tiles<D>(s);
        const auto f = bulk->on(tiles, 0.3, context);
        for (int t = 0; t < tiles->zero(); ++t)
            for (int o = 0; o < kTileCells<D>; o += 7) {
                EXPECT_EQ(f.phi.at(t, o), flow->phi(f.phi.position(t, o), 0.3));
                for (int a = 0; a < D; ++a)
                    EXPECT_EQ(f.velocity.at(a, t, o),
                              flow->velocity(f.velocity.position(a, t, o), 0.3)[a]);
            }
        // Tiles with liquid: those of the domain where Φ is below the band in some cell.
        const auto keys = bulk->liquid_tiles(0.3, 0.05, context);
        int wet = 0;
        for (int t = 0; t < tiles->active(); ++t) {
            bool any = false;
            for (int o = 0; o < kTileCells<D>; ++o)
                any = any || (f.phi.at(t, o) < 0.05 && grid_domain_of<D>(s).cells.contains(
                                                           tiles->origin(t) + tile_local<D>(o)));
            wet += any;
        }
        EXPECT_EQ(int(keys.size()), wet);
    }
}

TEST(AnalyticBulk, FieldsAreTheFlows) {
    expect_fields_of_flow<2>();
    expect_fields_of_flow<3>();
}

template <int D>
void expect_equal_fluxes() {
    Scene fine = scene_with(D, BulkFlow::kGerstnerWave), coarse = fine;
    coarse.bulk.voxel = fine.domain.voxel;
    coarse.domain.voxel *= 2;
    Context context(1);
    const auto bulk = bulk_of<D>(coarse, {});
    const auto f = bulk->on(test::dense_tiles<D>(fine), 0.2, context);
    const auto c = bulk->on(test::dense_tiles<D>(coarse), 0.2, context);
    const Tiles<D>& tiles = *c.phi.tiles();
    TileCursor<D> cursor(*f.phi.tiles());
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> cell = (tiles.origin(t) + tile_local<D>(o)) * 2;
            if (!grid_domain_of<D>(fine).cells.contains(cell)) continue;
            for (int a = 0; a < D; ++a) {
                double sum = 0;
                for (int part = 0; part < (1 << (D - 1)); ++part) {
                    Index<D> at = cell;
                    for (int b = 1; b < D; ++b) at[(a + b) % D] += part >> (b - 1) & 1;
                    sum += f.velocity.read(a)[cursor(at)];
                }
                EXPECT_NEAR(c.velocity.at(a, t, o), sum / (1 << (D - 1)), 1e-13);
            }
        }
}

TEST(AnalyticBulk, CoarseFacesCarryTheFluxOfTheirFineOnes) {
    expect_equal_fluxes<2>();
    expect_equal_fluxes<3>();
}

TEST(AnalyticBulk, ALatticeThatDoesNotFitIsRefused) {
    const Transform<2> bulk{0.1, {0, 0}};
    EXPECT_EQ(alignment<2>({0.1, {0.3, -0.2}}, bulk).offset, (Index<2>{3, -2}));
    EXPECT_EQ(alignment<2>({0.2, {0.3, 0}}, bulk).ratio, 2);
    EXPECT_THROW(alignment<2>({0.15, {0, 0}}, bulk), UserError);
    EXPECT_THROW(alignment<2>({0.3, {0, 0}}, bulk), UserError);
    try {
        alignment<2>({0.1, {0, 0.04}}, bulk);
        ADD_FAILURE();
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("0.4 of a voxel off the bulk's grid along y"),
                  std::string::npos)
            << error.what();
    }
}

TEST(KinematicResidual, IsSmallForFlowsAndLargeForOtherVelocities) {
    Context context(2);
    for (const BulkFlow kind : kFlows) {
        const Scene s = scene_with(2, kind);
        const auto found =
            kinematic_residual<2>(*bulk_of<2>(s, {}), {0.2, 0.2 + 1 / 24.0}, context);
        EXPECT_GT(found.cells, 40);
        EXPECT_LT(found.share, kind == BulkFlow::kStandingWave ? 0.15 : 0.05) << int(kind);
    }
    const auto found = kinematic_residual<3>(*bulk_of<3>(scene_with(3, BulkFlow::kFreeFall), {}),
                                             {0, 1 / 24.0}, context);
    EXPECT_LT(found.share, 0.05);
}

}  // namespace
}  // namespace spume

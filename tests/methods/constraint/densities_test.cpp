// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Liquids of several densities in one projection.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "box.h"
#include "run.h"
#include "spume/core/random.h"
#include "spume/physics/free_surface/liquid_transfer.h"

namespace spume {
namespace {

/// Sets ρ₀/ρ on every face from the density there.
template <int D, class Density>
void set_densities(BubbleBox<D>& box, Density&& density) {
    auto& light = box.forces.inverse_density_ratio;
    light = FaceField<double, D>(box.tiles, 1.0);
    for (int a = 0; a < D; ++a) {
        double* v = light.write(a);
        for_faces(box.context.arena, *box.tiles, a, [&](int t, int o) {
            v[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                box.forces.density / density(light.position(a, t, o));
        });
    }
}

TEST(ConstraintDensities, LayersOfAThousandToOneRest) {
    BubbleBox<2> box({0, 0}, {48, 48}, 1.0 / 48);
    Solid ball;
    ball.shape.kind = ShapeKind::kSphere;
    ball.shape.center = {0.43, 0.36, 0};
    ball.shape.radius = 0.24;
    box.add(ball);
    const double level = 0.7312;
    box.settle([&](const Point<2>& x) { return x[1] - level; });
    // The layers meet on a row of faces, which carries the mean.
    set_densities(box, [](const Point<2>& x) {
        return x[1] < 0.499 ? 1000.0 : x[1] > 0.501 ? 1.0 : 500.5;
    });
    EXPECT_TRUE(box.fall().solve.good());
    EXPECT_LT(box.fastest(), 1e-10 * std::sqrt(9.81));
    const double heavy = 0.5 - 0.5 / 48, light = level - 0.5;
    EXPECT_NEAR(box.pressure.at(0, 0), 9.81 * (1000 * heavy + light), 1e-6);
}

/// First acceleration, over g, of a round body of liquid of density s, the surrounding one being 1,
/// at the middle of a round tank twice as wide.
double sinking(double s, int cells_per_radius) {
    const double h = 1.0 / cells_per_radius, wall = 2;
    const int n = static_cast<int>(std::ceil(2 * (wall + 2.5 * h) / h));
    BubbleBox<2> box(Point<2>::filled(-n * h / 2 + 0.137 * h), Index<2>::filled(n), h);
    Solid tank;
    tank.shape.kind = ShapeKind::kSphere;
    tank.shape.radius = wall + 4 * h;
    tank.shape.shell = 4 * h;
    box.add(tank);
    box.forces.density = 1;
    box.settle([](const Point<2>&) { return -1.0; });
    set_densities(box, [&](const Point<2>& x) {
        const double inside = std::clamp(0.5 - (length(x) - 1) / h, 0.0, 1.0);
        return 1 + (s - 1) * inside;
    });
    box.options.tolerance = 1e-10;
    EXPECT_TRUE(box.fall(1.0).solve.good());
    // Inside the body the flow is even.
    double sum = 0;
    int count = 0;
    for_faces(box.context.arena, *box.tiles, 1, [&](int t, int o) {
        if (length(box.velocity.position(1, t, o)) > 0.7) return;
        sum += box.velocity.at(1, t, o), ++count;
    });
    return sum / count / box.forces.dt;
}

TEST(ConstraintDensities, BodyOfLiquidSinksWithItsAddedMass) {
    // a/g = (1 − s)/(s + C), C = (b² + a²)/(b² − a²) = 5/3, upwards.
    for (const double s : {3.0, 0.2}) {
        const double exact = (1 - s) / (s + 5.0 / 3);
        const double coarse = std::abs(sinking(s, 10) / exact - 1),
                     fine = std::abs(sinking(s, 40) / exact - 1);
        EXPECT_LT(fine, 0.02) << s;
        EXPECT_LT(fine, coarse) << s;
    }
}

TEST(ConstraintDensities, TransferKeepsMassAndMomentum) {
    const auto tiles = Tiles<2>::dense(Box<int, 2>{{0, 0}, {32, 32}}, {0.1, {0, 0}});
    Liquid<2> liquid;
    resize(liquid, 300);
    double mass = 0;
    Vec<double, 2> momentum{};
    for (std::size_t i = 0; i < liquid.size(); ++i) {
        const Random random(7, i, 0, Purpose::kJitter);
        liquid.position.write()[i] = Point<2>::filled(0.8) + random.uniform_vec<2>(0) * 1.6;
        liquid.velocity.write()[i] = random.uniform_vec<2>(2) * 3.0;
        liquid.excess.write()[i] = float(i % 3);
        liquid.id.write()[i] = i;
        mass += liquid.relative_density(i);
        momentum += liquid.velocity[i] * liquid.relative_density(i);
    }
    Context context(1);
    const Clamp<2> clamp{};
    const auto ranges = sort_by_tile(liquid, tiles, context, clamp);
    // Volumes on faces by a scatter of ones; with ρ₀/ρ they are masses.
    std::array<FaceField<double, 2>, 1> volume{FaceField<double, 2>(tiles)};
    scatter_to_faces<double, 2, 1>(
        liquid.position.read(), ranges, clamp,
        [](std::size_t, int) { return std::array<double, 1>{1.0}; }, volume, context);
    const auto light = inverse_density_ratio_of(liquid, ranges, clamp, context);
    for (const Transfer transfer : {Transfer::kFlip, Transfer::kApic}) {
        FaceField<double, 2> u(tiles);
        FaceField<std::uint8_t, 2> valid;
        particles_to_faces(liquid, ranges, clamp, transfer, u, valid, context);
        for (int a = 0; a < 2; ++a) {
            double m = 0, p = 0;
            for (std::size_t i = 0; i < u.component(a).size(); ++i) {
                if (!(volume[0].read(a)[i] > 0)) continue;
                const double here = volume[0].read(a)[i] / light.read(a)[i];
                m += here, p += here * u.read(a)[i];
            }
            EXPECT_NEAR(m, mass, 1e-3 * mass);  // faces of almost no weight are left out
            EXPECT_NEAR(p, momentum[a], 1e-3 * momentum[a]);
        }
    }
}

TEST(ConstraintDensities, WaveBetweenTwoLiquids) {
    // ω² = g k (ρ₁ − ρ₂) / (ρ₁ coth k h₁ + ρ₂ coth k h₂) between a floor and a lid.
    const double k = std::numbers::pi, swing = 0.03;
    Scene s = tank(2, 1.0 / 40, {1, 1, 1});
    s.physics.surface_tension = 0;
    LiquidBody oil = liquid_box({0, 0.5, -1}, {1, 1, 1});
    oil.density = 500;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.5, 1}), oil};
    ConstraintRun<2> run(s, {});
    auto& liquid = run.state.liquid;
    auto excess = liquid.excess.write();
    for (std::size_t i = 0; i < liquid.size(); ++i) {
        const Point<2> x = liquid.position[i];
        excess[i] = x[1] < 0.5 + swing * std::cos(k * x[0]) ? 0.0f : -0.5f;
    }
    // Particles are not spread evenly: the heavy part of each cell counts.
    const int cells = static_cast<int>(std::lround(1 / s.domain.voxel));
    const auto height = [&] {
        std::vector<double> all(std::size_t(cells * cells)), heavy(all.size());
        for (std::size_t i = 0; i < liquid.size(); ++i) {
            const Point<2> x = liquid.position[i] * double(cells);
            const std::size_t cell = std::size_t(int(x[0]) * cells + int(x[1]));
            all[cell] += 1, heavy[cell] += liquid.excess[i] == 0;
        }
        double sum = 0;
        for (int i = 0; i < cells * cells; ++i)
            if (all[std::size_t(i)] > 0)
                sum += heavy[std::size_t(i)] / all[std::size_t(i)] *
                       std::cos(k * (i / cells + 0.5) / cells);
        return 2 * sum / (cells * cells);
    };
    EXPECT_NEAR(height(), swing, 0.05 * swing);
    const double coth = 1 / std::tanh(k / 2);
    const double omega = std::sqrt(9.81 * k * 500 / (1500 * coth));
    double before = height(), crossed = -1;
    for (int n = 1; crossed < 0 && n < 200; ++n) {
        ASSERT_TRUE(run.until(n * 0.01));
        const double now = height();
        if (now <= 0) crossed = 0.01 * (n - 1 + before / (before - now));
        before = now;
    }
    RecordProperty("quarter period", std::to_string(crossed));
    EXPECT_NEAR(crossed, std::numbers::pi / 2 / omega, 0.03 * std::numbers::pi / 2 / omega);
}

TEST(ConstraintDensities, OilOnWaterStaysThere) {
    Scene s = tank(2, 1.0 / 32, {1, 1, 1});
    s.physics.surface_tension = 0;
    LiquidBody oil = liquid_box({0, 0.375, -1}, {1, 0.625, 1});
    oil.density = 900;
    s.liquids = {liquid_box({0, 0, -1}, {1, 0.375, 1}), oil};
    ConstraintRun<2> run(s, {});
    ASSERT_TRUE(run.until(1.0));
    int crossed = 0, light = 0;
    for (std::size_t i = 0; i < run.state.liquid.size(); ++i) {
        const bool is_oil = run.state.liquid.excess[i] < 0;
        light += is_oil;
        if (is_oil != (run.state.liquid.position[i][1] > 0.375)) ++crossed;
    }
    RecordProperty("crossed", std::to_string(crossed));
    EXPECT_LT(crossed, light / 20);
    EXPECT_LT(run.fastest, 0.03 * std::sqrt(9.81));
}

}  // namespace
}  // namespace spume

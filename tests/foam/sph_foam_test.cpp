// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/sph_foam.h"

#include <cmath>

#include <gtest/gtest.h>

#include "foam/foam_set.h"
#include "spume/core/random.h"
#include "spume/physics/foam/sph_kernel.h"

namespace spume {
namespace {

// [WFS22] Eqs. 47, 49, Fig. 12: sums over the lattice, computed apart.
TEST(SphKernel, PackedLayersHaveTheRatiosOfFigure12) {
    const double eta[] = {1.333333, 0.570645, 0.421476, 0.340294, 0.282631, 0.241821, 0.211585};
    const double count[] = {10.667, 15.407, 26.974, 42.537, 61.048, 82.945, 108.33};
    for (int beta = 2; beta <= 8; ++beta) {
        EXPECT_NEAR(sph::packed_ratio<3>(beta), eta[beta - 2], 1e-6) << beta;
        EXPECT_NEAR(sph::packed_count<3>(beta), count[beta - 2], 1e-3 * count[beta - 2]) << beta;
    }
    EXPECT_NEAR(sph::packed_ratio<3>(2.209), 1, 1e-3);
}

template <int D>
void expect_unit_integral() {
    const double h = 1.3, d = 0.02;
    double sum = 0;
    const int n = static_cast<int>(h / d) + 1;
    for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j)
            for (int k = D == 2 ? 0 : -n; k <= (D == 2 ? 0 : n); ++k)
                sum += sph::kernel<D>(d * std::sqrt(double(i * i + j * j + k * k)), h);
    EXPECT_NEAR(sum * sph::power<D>(d), 1, 1e-4);
}
TEST(SphKernel, IntegratesToOne) {
    expect_unit_integral<2>();
    expect_unit_integral<3>();
}

struct Middle {
    double density, pressure, acceleration;
};
/// The particle in the middle of a hexagonal layer.
Middle middle_of_layer(double spacing, const WetFoam& law) {
    Context context(1);
    constexpr double kRadius = 1e-3;
    auto foam = foam_at<3>(hexagonal(25, spacing * kRadius), kRadius);
    FoamPairs<3> pairs;
    pairs.follow(foam, foam_reach(law), context);
    const auto states = foam_states(foam, pairs, law, context);
    const auto force = foam_acceleration(foam, pairs, states, law, context);
    for (std::size_t i = 0; i < foam.size(); ++i)
        if (foam.id[i] == 12 * 25 + 12)
            return {states.density(i), foam_pressure(states.density(i), law), length(force[i])};
    return {};
}

TEST(SphFoam, APackedLayerIsAtRestAndASqueezedOneIsNot) {
    const WetFoam law;
    const Middle packed = middle_of_layer(2, law), squeezed = middle_of_layer(1.98, law);
    EXPECT_NEAR(packed.density, law.density, 1e-6);
    EXPECT_LT(packed.pressure, 1e-6);
    EXPECT_LT(packed.acceleration, 1e-3);  // of κ/r = 500 m/s²
    EXPECT_GT(squeezed.pressure, 0.005);
    EXPECT_EQ(middle_of_layer(2.02, law).pressure, 0);
}

/// A crowd of radii 1 : `ratio` with velocities.
template <int D>
Foam<D> crowd(std::size_t count, double ratio) {
    std::vector<Point<D>> places(count);
    for (std::size_t i = 0; i < count; ++i)
        places[i] = Random(5, i, 0, Purpose::kTest).uniform_vec<D>(0) * (D == 2 ? 0.06 : 0.03);
    Foam<D> foam = foam_at<D>(places, 1e-3);
    for (std::size_t i = 0; i < count; ++i) {
        const Random random(6, i, 0, Purpose::kTest);
        foam.radius.write()[i] = static_cast<float>(1e-3 * std::pow(ratio, random.uniform(0)));
        foam.velocity.write()[i] = random.uniform_vec<D>(1) * 2;
    }
    return foam;
}

template <int D>
void expect_momentum_kept(double ratio) {
    Context context(2);
    const WetFoam law;
    Foam<D> foam = crowd<D>(1500, ratio);
    FoamPairs<D> pairs;
    pairs.follow(foam, foam_reach(law), context);
    const auto states = foam_states(foam, pairs, law, context);
    const auto force = foam_acceleration(foam, pairs, states, law, context);
    Vec<double, D> momentum{};
    double turn = 0, size = 0, turn_size = 0;
    for (std::size_t i = 0; i < foam.size(); ++i) {
        const auto f = force[i] * bubble_volume<D>(double(foam.radius[i]));
        momentum += f;
        size += length(f);
        turn += foam.position[i][0] * f[1] - foam.position[i][1] * f[0];
        turn_size += length(foam.position[i]) * length(f);
    }
    ASSERT_GT(size, 0);
    EXPECT_LT(length(momentum), 1e-13 * size);
    EXPECT_LT(std::abs(turn), 1e-13 * turn_size);
}
TEST(SphFoam, ForcesKeepMomentumAndAngularMomentum) {
    expect_momentum_kept<2>(1);
    expect_momentum_kept<3>(1);
    expect_momentum_kept<3>(12);
}

// Against a plain loop over all pairs in doubles.
TEST(SphFoam, FindsAllPairsAndTheirForces) {
    Context context(1);
    WetFoam law;
    law.cohesion_range = 6;
    Foam<3> foam = crowd<3>(400, 9);
    FoamPairs<3> pairs;
    pairs.follow(foam, foam_reach(law), context);
    const auto states = foam_states(foam, pairs, law, context);
    const auto force = foam_acceleration(foam, pairs, states, law, context);
    const double rest = law.density / sph::packed_ratio<3>(law.support);
    const auto stress = [&](std::size_t i) {
        return foam_pressure(states.density(i), law) / (states.density(i) * states.density(i));
    };
    for (std::size_t i = 0; i < foam.size(); i += 7) {
        double rho = 0, scale = 0;
        Vec<double, 3> a{};
        for (std::size_t j = 0; j < foam.size(); ++j) {
            const auto x = foam.position[i] - foam.position[j];
            const auto v = foam.velocity[i] - foam.velocity[j];
            const double both = double(foam.radius[i]) + double(foam.radius[j]), r = length(x);
            const double h = law.support * both / 2, hc = law.cohesion_range * both / 2;
            const double volume = bubble_volume<3>(double(foam.radius[j]));
            rho += rest * volume * sph::kernel<3>(r, h);
            if (i == j) continue;
            const double e = 1e-6 * h;
            const double slope =
                (sph::kernel<3>(r + e, h) - sph::kernel<3>(r - e, h)) / (2 * e) / r;
            const double approach = std::min(dot(v, x), 0.0);
            const double viscous = -law.viscosity * 2 * h /
                                   (states.density(i) + states.density(j)) * approach /
                                   (r * r + 0.01 * h * h);
            const auto one =
                x * (-rest * volume * (stress(i) + stress(j) + viscous) * slope) -
                x * (law.cohesion * volume * (1 - both / r) / hc * sph::kernel<3>(r, hc));
            a += one;
            scale += length(one);
        }
        EXPECT_NEAR(states.density(i), rho, 1e-5 * rho);
        EXPECT_LT(length(a - force[i]), 1e-4 * scale) << i;
    }
}

TEST(SphFoam, CohesionIsNothingAtContactAndPullsBeyond) {
    Context context(1);
    WetFoam law;
    law.stiffness = 1e-9;
    for (double distance : {1.9e-3, 2e-3, 2.4e-3}) {
        auto foam = foam_at<3>({{0, 0, 0}, {distance, 0, 0}}, 1e-3);
        FoamPairs<3> pairs;
        pairs.follow(foam, foam_reach(law), context);
        const auto states = foam_states(foam, pairs, law, context);
        const auto force = foam_acceleration(foam, pairs, states, law, context);
        const double away = distance - 2e-3;
        const double expected =
            law.cohesion * bubble_volume<3>(1e-3) * away / 5e-3 * sph::kernel<3>(distance, 5e-3);
        EXPECT_NEAR(force[0][0], expected, 2e-6) << distance;
    }
}

TEST(SphFoam, LimitsFollowEachForce) {
    WetFoam law;
    law.viscosity = 0;
    law.cohesion = 0;
    // whitewater: 0.4 · 4r/√κ is 1.13 ms at half a millimetre.
    EXPECT_NEAR(foam_limit<3>(law, 0.5e-3, 1e-3).seconds, 1.13e-3, 1e-5);
    law.viscosity = 5;
    const double viscous = foam_limit<3>(law, 0.5e-3, 1e-3).seconds;
    EXPECT_GT(viscous, 2e-5);
    EXPECT_LT(viscous, 2e-4);
}

}  // namespace
}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cmath>

#include <gtest/gtest.h>

#include "foam/foam_set.h"
#include "spume/core/random.h"
#include "spume/particles/bubble_size.h"
#include "spume/physics/foam/foam_implicit.h"
#include "spume/physics/motion/emit.h"

namespace spume {
namespace {

WetFoam implicit_law() {
    WetFoam law;
    law.integration = FoamIntegration::kImplicit;
    return law;
}

/// Foam in a plane, radii 1 : `ratio` with the density of [WFS22] Eq. 34, thrown on a square until
/// its discs cover `cover` of it.
Foam<3> thrown(double side, double cover, double smallest, double ratio) {
    std::vector<Point<3>> places;
    std::vector<float> radii;
    double area = 0;
    for (std::uint64_t i = 0; area < cover * side * side; ++i) {
        const Random random(17, i, 0, Purpose::kTest);
        const double r = inverse_cubic_radius(random.uniform(0), smallest, smallest * ratio);
        places.push_back({side * random.uniform(1), 0, side * random.uniform(2)});
        radii.push_back(static_cast<float>(r));
        area += M_PI * r * r;
    }
    auto foam = foam_at<3>(places, smallest);
    for (std::size_t i = 0; i < radii.size(); ++i) {
        foam.radius.write()[i] = radii[i];
        const Random random(18, i, 0, Purpose::kTest);
        foam.velocity.write()[i] = {0.2 * random.uniform(0) - 0.1, 0,
                                    0.2 * random.uniform(1) - 0.1};
    }
    return foam;
}

struct Forces {
    Foam<3> foam;
    Array<Vec<double, 3>> implicit, plain;
    int iterations = 0, rounds = 0;
};
Forces forces_on(Foam<3> foam, const WetFoam& law, double dt, int threads = 1) {
    Context context(threads);
    FoamPairs<3> pairs;
    pairs.follow(foam, foam_reach(law), context);
    const auto states = foam_states(foam, pairs, law, context);
    const Array<Vec<double, 3>> none(foam.size()), up(foam.size(), Vec<double, 3>{0, 1, 0});
    auto r =
        implicit_acceleration<3>(foam, none.read(), up.read(), pairs, states, law, dt, context);
    return {foam, r.acceleration, foam_acceleration(foam, pairs, states, law, context),
            r.iterations, r.rounds};
}

TEST(ImplicitFoam, KeepsMomentumAndAngularMomentumForLongSteps) {
    const auto r = forces_on(thrown(0.03, 1.2, 0.25e-3, 20), implicit_law(), 5e-3, 2);
    Vec<double, 3> momentum{};
    double turn = 0, size = 0, turn_size = 0;
    for (std::size_t i = 0; i < r.foam.size(); ++i) {
        const auto f = r.implicit[i] * bubble_volume<3>(double(r.foam.radius[i]));
        momentum += f;
        size += length(f);
        turn += r.foam.position[i][2] * f[0] - r.foam.position[i][0] * f[2];
        turn_size += length(r.foam.position[i]) * length(f);
    }
    std::printf("%zu particles, %d rounds, %d iterations\n", r.foam.size(), r.rounds, r.iterations);
    EXPECT_LT(length(momentum), 1e-13 * size);
    EXPECT_LT(std::abs(turn), 1e-13 * turn_size);
}

TEST(ImplicitFoam, IsTheExplicitForceForShortSteps) {
    const auto foam = thrown(0.03, 1.0, 1e-3, 3);
    double before = 0;
    for (double dt : {1e-5, 1e-6}) {
        const auto r = forces_on(foam, implicit_law(), dt);
        double off = 0, size = 0;
        for (std::size_t i = 0; i < r.foam.size(); ++i) {
            off += length(r.implicit[i] - r.plain[i]);
            size += length(r.plain[i]);
        }
        if (before > 0) {
            EXPECT_LT(off / size, 0.15 * before);
        }
        before = off / size;
    }
    EXPECT_LT(before, 2e-3);
}

// Two that approach, too few for pressure: v′ = v / (1 + λ Δt) along their line, for any Δt.
TEST(ImplicitFoam, DampsAPairAsBackwardEulerDoes) {
    WetFoam law = implicit_law();
    law.cohesion = 0;
    law.viscosity = 5;
    auto foam = foam_at<3>({{0, 0, 0}, {2.4e-3, 0, 0}}, 1e-3);
    foam.velocity.write()[0] = {0.1, 0, 0.05};
    foam.velocity.write()[1] = {-0.3, 0, 0};
    for (double dt : {1e-4, 1e-2, 1.0}) {
        const auto r = forces_on(foam, law, dt);
        const double closing = 0.4, rate = (r.plain[1][0] - r.plain[0][0]) / closing;
        EXPECT_GT(rate * dt, 0.05);
        const double after = closing + dt * (r.implicit[0][0] - r.implicit[1][0]);
        EXPECT_NEAR(after, closing / (1 + rate * dt), 2e-4 * closing) << dt;
        EXPECT_NEAR(r.implicit[0][2], 0, 1e-9);
    }
}

/// Foam in a shallow bowl for a while, in steps of a law's own limit. Returns the part of a disc in
/// the middle that bubbles cover: the union of discs, and the sum of their areas, which is the
/// cover that patches and pruning mean.
struct Settled {
    double cover = 0, areas = 0, speed = 0;
    int steps = 0;
};
Settled settle(const WetFoam& law, double smallest, double ratio, double seconds) {
    Context context(2);
    const double side = 0.04, k = 4;  // y = k r² / 2
    Foam<3> foam = thrown(side, 0.7, smallest, ratio);
    for (Point<3>& x : foam.position.write()) {
        x -= Point<3>{side / 2, 0, side / 2};
        x[1] = k / 2 * (x[0] * x[0] + x[2] * x[2]);
    }
    FormulaSurface<3> bowl;
    bowl.phi = [=](const Point<3>& x, double) {
        return SurfacePoint<3>{x[1] - k / 2 * (x[0] * x[0] + x[2] * x[2]),
                               {-k * x[0], 1, -k * x[2]}};
    };
    ManifoldLaw manifold;
    manifold.drag = 5;
    double cubes = 0, squares = 0;
    for (float r : foam.radius) cubes += std::pow(r, 3), squares += std::pow(r, 2);
    const double dt = foam_limit<3>(law, smallest, cubes / squares).seconds;
    FoamPairs<3> pairs;
    Settled s;
    for (double t = 0; t < seconds; t += dt, ++s.steps) {
        pairs.follow(foam, foam_reach(law), context);
        const auto states = foam_states(foam, pairs, law, context);
        if (law.integration == FoamIntegration::kImplicit) {
            const Array<Vec<double, 3>> gravity(foam.size(), Vec<double, 3>{0, -9.81, 0});
            const auto normal = surface_normals(foam, bowl, t, context);
            add_velocities(foam,
                           implicit_acceleration<3>(foam, gravity.read(), normal.read(), pairs,
                                                    states, law, dt, context)
                               .acceleration,
                           dt);
        } else {
            push_foam(foam, pairs, states, law, dt, context);
        }
        advect_on_surface<3>(foam, {0, -9.81, 0}, bowl, manifold, {t, t + dt}, context);
        pairs.moved(foam, dt, context);
    }
    const double middle = 0.3 * side;
    constexpr int kSamples = 4000;
    int covered = 0;
    for (std::uint64_t n = 0; n < kSamples; ++n) {
        const Random random(19, n, 0, Purpose::kTest);
        const double phi = 2 * M_PI * random.uniform(0), r = middle * std::sqrt(random.uniform(1));
        const double x = r * std::cos(phi), z = r * std::sin(phi);
        int over = 0;
        for (std::size_t i = 0; i < foam.size(); ++i)
            over += std::hypot(foam.position[i][0] - x, foam.position[i][2] - z) <
                    double(foam.radius[i]);
        covered += over > 0;
        s.areas += over;
    }
    s.cover = double(covered) / kSamples;
    s.areas /= kSamples;
    for (const auto& v : foam.velocity) s.speed = std::max(s.speed, length(v));
    return s;
}

// [WFS22] §6.2 has no radii beyond 1 : 5.
TEST(DeepImplicitFoam, ALayerOfRadiiOneToTwentySettles) {
    struct {
        double smallest, ratio;
    } const layers[] = {{1e-3, 1}, {0.2e-3, 20}};
    for (const auto& layer : layers)
        for (bool implicit : {false, true}) {
            const Settled s =
                settle(implicit ? implicit_law() : WetFoam{}, layer.smallest, layer.ratio, 1.0);
            std::printf("1 : %.0f %s: cover %.3f, areas %.3f, fastest %.4f m/s, %d steps\n",
                        layer.ratio, implicit ? "implicit" : "explicit", s.cover, s.areas, s.speed,
                        s.steps);
            std::fflush(stdout);
            if (implicit) {
                EXPECT_GT(s.areas, 0.8);
                EXPECT_LT(s.areas, 0.95);
                EXPECT_GT(s.cover, 0.75);  // small bubbles overlap large ones
            }
        }
}

}  // namespace
}  // namespace spume

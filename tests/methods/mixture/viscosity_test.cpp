// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/viscosity.h"

#include <gtest/gtest.h>

#include "methods/mixture/mixture_box.h"

namespace spume::mixture {
namespace {

constexpr double kWater = 1000, kThick = 10;
constexpr int kCells = 32;

/// A closed box of pure water with the velocity u(axis, x).
template <int D, class Flow>
std::unique_ptr<MixtureBox<D>> moving_water(double dt, Flow&& flow) {
    auto box = std::make_unique<MixtureBox<D>>(Index<D>::filled(kCells), 1.0 / kCells, true);
    box->coupling.drag = {kWater, kThick, 1};
    box->coupling.dt = dt;
    box->settle();
    for (int a = 0; a < D; ++a) {
        double* u = box->water.write(a);
        for_faces(box->context.arena, *box->tiles, a, [&](int t, int o) {
            u[std::size_t(t) * kTileCells<D> + std::size_t(o)] =
                flow(a, box->water.position(a, t, o));
        });
    }
    return box;
}

template <int D>
ViscousForce<D> force_on(MixtureBox<D>& box, const ViscosityLaw<D>& law) {
    return viscous_force(box.water, box.bubbles, box.mixture, box.ranges, box.open, box.domain, law,
                         box.coupling, {}, 1e-12, box.context);
}

// A vortex that slips along the walls is an eigenvector of the discrete Laplacian: one backward
// Euler step divides it by 1 + ν Δt λ, λ = 2 (2 − 2 cos πh) / h². The third component stays zero.
template <int D>
void expect_vortex_decay(double dt) {
    const double pi = std::numbers::pi;
    const auto box = moving_water<D>(dt, [&](int axis, const Point<D>& x) {
        if (axis == 0) return std::sin(pi * x[0]) * std::cos(pi * x[1]);
        return axis == 1 ? -std::cos(pi * x[0]) * std::sin(pi * x[1]) : 0.0;
    });
    const ViscousForce<D> f = force_on(*box, {kThick, kThick, {}, {}});
    EXPECT_TRUE(f.solve.good());
    const double h = 1.0 / kCells, lambda = 2 * (2 - 2 * std::cos(pi * h)) / (h * h);
    const double nu = kThick / kWater, factor = 1 / (1 + nu * dt * lambda);
    double worst = 0, most = 0;
    for (int a = 0; a < D; ++a)
        for (int t = 0; t < box->tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                if (box->open.area.at(a, t, o) == 0) continue;
                const double u = box->water.at(a, t, o);
                const double gain = dt / kWater * f.force.at(a, t, o);
                worst = std::max(worst, std::abs(gain - (factor - 1) * u));
                most = std::max(most, std::abs(gain));
            }
    EXPECT_LE(worst, 1e-9 * most);
    EXPECT_GE(most, 1e-3 * dt);
}
TEST(Viscosity, VortexDecaysAsTheDiscreteLaplacianSays) {
    for (double dt : {1e-4, 0.1, 10.0}) expect_vortex_decay<2>(dt);
    expect_vortex_decay<3>(0.1);
}

// Water sliding along the floor and the lid at 1 m/s, looked at in an instant: a wall that holds it
// pulls the row beside it with 2 μ / h², a wall that does not pulls nothing.
TEST(Viscosity, NoSlipWallsHold) {
    const double dt = 1e-9, h = 1.0 / kCells;
    const auto box = moving_water<2>(dt, [](int axis, const Point<2>&) { return axis == 0; });
    const auto at_floor = [&](bool sticky) {
        ViscosityLaw<2> law{kThick, kThick, {false, sticky}, {}};
        const auto f = force_on(*box, law);
        const Index<2> face{kCells / 2, 0};
        return f.force.at(0, box->tiles->find(tile_of<2>(face)), tile_offset<2>(local_of<2>(face)));
    };
    EXPECT_NEAR(at_floor(true) / (-2 * kThick / (h * h)), 1, 1e-6);
    EXPECT_NEAR(at_floor(false), 0, 1e-6 * kThick / (h * h));
}

}  // namespace
}  // namespace spume::mixture

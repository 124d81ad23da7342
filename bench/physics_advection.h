// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <numbers>

#include "../tests/methods/mixture/mixture_box.h"
#include "physics_report.h"
#include "spume/physics/motion/advect.h"

namespace spume::bench {

inline double kinetic_energy(const FaceField<double, 2>& water) {
    double sum = 0;
    for (int a = 0; a < 2; ++a)
        for (double u : water.component(a)) sum += u * u;
    return sum;
}

/// Taylor–Green: u = (sin x cos y, −cos x sin y) in a closed box of side π is a steady flow without
/// viscosity; what energy it loses is the advection's fault. To t = 2, Courant number ½.
inline double lost_energy(int cells, Advection advection) {
    MixtureBox<2> box(Index<2>::filled(cells), std::numbers::pi / cells, true);
    box.coupling.gravity = {};
    box.coupling.dt = 0.5 * box.domain.voxel();
    box.options.tolerance = 1e-8;
    box.settle();
    for (int a = 0; a < 2; ++a) {
        double* u = box.water.write(a);
        for_faces(box.context.arena, *box.tiles, a, [&](int t, int o) {
            const Point<2> x = box.water.position(a, t, o);
            u[std::size_t(t) * kTileCells<2> + std::size_t(o)] =
                box.domain.is_wall(a, box.tiles->origin(t) + tile_local<2>(o)) ? 0
                : a == 0 ? std::sin(x[0]) * std::cos(x[1])
                         : -std::cos(x[0]) * std::sin(x[1]);
        });
    }
    const double before = kinetic_energy(box.water);
    const int steps = static_cast<int>(std::ceil(2 / box.coupling.dt));
    for (int n = 0; n < steps; ++n) {
        box.water = advected(box.water, box.domain, box.coupling.dt, advection, box.context);
        box.substep(1);
    }
    return 1 - kinetic_energy(box.water) / before;
}

inline void advection_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "taylor_green", "steady vortex without viscosity, t = 2");
    report.plot.x = {"cells a side", true};
    report.plot.y = {"lost kinetic energy", true};
    for (Advection advection : {Advection::kMacCormack, Advection::kSemiLagrangian}) {
        PlotSeries s =
            curve(advection == Advection::kMacCormack ? "maccormack" : "semi_lagrangian");
        for (int cells : {16, 32, 64, 128}) {
            s.x.push_back(cells);
            s.y.push_back(std::abs(lost_energy(cells, advection)));
        }
        report.add(s);
    }
    report.write();
}

}  // namespace spume::bench

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "wsb25_hero.h"

// Bubbles that should stay where and as they are.

namespace spume::bench {

/// Pressure jump against (D − 1) σ / R, one substep from rest.
template <int D>
PlotSeries laplace_series(int smoothing) {
    PlotSeries s = curve((D == 2 ? "2D" : "3D") + std::string(smoothing ? "" : ", as printed"));
    for (double voxels : {3.0, 4.0, 6.0, 8.0, 12.0, 16.0}) {
        if (D == 3 && voxels > 12) continue;
        TensionBall<D> ball(int(std::ceil(3 * voxels)), voxels, 1e-3, 0.072, 1, 1000);
        ball.law.smoothing = smoothing;
        ball.box.options.tolerance = 1e-8;
        ball.box.coupling.scheme = Scheme::kImplicitDrag;
        ball.pull();
        ball.box.substep(3, true);
        s.x.push_back(voxels);
        s.y.push_back(100 * (ball.jump() / ((D - 1) * 0.072 / ball.radius()) - 1));
    }
    return s;
}

inline void laplace_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "laplace", "pressure jump of a static bubble, cell_share");
    report.plot.x = {"voxels a radius"};
    report.plot.y = {"error, %"};
    for (int smoothing : {kSweeps, 0}) {
        report.add(laplace_series<2>(smoothing));
        report.add(laplace_series<3>(smoothing));
    }
    report.write();
}

/// [Pop09]: drop of diameter 0.8, σ = 1, ρ = 1 everywhere, μ = √(0.8/La); here with advection, and
/// in a whole box of side 2, for `share` of the time D²/μ. Largest velocity in the last tenth.
inline void spurious_of(double laplace, double share, int smoothing) {
    const auto run = drop_at_rest(laplace, smoothing);
    const double viscosity = run->scene.physics.viscosity, end = share * 0.64 / viscosity;
    bool good = run->until(0.9 * end);
    run->fastest = 0;
    good = good && run->until(end);
    std::printf("La %6.0f, %d sweeps, to %.2f D^2/mu: U sqrt(rho D/sigma) %.3g, Ca %.2e%s\n",
                laplace, smoothing, share, run->fastest * std::sqrt(0.8), run->fastest * viscosity,
                good ? "" : ", unstable");
    std::fflush(stdout);
}

inline void spurious_study() {
    std::printf("\n== spurious: currents of a drop at rest in 2D, D/h 25.6, marker\n");
    for (int smoothing : {kSweeps, 0}) {
        spurious_of(120, 0.5, smoothing);
        spurious_of(1200, 0.15, smoothing);
        spurious_of(12000, 0.05, smoothing);
    }
}

/// Drift of the centroid over ten periods of n = 2, with and without Eqs. 43–46, for a lattice of
/// particles symmetric about a corner of the grid and for one shifted against it.
inline void drift_study() {
    std::printf("\n== drift: equal densities, 2D, D/h 12, ten periods\n");
    const double h = 1e-3, radius = 6 * h;
    for (const Point<2>& shift : {Point<2>{0, 0}, Point<2>{0.27, 0.13}, Point<2>{0.1, 0.4}})
        for (bool compensate : {true, false}) {
            mixture::Params p = hero_params();
            p.drag = 1;
            p.drift_compensation = compensate;
            MixtureRun<2> run(hero_scene<2>(32, h, 0.072, 1000, 1000), p);
            fill(run, Point<2>{16 * h, 16 * h} + shift * h, radius, 2, std::sqrt(0.5) * h,
                 [&](const Point<2>& x) { return length(x) < radius; });
            const Point<2> before = run.centroid();
            const double period =
                2 * std::numbers::pi / lamb_frequency(2, 2, 0.072, 1000, 1000, radius);
            run.until(10 * period);
            std::printf("shift %.2f %.2f, compensation %s: %.3g voxels\n", shift[0], shift[1],
                        compensate ? "on" : "off", length(run.centroid() - before) / h);
            std::fflush(stdout);
        }
}

}  // namespace spume::bench

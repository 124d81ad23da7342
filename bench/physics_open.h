// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "../tests/methods/mixture/locked_cloud.h"
#include "../tests/methods/mixture/mixture_run.h"
#include "physics_report.h"

// Bubbles in open water: how far a coarse grid, a near border and few iterations can be trusted.

namespace spume::bench {

/// A bubble drags water along and rises in it: faster than alone, the more the smaller the voxel.
inline void single_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "single", "one bubble of 1 mm in open water, full solver");
    report.plot.x = {"r / h"};
    report.plot.y = {"excess over the terminal speed, %"};
    for (Scheme scheme : {Scheme::kImplicitDrag, Scheme::kStabilized}) {
        PlotSeries s = curve(name_of(scheme));
        for (double ratio : {0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5}) {
            mixture::Params p;
            p.scheme = scheme;
            p.newton_iterations = 3;
            p.min_substeps = 2;
            const double r = 1e-3, h = r / ratio;
            MixtureRun<3> run(open_water(h, {-32 * h, -16 * h, -32 * h}, {32 * h, 96 * h, 32 * h}),
                              p, 2);
            run.add({0.3 * h, 0.4 * h, 0.2 * h}, r, 1);
            run.until(0.25);
            const double y = run.centroid()[1];
            run.until(0.5);
            s.x.push_back(ratio);
            s.y.push_back(100 * ((run.centroid()[1] - y) / 0.25 / terminal_speed(r) - 1));
        }
        report.add(s);
    }
    report.write();
}

template <int D>
void add_cloud(StudyReport& report, const std::vector<double>& resolutions, Scheme scheme) {
    const std::string name =
        std::string(D == 2 ? "2D" : "3D") + (scheme == Scheme::kStabilized ? ", stabilized" : "");
    PlotSeries all = curve(name + ", all bubbles"), core = curve(name + ", core", true);
    for (double cells : resolutions) {
        const bool creeps = scheme == Scheme::kStabilized;
        const LockedCloud c{
            .cells = cells, .scheme = scheme, .iterations = creeps ? 400 : 5, .tolerance = 1e-8};
        const LockedResult r = released<D>(c);
        const double expected = locked_acceleration(c, added_mass<D>(c));
        for (PlotSeries* s : {&all, &core}) s->x.push_back(cells);
        all.y.push_back(100 * std::abs(r.all / expected - 1));
        core.y.push_back(100 * std::abs(r.core / expected - 1));
    }
    report.add(all);
    report.add(core);
}

/// φ g / (1 − φ + C) with the hydrostatic border at twice the radius.
inline void cloud_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "cloud", "locked cloud, phi 0.1, border at 2 R");
    report.plot.x = {"R / h", true};
    report.plot.y = {"error of the acceleration, %", true, 1e-5, 20};
    add_cloud<2>(report, {8, 16, 32, 64}, Scheme::kImplicitDrag);
    add_cloud<2>(report, {8, 16, 32}, Scheme::kStabilized);
    add_cloud<3>(report, {8, 16, 32}, Scheme::kImplicitDrag);
    report.write();
}

/// Rise of a cloud's centroid in `seconds`, and what it cost in voxels.
struct Rise {
    double height = 0, fastest = 0;
    std::int64_t voxels = 0;
};
inline Rise cloud_rise(const mixture::Params& p, double seconds) {
    Scene s = open_water(0.02, {-1, -1, -1}, {1, 3, 1});
    s.emitters.push_back(seeded_ball({0, 0.5, 0}, 0.08, 0.05, 2e-3));
    MixtureRun<3> run(s, p, 2);
    run.until(1.0 / 48);
    const double y = run.centroid()[1];
    run.until(seconds);
    return {run.centroid()[1] - y, run.fastest, run.voxels};
}

/// Border and padding, against the hydrostatic border behind four tiles.
inline void border_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "border", "rise of a cloud in 0.5 s against padding 4");
    report.plot.x = {"padding, tiles"};
    report.plot.y = {"difference of the rise, %"};
    mixture::Params p;
    p.padding = 4;
    const Rise reference = cloud_rise(p, 0.5);
    std::printf("reference: %.4f m, %lld voxels\n", reference.height,
                static_cast<long long>(reference.voxels));
    for (auto border : {mixture::OpenBorder::kHydrostatic, mixture::OpenBorder::kStill}) {
        const bool still = border == mixture::OpenBorder::kStill;
        PlotSeries s = curve(still ? "still" : "hydrostatic");
        for (int padding = 0; padding <= 4; ++padding) {
            p.border = border;
            p.padding = padding;
            const Rise rise = padding == 4 && !still ? reference : cloud_rise(p, 0.5);
            std::printf("%s, padding %d: %.4f m, %lld voxels\n", s.name.c_str(), padding,
                        rise.height, static_cast<long long>(rise.voxels));
            s.x.push_back(padding);
            s.y.push_back(100 * (rise.height / reference.height - 1));
        }
        report.add(s);
    }
    report.write();
}

/// Start pressure and number of iterations, against 30 iterations.
inline void start_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "start_pressure", "rise of a cloud in 0.5 s against 30 iterations");
    report.plot.x = {"Newton iterations a substep"};
    report.plot.y = {"difference of the rise, %"};
    mixture::Params p;
    p.newton_iterations = 30;
    const Rise reference = cloud_rise(p, 0.5);
    for (Scheme scheme : {Scheme::kImplicitDrag, Scheme::kStabilized})
        for (auto start : {mixture::StartPressure::kHydrostatic, mixture::StartPressure::kLast}) {
            const bool last = start == mixture::StartPressure::kLast;
            PlotSeries s =
                curve(std::string(name_of(scheme)) + (last ? ", last" : ", hydrostatic"), last);
            p.scheme = scheme;
            p.start_pressure = start;
            for (int iterations : {1, 2, 3, 5}) {
                p.newton_iterations = iterations;
                const Rise rise = cloud_rise(p, 0.5);
                std::printf("%s, %d iterations: %.4f m, fastest %.2f m/s\n", s.name.c_str(),
                            iterations, rise.height, rise.fastest);
                s.x.push_back(iterations);
                s.y.push_back(100 * (rise.height / reference.height - 1));
            }
            report.add(s);
        }
    report.write();
}

}  // namespace spume::bench

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>

#include "wsb25_curves.h"
#include "wsb25_hero.h"

// Resolved bubbles that move: Lamb's oscillations, the rising bubbles of Hysing et al. 2009, caps.

namespace spume::bench {

inline constexpr double kSigma = 0.072, kHeavy = 1000, kMilli = 1e-3;

struct OscillationCase {
    const char* name;
    Rule rule;
    Scheme scheme;
    int smoothing;
    double lead = 1;  ///< mixture.interface_velocity_correction
};

template <int D>
mixture::Params resolved_params(Scheme scheme = Scheme::kImplicitDrag, int smoothing = kSweeps,
                                double lead = 1) {
    mixture::Params p = hero_params();
    p.scheme = scheme;
    p.curvature_smoothing = smoothing;
    p.drag = 1;
    p.interface_velocity_correction = lead;
    return p;
}

/// Mode n = 2 at equal densities, 25 voxels a diameter: error of the frequency over two periods.
template <int D>
void oscillation_of(StudyReport& report, const OscillationCase& c, int cells, int crossings) {
    const double radius = 12.5 * kMilli;
    const auto run = seeded_run<D>(hero_scene<D>(cells, kMilli, kSigma, kHeavy, kHeavy),
                                   resolved_params<D>(c.scheme, c.smoothing, c.lead), c.rule,
                                   Point<D>::filled(cells / 2 * kMilli), 1.3 * radius,
                                   D == 2 ? std::numbers::pi * radius * radius
                                          : 4 * std::numbers::pi / 3 * radius * radius * radius,
                                   [&](const Point<D>& x) {
                                       const double squared = std::max(dot(x, x), 1e-30);
                                       const double cosine = (x[0] * x[0] - x[1] * x[1]) / squared;
                                       return std::sqrt(squared) - radius * (1 + 0.1 * cosine);
                                   });
    const double exact = lamb_frequency(D, 2, kSigma, kHeavy, kHeavy, radius);
    std::vector<std::pair<double, double>> samples;
    const double measured = frequency(*run, crossings, 15 / exact, second_mode<D>, &samples);
    std::printf(
        "%dD n = 2, %s: frequency %+.1f %% (first half period %+.1f %%), fastest %.3f m/s\n", D,
        c.name, 100 * (measured / exact - 1), 100 * (first_half_frequency(samples) / exact - 1),
        run->fastest);
    std::fflush(stdout);
    PlotSeries s = curve(std::string(c.name) + (D == 2 ? ", 2D" : ", 3D"));
    s.mark = PlotMark::kLine;
    for (const auto& [t, y] : samples)
        s.x.push_back(t * exact / (2 * std::numbers::pi)), s.y.push_back(y);
    report.plot.series.push_back(s);
}

inline void oscillation_study(const std::filesystem::path& folder) {
    StudyReport report(folder, "oscillation", "n = 2 at equal densities, 25 voxels a diameter");
    report.plot.x = {"time over Lamb's period"};
    report.plot.y = {"second moment", false, -0.25, 0.25};
    for (const OscillationCase& c :
         {OscillationCase{"marker", Rule::kMarker, Scheme::kImplicitDrag, kSweeps},
          OscillationCase{"marker, stabilized", Rule::kMarker, Scheme::kStabilized, kSweeps},
          OscillationCase{"marker, curvature as printed", Rule::kMarker, Scheme::kImplicitDrag, 0},
          OscillationCase{"cell_share", Rule::kShare, Scheme::kImplicitDrag, kSweeps}})
        oscillation_of<2>(report, c, 64, 4);
    report.write();
}

/// The mode n = 4 of a cube in 3D, from any shape that excites it: error over the first whole
/// period and its first half.
inline void cubic_oscillation_of(StudyReport& report, const char* name, double lead,
                                 const std::function<double(const Point<3>&)>& distance) {
    const double radius = 12.5 * kMilli;
    const double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
    const auto run =
        seeded_run<3>(hero_scene<3>(56, kMilli, kSigma, kHeavy, kHeavy),
                      resolved_params<3>(Scheme::kImplicitDrag, kSweeps, lead), Rule::kMarker,
                      Point<3>::filled(28 * kMilli), 1.3 * radius, volume, distance);
    const double exact = lamb_frequency(3, 4, kSigma, kHeavy, kHeavy, radius);
    std::vector<std::pair<double, double>> samples;
    const double start = seen_volume(*run);
    const double measured = frequency(*run, 3, 10 / exact, cubic_mode, &samples);
    std::printf(
        "3D n = 4, %s: frequency %+.1f %% (first half period %+.1f %%), air on grid %+.1f %%\n",
        name, 100 * (measured / exact - 1), 100 * (first_half_frequency(samples) / exact - 1),
        100 * (seen_volume(*run) / start - 1));
    std::fflush(stdout);
    PlotSeries s = curve(std::string(name) + ", n = 4");
    s.mark = PlotMark::kLine;
    for (const auto& [t, y] : samples)
        s.x.push_back(t * exact / (2 * std::numbers::pi)), s.y.push_back(y);
    report.plot.series.push_back(s);
}

/// The same in 3D, and the mode n = 4: as the cube of [WSB25] Fig. 4 excites it, and with 0.1 R at
/// most, since Lamb's frequency is that of small amplitudes.
inline void space_oscillation_study(const StudyOptions& options) {
    StudyReport report(options.folder, "oscillation_3d",
                       "3D, equal densities, 25 voxels a diameter");
    report.plot.x = {"time over Lamb's period"};
    report.plot.y = {"moment", false, -0.25, 0.25};
    const double radius = 12.5 * kMilli;
    const double half = radius * std::cbrt(std::numbers::pi / 6);
    const auto cube = [&](const Point<3>& x) {
        return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}) - half;
    };
    cubic_oscillation_of(report, "cube", 1, cube);
    cubic_oscillation_of(report, "cube, interface_velocity_correction = 0", 0, cube);
    cubic_oscillation_of(report, "0.1 R", 1, [&](const Point<3>& x) {
        const double squared = std::max(dot(x, x), 1e-30);
        double fourth = 0;
        for (int a = 0; a < 3; ++a) fourth += x[a] * x[a] * x[a] * x[a];
        return std::sqrt(squared) - radius * (1 - 0.25 * (fourth / (squared * squared) - 0.6));
    });
    oscillation_of<3>(report, {"marker", Rule::kMarker, Scheme::kImplicitDrag, kSweeps}, 56, 3);
    oscillation_of<3>(report,
                      {"marker, interface_velocity_correction = 0", Rule::kMarker,
                       Scheme::kImplicitDrag, kSweeps, 0},
                      56, 3);
    report.write();
}

/// Hysing et al. 2009, case 1 and 2 at h = 1/64; published: MooNMD, finest level.
struct HysingCase {
    int number;
    double air, air_viscosity, sigma, end;
    double fastest, fastest_at, height;  ///< v_max, its time, y_c(end)
};

inline void hysing_of(StudyReport& report, const HysingCase& c, Rule rule, double drag) {
    Scene scene = open_water(1.0 / 64, {0, 0, 0}, {1, 2, 1}, 2);
    scene.domain.dense = true;
    scene.domain.sides = scene.domain.top = scene.domain.bottom = Border::kWall;
    scene.physics = {{0, -0.98, 0}, 1000, c.air, 10, c.sigma};
    scene.time.fps = 20;
    mixture::Params p = resolved_params<2>();
    p.drag = drag;
    p.mixture_viscosity = true;
    p.air_viscosity = c.air_viscosity;
    p.no_slip_ends = true;
    const double radius = 0.25;
    const auto run =
        seeded_run<2>(scene, p, rule, {0.5, 0.5}, 0.3, std::numbers::pi * radius * radius,
                      [&](const Point<2>& x) { return length(x) - radius; });
    PlotSeries v = curve(std::string(name_of(rule)) + (drag > 0 ? "" : ", no drag"));
    v.mark = PlotMark::kLine;
    double most = 0, at = 0;
    for (double t = 0.05; t < c.end + 1e-9 && run->until(t); t += 0.05) {
        const double now = run->mean_velocity()[1];
        v.x.push_back(t), v.y.push_back(now);
        if (now > most) most = now, at = t;
    }
    std::printf(
        "%s: v_max %.4f at %.2f (%+.1f %%), y_c(%.1f) %.4f (%+.1f %%), grid area %+.1f %%\n",
        v.name.c_str(), most, at, 100 * (most / c.fastest - 1), c.end, run->centroid()[1],
        100 * (run->centroid()[1] / c.height - 1),
        100 * (seen_volume(*run) / (std::numbers::pi * radius * radius) - 1));
    report.add(v);
}

inline void hysing_study(const StudyOptions& options) {
    const HysingCase one{1, 100, 1, 24.5, 3, 0.24166, 0.924, 1.08175};
    const HysingCase two{2, 1, 0.1, 1.96, 1.5, 0.25022, 0.732, 0.80073};
    for (const HysingCase& c : {one, two}) {
        const std::string number = std::to_string(c.number);
        StudyReport report(options.folder, "hysing_case" + number,
                           "rising bubble in 2D, case " + number + ", h = 1/64");
        report.plot.x = {"time", false, 0, c.end};
        report.plot.y = {"rise velocity", false, 0, 0.3};
        report.plot.width = 900;
        report.plot.legend_beside = true;
        add_published(report, options.data, c.number);
        for (Rule rule : {Rule::kMarker, Rule::kShare})
            for (double drag : {1.0, 0.0})
                if (drag > 0 || c.number == 1) hysing_of(report, c, rule, drag);
        report.write();
    }
}

}  // namespace spume::bench

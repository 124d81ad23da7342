// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "mixture_run.h"
#include "tension_ball.h"

namespace spume {

/// A dense box of water for resolved air: no gravity, no drag, open sides, surface tension on.
template <int D>
Scene hero_scene(int cells, double voxel, double sigma, double air, double water) {
    Scene s = open_water(voxel, {0, 0, 0}, Vec<double, 3>::filled(cells * voxel), D);
    s.domain.dense = true;
    s.physics.gravity = {};
    s.physics.air_density = air;
    s.physics.water_density = water;
    s.physics.surface_tension = sigma;
    s.time.fps = 1;
    return s;
}

inline mixture::Params hero_params() {
    mixture::Params p;
    p.surface_tension = true;
    p.drag = 0;
    p.start_pressure = mixture::StartPressure::kLast;
    return p;
}

/// Equal particles at these places.
template <int D>
void put(MixtureRun<D>& run, const std::vector<Point<D>>& points, double radius) {
    Bubbles<D> fresh;
    resize(fresh, points.size());
    std::copy(points.begin(), points.end(), fresh.position.write().begin());
    for (float& r : fresh.radius.write()) r = float(radius);
    for (float& d : fresh.density.write()) d = float(run.scene.physics.air_density);
    append(run.state.bubbles, fresh);
}

/// Particles on a lattice of `side` a voxel and axis wherever inside(x), symmetric about `centre`.
template <int D, class Inside>
void fill(MixtureRun<D>& run, const Point<D>& centre, double reach, int side, double radius,
          Inside&& inside) {
    const double spacing = run.world.domain.voxel() / side;
    const int n = int(std::ceil(reach / spacing)) + 1, width = 2 * n;
    std::vector<Point<D>> points;
    const int count = D == 2 ? width * width : width * width * width;
    for (int i = 0; i < count; ++i) {
        Point<D> x{};
        for (int a = 0, rest = i; a < D; ++a, rest /= width)
            x[a] = (rest % width - n + 0.5) * spacing;
        if (inside(x)) points.push_back(centre + x);
    }
    put(run, points, radius);
}

/// Directions about evenly `apart` (an angle), symmetric about every axis.
template <int D>
std::vector<Point<D>> directions(double apart) {
    constexpr double kPi = std::numbers::pi;
    std::vector<Point<D>> r;
    const auto ring = [&](double height, double width) {
        const int n = 4 * std::max(1, int(std::lround(kPi * width / (2 * apart))));
        for (int i = 0; i < n; ++i) {
            const double angle = 2 * kPi * (i + 0.5) / n;
            Point<D> d{};
            d[0] = width * std::cos(angle), d[1] = width * std::sin(angle);
            if constexpr (D == 3) d[2] = height;
            r.push_back(d);
        }
    };
    if (D == 2) ring(0, 1);
    const int rows = D == 2 ? 0 : std::max(2, int(std::lround(kPi / apart)));
    for (int i = 0; i < rows; ++i)
        ring(std::cos(kPi * (i + 0.5) / rows), std::sin(kPi * (i + 0.5) / rows));
    return r;
}

/// Particles on shells of a ball, half a voxel apart, the outermost a quarter of a voxel below its
/// surface; then the ball is stretched by e^strain along x and shortened as much along y. A lattice
/// that a round surface cuts ends in steps of half a voxel and some voxels' length: capillary waves
/// of their own, that nothing damps.
template <int D>
void fill_shells(MixtureRun<D>& run, const Point<D>& centre, double radius, double particle,
                 double strain = 0) {
    const double spacing = run.world.domain.voxel() / 2;
    const int shells = std::max(1, int(std::lround(radius / spacing)));
    std::vector<Point<D>> points;
    for (int n = 0; n < shells; ++n) {
        const double r = (n + 0.5) * radius / shells;
        for (Point<D> x : directions<D>(spacing / r)) {
            x[0] *= std::exp(strain), x[1] *= std::exp(-strain);
            points.push_back(centre + x * r);
        }
    }
    put(run, points, particle);
}

/// Mean of f(x − centroid) over the particles.
template <int D, class F>
double mean_over(const MixtureRun<D>& run, F&& f) {
    const Point<D> c = run.centroid();
    double sum = 0;
    for (const auto& x : run.state.bubbles.position) sum += f(x - c);
    return sum / double(run.state.bubbles.size());
}

/// ⟨x² − y²⟩ / ⟨x² + y²⟩: the mode n = 2.
template <int D>
double second_mode(const MixtureRun<D>& run) {
    return mean_over(run, [](const Point<D>& x) { return x[0] * x[0] - x[1] * x[1]; }) /
           mean_over(run, [](const Point<D>& x) { return x[0] * x[0] + x[1] * x[1]; });
}

/// ⟨x⁴ + y⁴ + z⁴ − 3 r⁴ / 5⟩ / ⟨r⁴⟩: the mode n = 4 of a cube.
inline double cubic_mode(const MixtureRun<3>& run) {
    const auto r4 = [](const Point<3>& x) { return dot(x, x) * dot(x, x); };
    return mean_over(run,
                     [&](const Point<3>& x) {
                         double s = -0.6 * r4(x);
                         for (int a = 0; a < 3; ++a) s += x[a] * x[a] * x[a] * x[a];
                         return s;
                     }) /
           mean_over(run, r4);
}

/// Angular frequency from the times at which the mode crosses zero: half a period apart. Runs until
/// `crossings` of them, or until `end`; 0 when there were fewer than two.
template <int D, class Mode>
double frequency(MixtureRun<D>& run, int crossings, double end, Mode&& mode,
                 std::vector<std::pair<double, double>>* curve = nullptr) {
    std::vector<double> zeros;
    double before = mode(run), time = run.state.time;
    while (int(zeros.size()) < crossings && run.state.time < end && !run.failed) {
        run.until(run.state.time +
                  mixture::max_dt(run.state, run.params, run.world, run.context).seconds);
        const double now = mode(run);
        if (curve) curve->push_back({run.state.time, now});
        if ((before > 0) != (now > 0))
            zeros.push_back(time + (run.state.time - time) * before / (before - now));
        before = now, time = run.state.time;
    }
    if (zeros.size() < 2) return 0;
    return std::numbers::pi * double(zeros.size() - 1) / (zeros.back() - zeros.front());
}

/// The same between the first two zeros of a recorded mode.
inline double first_half_frequency(const std::vector<std::pair<double, double>>& curve) {
    double zero[2] = {};
    int found = 0;
    for (std::size_t i = 1; i < curve.size() && found < 2; ++i) {
        const auto& [t0, a] = curve[i - 1];
        const auto& [t1, b] = curve[i];
        if ((a > 0) != (b > 0)) zero[found++] = t0 + (t1 - t0) * a / (a - b);
    }
    return found < 2 ? 0 : std::numbers::pi / (zero[1] - zero[0]);
}

/// Lamb, of a drop of density i in a fluid of density o, inviscid.
inline double lamb_frequency(int dimensions, int n, double sigma, double i, double o, double r) {
    const double k = dimensions == 2 ? n * (n * n - 1) / (i + o)
                                     : n * (n + 1.0) * (n - 1) * (n + 2) / ((n + 1) * i + n * o);
    return std::sqrt(k * sigma / (r * r * r));
}

}  // namespace spume

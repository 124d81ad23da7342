// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/level_band.h"

#include <cmath>

#include <gtest/gtest.h>

namespace spume {
namespace {

/// f(x, y, …) at the centres of n^D cells of a unit box, in voxels.
template <class T, int D, class F>
DenseField<T, D> level_of(int n, double size, F&& f) {
    DenseField<T, D> phi(DensePlace<D>::centres(Index<D>::filled(n)).shape);
    T* out = phi.write();
    const double h = size / n;
    for (std::size_t r = 0; r < phi.shape.rows(); ++r) {
        Index<D> i = phi.shape.row(r);
        for (int k = 0; k < n; ++k, ++i[D - 1]) {
            Point<D> x{};
            for (int a = 0; a < D; ++a) x[a] = (i[a] + 0.5) * h - size / 2;
            out[phi.shape.at(i)] = T(f(x) / h);
        }
    }
    const bool even[D] = {};
    mirror_ghosts<T, D>(out, DensePlace<D>::centres(phi.shape.size), even);
    return phi;
}

/// Largest error in the middle after a sine without critical points there was carried along.
template <int D>
double carried_error(int n) {
    Context context(2);
    const auto wave = [](const Point<D>& x) {
        double sum = 0;
        for (int a = 0; a < D; ++a) sum += 0.25 * std::sin(1.5 * x[a] + 0.3 * a);
        return sum;
    };
    auto phi = level_of<double, D>(n, 1, wave);
    const Band<D> band = band_of(phi, 1e9, context);
    BandVelocity<double, D> v;
    const double speed[3] = {0.7, -0.4, 0.3};
    for (int a = 0; a < D; ++a) v.u[a].assign(band.cells, speed[a] * n);
    const double end = 0.1;
    const int steps = int(std::ceil(end * 1.4 * n * std::pow(n / 16.0, 2.0 / 3)));
    for (int k = 0; k < steps; ++k) advect_weno(phi, band, v, end / steps, context);
    double most = 0;
    for (std::size_t r = 0; r < phi.shape.rows(); ++r) {
        Index<D> i = phi.shape.row(r);
        for (int k = 0; k < n; ++k, ++i[D - 1]) {
            Point<D> x{}, from{};
            bool middle = true;
            for (int a = 0; a < D; ++a) {
                x[a] = (i[a] + 0.5) / n - 0.5;
                from[a] = x[a] - speed[a] * end;
                middle = middle && std::abs(x[a]) < 0.2;
            }
            if (middle) most = std::max(most, std::abs(phi.at(i) / n - wave(from)));
        }
    }
    return most;
}

TEST(LevelBand, WenoIsOfFifthOrder) {
    const double a = carried_error<2>(32), b = carried_error<2>(64), c = carried_error<2>(128);
    std::printf("2D %.3e %.3e %.3e: orders %.2f %.2f\n", a, b, c, std::log2(a / b),
                std::log2(b / c));
    EXPECT_GT(std::log2(a / b), 4.5);
    EXPECT_GT(std::log2(b / c), 4.5);
    const double d = carried_error<3>(20), e = carried_error<3>(40);
    std::printf("3D %.3e %.3e: order %.2f\n", d, e, std::log2(d / e));
    EXPECT_GT(std::log2(d / e), 4.5);
}

/// The ellipse of [RS00] §4: zero on x²/16 + y²/4 = 1, slopes from 0.1 to 100.
double distorted_ellipse(const Point<2>& x) {
    const double f = 0.1 + (x[0] - 3.5) * (x[0] - 3.5) + (x[1] - 2) * (x[1] - 2);
    return f * (std::sqrt(x[0] * x[0] / 16 + x[1] * x[1] / 4) - 1);
}
double ellipse_distance(const Point<2>& x) {
    // Nearest point by its angle: a scan, then bisection of the derivative.
    const auto at = [](double t) { return Point<2>{4 * std::cos(t), 2 * std::sin(t)}; };
    double best = 1e9, where = 0;
    const int n = 720;
    for (int k = 0; k < n; ++k) {
        const double t = 2 * 3.14159265358979323846 * k / n, d = length(x - at(t));
        if (d < best) best = d, where = t;
    }
    double lo = where - 0.02, hi = where + 0.02;
    for (int k = 0; k < 60; ++k) {
        const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
        (length(x - at(a)) < length(x - at(b)) ? hi : lo) =
            length(x - at(a)) < length(x - at(b)) ? b : a;
    }
    const double d = length(x - at(0.5 * (lo + hi)));
    return x[0] * x[0] / 16 + x[1] * x[1] / 4 < 1 ? -d : d;
}

TEST(LevelBand, EllipseIsOfSecondOrder) {
    Context context(2);
    double before = 0;
    for (const int n : {100, 200, 400}) {
        auto phi = level_of<double, 2>(n, 10, distorted_ellipse);
        redistance_band(phi, {.width = 6, .iterations = 24, .anew = true}, context);
        double most = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const Point<2> x{(i + 0.5) * 10 / n - 5, (j + 0.5) * 10 / n - 5};
                if (std::abs(phi.at({i, j})) < 3)
                    most = std::max(most, std::abs(phi.at({i, j}) * 10 / n - ellipse_distance(x)));
            }
        std::printf("ellipse %d: %.3e\n", n, most);
        if (before > 0) {
            EXPECT_GT(std::log2(before / most), 1.9) << n;
        }
        before = most;
    }
}

/// Where the cubic through four values along a grid line is zero between the middle ones.
double crossing(double a, double b, double c, double d) {
    double lo = 0, hi = 1;
    const auto at = [&](double t) {
        return -t * (t - 1) * (t - 2) / 6 * a + (t + 1) * (t - 1) * (t - 2) / 2 * b -
               (t + 1) * t * (t - 2) / 2 * c + (t + 1) * t * (t - 1) / 6 * d;
    };
    for (int k = 0; k < 60; ++k) {
        const double m = 0.5 * (lo + hi);
        ((at(m) < 0) == (b < 0) ? lo : hi) = m;
    }
    return lo;
}

/// Farthest that a crossing of a grid line is away from the ball, in voxels.
template <class T, int D>
double farthest_crossing(const DenseField<T, D>& phi, double radius, int n) {
    double most = 0;
    for (std::size_t r = 0; r < phi.shape.rows(); ++r) {
        Index<D> i = phi.shape.row(r);
        for (int k = 2; k < n - 2; ++k) {
            i[D - 1] = k;
            const T* p = phi.read() + phi.shape.at(i);
            if ((p[0] < 0) == (p[1] < 0)) continue;
            Point<D> x{};
            for (int a = 0; a < D; ++a) x[a] = i[a] + 0.5 - n / 2.0 - 0.13;
            x[D - 1] += crossing(p[-1], p[0], p[1], p[2]);
            most = std::max(most, std::abs(length(x) - radius));
        }
    }
    return most;
}

template <int D>
void expect_still_ball() {
    Context context(2);
    const int n = 32;
    for (const double stretched : {0.0, 0.3}) {
        // In voxels; stretched, it is no distance to begin with.
        auto phi = level_of<float, D>(n, n, [&](const Point<D>& x) {
            const double d = length(x - Point<D>::filled(0.13)) - 10;
            return d * (1 + stretched * std::sin(0.2 * x[0]));
        });
        const double start = farthest_crossing(phi, 10, n);
        redistance_band(phi, {}, context);
        const double once = farthest_crossing(phi, 10, n);
        for (int k = 1; k < 100; ++k) redistance_band(phi, {}, context);
        const double hundred = farthest_crossing(phi, 10, n);
        std::printf("%dD stretched %.1f: %.2e %.2e %.2e\n", D, stretched, start, once, hundred);
        EXPECT_LT(once, 1e-3 + start) << D;
        EXPECT_LT(hundred, 5e-3 + start) << D;
    }
}
TEST(LevelBand, RedistancingLeavesTheSurface) {
    expect_still_ball<2>();
    expect_still_ball<3>();
}

TEST(LevelBand, HoldsTheCellsAroundTheSurface) {
    Context context(2);
    const auto phi = level_of<float, 3>(24, 24, [](const Point<3>& x) { return length(x) - 8; });
    const Band<3> band = band_of(phi, 2, context);
    std::vector<int> seen(phi.values.size(), 0);
    for (const auto& run : band.runs) {
        EXPECT_EQ(phi.shape.at(run.first), run.place);
        for (int k = 0; k < run.count; ++k) ++seen[run.place + std::size_t(k)];
    }
    for (int i = 0; i < 24; ++i)
        for (int j = 0; j < 24; ++j)
            for (int k = 0; k < 24; ++k) {
                const std::size_t at = phi.shape.at({i, j, k});
                EXPECT_LE(seen[at], 1);
                if (std::abs(phi.values[at]) < 2) {
                    EXPECT_EQ(seen[at], 1);
                }
            }
}

}  // namespace
}  // namespace spume

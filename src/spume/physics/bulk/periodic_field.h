// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <complex>
#include <memory>
#include <span>
#include <vector>

#include "spume/core/vec.h"

namespace spume {

/// Sums of waves on n points a side of a line or square, F_m = Σ f_j e^{2πi j·m/n}, by Eigen's fast
/// transform. Its roots of unity are ours, so that all machines have the same bits. n is even, a
/// product of 2, 3 and 5. One object may be used by several threads.
class WaveTransform {
  public:
    explicit WaveTransform(int n);
    ~WaveTransform();
    WaveTransform(const WaveTransform&) = delete;
    WaveTransform& operator=(const WaveTransform&) = delete;
    WaveTransform(WaveTransform&&) noexcept;

    int points() const { return n_; }
    /// In place; `dimensions` is 1 or 2, the last axis is the fastest.
    void sum(std::span<std::complex<double>> values, int dimensions) const;
    /// The amplitudes whose sum the values are.
    void analyse(std::span<std::complex<double>> values, int dimensions) const;

  private:
    struct Plan;
    std::unique_ptr<Plan> plan_;
    int n_;
};

/// By how much a wave of j periods in n points must be raised for a cubic spline through such
/// coefficients to have its height at the points.
double spline_gain(int j, int n);

/// A function on a line or square that repeats after `period`, as a cubic spline: smooth up to
/// second derivatives.
template <int H>
struct PeriodicField {
    int n = 0;
    double period = 1;
    std::vector<double> coefficients;  ///< n^H, last axis fastest

    double operator()(const Vec<double, H>& x) const { return visit<false>(x, nullptr); }
    /// The value; `gradient` becomes its derivatives.
    double with_gradient(const Vec<double, H>& x, Vec<double, H>& gradient) const {
        return visit<true>(x, &gradient);
    }

  private:
    template <bool kSlopes>
    double visit(const Vec<double, H>& x, Vec<double, H>* gradient) const {
        int at[H][4];
        double w[H][4], d[H][4];
        for (int a = 0; a < H; ++a) {
            const double u = x[a] / period;
            const double scaled = (u - std::floor(u)) * n, base = std::floor(scaled);
            const double t = scaled - base, s = 1 - t;
            for (int i = 0; i < 4; ++i) at[a][i] = (int(base) + n - 1 + i) % n;
            w[a][0] = s * s * s / 6;
            w[a][1] = 2.0 / 3 - 0.5 * t * t * (2 - t);
            w[a][2] = 2.0 / 3 - 0.5 * s * s * (2 - s);
            w[a][3] = t * t * t / 6;
            d[a][0] = -0.5 * s * s;
            d[a][1] = t * (1.5 * t - 2);
            d[a][2] = -s * (1.5 * s - 2);
            d[a][3] = 0.5 * t * t;
        }
        double value = 0, slope[H] = {};
        for (int i = 0; i < 4; ++i) {
            if constexpr (H == 1) {
                const double c = coefficients[std::size_t(at[0][i])];
                value += w[0][i] * c;
                if constexpr (kSlopes) slope[0] += d[0][i] * c;
            } else {
                const double* row = coefficients.data() + std::size_t(at[0][i]) * std::size_t(n);
                double sum = 0, across = 0;
                for (int k = 0; k < 4; ++k) {
                    sum += w[1][k] * row[at[1][k]];
                    if constexpr (kSlopes) across += d[1][k] * row[at[1][k]];
                }
                value += w[0][i] * sum;
                if constexpr (kSlopes) {
                    slope[0] += d[0][i] * sum;
                    slope[1] += w[0][i] * across;
                }
            }
        }
        if constexpr (kSlopes)
            for (int a = 0; a < H; ++a) (*gradient)[a] = slope[a] * n / period;
        return value;
    }
};

}  // namespace spume

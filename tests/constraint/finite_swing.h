// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "spume/solve/dense.h"

namespace spume {

/// A massless bubble of fixed area that swings in unbounded liquid of density 1 under the surface
/// tension 1, in the plane: potential flow with the whole, nonlinear conditions on its surface
/// r(θ, t). Lamb's period is that of swings without size; this is the truth for one of a tenth of
/// the radius. Unknowns are cosine series of r and of the potential on the surface, collocated:
///
///   φ = Σ a_j r^(−nj) cos(njθ)                       in the liquid
///   dr/dt = φ_r − φ_θ r'/r²                          the surface goes with the liquid
///   dφ/dt = κ − |∇φ|²/2 + φ_r dr/dt                  Bernoulli, along the ray θ
class FiniteSwing {
  public:
    /// Starts at rest as r = 1 + swing cos nθ.
    FiniteSwing(int n, double swing) : n_(n), r_(kModes, 0.0), potential_(kModes, 0.0) {
        r_[0] = 1;
        r_[1] = swing;
    }

    double mode() const { return r_[1]; }
    double area() const {
        double sum = r_[0] * r_[0];
        for (int j = 1; j < kModes; ++j) sum += r_[j] * r_[j] / 2;
        return std::numbers::pi * sum;
    }

    /// One step of the classical fourth-order scheme.
    void advance(double dt) {
        Series r[4], p[4];
        rates(r_, potential_, r[0], p[0]);
        rates(sum(r_, dt / 2, r[0]), sum(potential_, dt / 2, p[0]), r[1], p[1]);
        rates(sum(r_, dt / 2, r[1]), sum(potential_, dt / 2, p[1]), r[2], p[2]);
        rates(sum(r_, dt, r[2]), sum(potential_, dt, p[2]), r[3], p[3]);
        for (int j = 0; j < kModes; ++j) {
            r_[j] += dt / 6 * (r[0][j] + 2 * r[1][j] + 2 * r[2][j] + r[3][j]);
            potential_[j] += dt / 6 * (p[0][j] + 2 * p[1][j] + 2 * p[2][j] + p[3][j]);
        }
    }

    static double lamb_period(int n) { return 2 * std::numbers::pi / std::sqrt(n * (n * n - 1.0)); }

    /// Times when the mode is zero, in Lamb's periods.
    static std::vector<double> zeros(int n, double swing, std::size_t count) {
        FiniteSwing bubble(n, swing);
        const double period = lamb_period(n), dt = period / 500;
        std::vector<double> found;
        for (int step = 0; found.size() < count && step < 5000; ++step) {
            const double before = bubble.mode();
            bubble.advance(dt);
            if (before * bubble.mode() < 0)
                found.push_back((step + before / (before - bubble.mode())) * dt / period);
        }
        return found;
    }

  private:
    using Series = std::vector<double>;
    static constexpr int kModes = 11, kKept = 8;  ///< rates of the last ones are dropped: aliases

    static Series sum(const Series& a, double factor, const Series& b) {
        Series c = a;
        for (std::size_t i = 0; i < c.size(); ++i) c[i] += factor * b[i];
        return c;
    }
    /// Midpoints of a half wave, where the cosines are orthogonal.
    double angle(int i) const { return (i + 0.5) * std::numbers::pi / (n_ * kModes); }
    double value(const Series& s, int i, int derivative) const {
        double v = 0;
        for (int j = 0; j < kModes; ++j) {
            const double k = n_ * j;
            v += s[j] * (derivative == 0   ? std::cos(k * angle(i))
                         : derivative == 1 ? -k * std::sin(k * angle(i))
                                           : -k * k * std::cos(k * angle(i)));
        }
        return v;
    }
    Series series_of(const Series& values) const {
        Series s(kModes, 0.0);
        for (int j = 0; j < kKept; ++j)
            for (int i = 0; i < kModes; ++i)
                s[j] += (j == 0 ? 1.0 : 2.0) / kModes * values[i] * std::cos(n_ * j * angle(i));
        return s;
    }
    /// a_j from the potential on the surface; a_0 is a constant without flow.
    Series coefficients(const Series& r, const Series& potential) const {
        std::vector<Series> basis(kModes, Series(kModes));
        for (int i = 0; i < kModes; ++i)
            for (int j = 0; j < kModes; ++j)
                basis[i][j] = std::pow(value(r, i, 0), -n_ * j) * std::cos(n_ * j * angle(i));
        DenseMatrix normal(kModes);
        Series right(kModes, 0.0), a(kModes, 0.0);
        for (int j = 0; j < kModes; ++j)
            for (int i = 0; i < kModes; ++i) {
                right[j] += basis[i][j] * value(potential, i, 0);
                for (int k = 0; k < kModes; ++k) normal(j, k) += basis[i][j] * basis[i][k];
            }
        const DenseMatrix inverse = pseudo_inverse(normal);
        for (int j = 0; j < kModes; ++j)
            for (int k = 0; k < kModes; ++k) a[j] += inverse(j, k) * right[k];
        return a;
    }
    void rates(const Series& r, const Series& potential, Series& r_rate, Series& p_rate) const {
        const Series a = coefficients(r, potential);
        Series dr(kModes), dp(kModes);
        for (int i = 0; i < kModes; ++i) {
            const double at = value(r, i, 0), slope = value(r, i, 1), bend = value(r, i, 2);
            double radial = 0, around = 0;  // φ_r, φ_θ
            for (int j = 1; j < kModes; ++j) {
                const double k = n_ * j, size = a[j] * std::pow(at, -k);
                radial -= k * size / at * std::cos(k * angle(i));
                around -= k * size * std::sin(k * angle(i));
            }
            const double curvature =
                (at * at + 2 * slope * slope - at * bend) / std::pow(at * at + slope * slope, 1.5);
            dr[i] = radial - around * slope / (at * at);
            dp[i] =
                curvature - (radial * radial + around * around / (at * at)) / 2 + radial * dr[i];
        }
        r_rate = series_of(dr);
        p_rate = series_of(dp);
    }

    int n_;
    Series r_, potential_;
};

}  // namespace spume

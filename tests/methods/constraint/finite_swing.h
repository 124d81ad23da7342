// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "spume/solve/dense.h"

namespace spume {

/// Values of the shapes that a swing of mode n is made of, at points where they are orthogonal: in
/// the plane cos(njθ), around an axis the Legendre polynomials P_2j(cos θ) with n even.
template <int D>
class SwingBasis {
  public:
    static constexpr int kModes = 11, kKept = 8;  ///< the last ones are dropped: aliases

    explicit SwingBasis(int n) : n_(n) {
        for (int i = 0; i < kModes; ++i) {
            double x = (i + 0.5) / kModes;  // in the plane nθ/π, in space cos θ
            weight_[i] = 1.0 / kModes;
            if constexpr (D == 3) gauss_point(i, x, weight_[i]);
            angle_[i] = D == 2 ? x * std::numbers::pi / n_ : std::acos(x);
            for (int j = 0; j < kModes; ++j) set_values(i, j, x);
        }
    }

    /// Which of the shapes is mode n, and how fast shape j falls off, r^(−power).
    int mode() const { return D == 2 ? 1 : n_ / 2; }
    int power(int j) const { return j == 0 ? 0 : D == 2 ? n_ * j : 2 * j + 1; }
    double angle(int i) const { return angle_[i]; }
    /// Shape j at point i, or its derivative by the angle.
    double at(int i, int j, int derivative) const { return value_[derivative][i][j]; }
    /// Of the product with shape j over that of its square.
    double weight(int i, int j) const { return weight_[i] * (D == 3 ? 4 * j + 1 : j == 0 ? 1 : 2); }

  private:
    /// P_m and its first two derivatives by x.
    static void legendre(int m, double x, double (&p)[3]) {
        double a[3] = {1, 0, 0}, b[3] = {x, 1, 0};
        if (m == 0) std::swap(a, b);
        for (int k = 1; k < m; ++k) {
            const double c[3] = {x * b[0], x * b[1] + b[0], x * b[2] + 2 * b[1]};
            for (int d = 0; d < 3; ++d) {
                const double next = ((2 * k + 1) * c[d] - k * a[d]) / (k + 1);
                a[d] = b[d], b[d] = next;
            }
        }
        for (int d = 0; d < 3; ++d) p[d] = b[d];
    }
    /// A positive zero of P_2kModes: Gauss points for even functions on (0, 1).
    static void gauss_point(int i, double& x, double& weight) {
        double p[3];
        x = std::cos(std::numbers::pi * (i + 0.75) / (2 * kModes + 0.5));
        for (int n = 0; n < 20; ++n) legendre(2 * kModes, x, p), x -= p[0] / p[1];
        legendre(2 * kModes, x, p);
        weight = 2 / ((1 - x * x) * p[1] * p[1]);
    }
    void set_values(int i, int j, double x) {
        if constexpr (D == 2) {
            const double k = n_ * j, c = std::cos(k * angle_[i]);
            value_[0][i][j] = c;
            value_[1][i][j] = -k * std::sin(k * angle_[i]);
            value_[2][i][j] = -k * k * c;
        } else {
            double p[3];
            legendre(2 * j, x, p);
            const double s = std::sqrt(1 - x * x);
            value_[0][i][j] = p[0];
            value_[1][i][j] = -s * p[1];
            value_[2][i][j] = s * s * p[2] - x * p[1];
        }
    }

    int n_;
    double angle_[kModes], weight_[kModes], value_[3][kModes][kModes];
};

/// A massless bubble of fixed volume that swings in unbounded liquid of density 1 under the surface
/// tension 1, in the plane or around an axis: potential flow with the whole, nonlinear conditions
/// on its surface r(θ, t). Lamb's period is that of swings without size; this is the truth for one
/// of a tenth of the radius. Unknowns are series of r and of the potential on the surface,
/// collocated:
///
///   φ = Σ a_j r^(−power) shape_j(θ)                  in the liquid
///   dr/dt = φ_r − φ_θ r'/r²                          the surface goes with the liquid
///   dφ/dt = κ − |∇φ|²/2 + φ_r dr/dt                  Bernoulli, along the ray θ
template <int D>
class FiniteSwing {
  public:
    /// Starts at rest as a round one of radius 1 with 1 + swing times mode n, made as large as
    /// before.
    FiniteSwing(int n, double swing) : basis_(n), r_(kModes, 0.0), potential_(kModes, 0.0) {
        r_[0] = 1;
        r_[std::size_t(basis_.mode())] = swing;
        const double scale = std::pow(volume(), -1.0 / D);
        for (double& r : r_) r *= scale;
    }

    double mode() const { return r_[std::size_t(basis_.mode())]; }
    /// Over that of a round one of radius 1.
    double volume() const {
        double sum = 0;
        for (int i = 0; i < kModes; ++i)
            sum += basis_.weight(i, 0) * std::pow(value(r_, i, 0), double(D));
        return sum;
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

    static double lamb_period(int n) {
        return 2 * std::numbers::pi / std::sqrt((n * n - 1.0) * (D == 2 ? n : n + 2));
    }

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
    static constexpr int kModes = SwingBasis<D>::kModes;

    static Series sum(const Series& a, double factor, const Series& b) {
        Series c = a;
        for (std::size_t i = 0; i < c.size(); ++i) c[i] += factor * b[i];
        return c;
    }
    double value(const Series& s, int i, int derivative) const {
        double v = 0;
        for (int j = 0; j < kModes; ++j) v += s[j] * basis_.at(i, j, derivative);
        return v;
    }
    Series series_of(const Series& values) const {
        Series s(kModes, 0.0);
        for (int j = 0; j < SwingBasis<D>::kKept; ++j)
            for (int i = 0; i < kModes; ++i)
                s[j] += basis_.weight(i, j) * values[i] * basis_.at(i, j, 0);
        return s;
    }
    /// a_j from the potential on the surface; a_0 is a constant without flow.
    Series coefficients(const Series& r, const Series& potential) const {
        std::vector<Series> shape(kModes, Series(kModes));
        for (int i = 0; i < kModes; ++i)
            for (int j = 0; j < kModes; ++j)
                shape[i][j] = std::pow(value(r, i, 0), -basis_.power(j)) * basis_.at(i, j, 0);
        DenseMatrix normal(kModes);
        Series right(kModes, 0.0), a(kModes, 0.0);
        for (int j = 0; j < kModes; ++j)
            for (int i = 0; i < kModes; ++i) {
                right[j] += shape[i][j] * value(potential, i, 0);
                for (int k = 0; k < kModes; ++k) normal(j, k) += shape[i][j] * shape[i][k];
            }
        const DenseMatrix inverse = pseudo_inverse(normal);
        for (int j = 0; j < kModes; ++j)
            for (int k = 0; k < kModes; ++k) a[j] += inverse(j, k) * right[k];
        return a;
    }
    /// Of r(θ): along the meridian, in 3D and across it.
    static double curvature(double angle, double r, double slope, double bend) {
        const double square = r * r + slope * slope;
        const double along = (square + slope * slope - r * bend) / std::pow(square, 1.5);
        return D == 2 ? along : along + (1 - slope / r / std::tan(angle)) / std::sqrt(square);
    }
    void rates(const Series& r, const Series& potential, Series& r_rate, Series& p_rate) const {
        const Series a = coefficients(r, potential);
        Series dr(kModes), dp(kModes);
        for (int i = 0; i < kModes; ++i) {
            const double at = value(r, i, 0), slope = value(r, i, 1), bend = value(r, i, 2);
            double radial = 0, around = 0;  // φ_r, φ_θ
            for (int j = 1; j < kModes; ++j) {
                const double size = a[j] * std::pow(at, -basis_.power(j));
                radial -= basis_.power(j) * size / at * basis_.at(i, j, 0);
                around += size * basis_.at(i, j, 1);
            }
            dr[i] = radial - around * slope / (at * at);
            dp[i] = curvature(basis_.angle(i), at, slope, bend) -
                    (radial * radial + around * around / (at * at)) / 2 + radial * dr[i];
        }
        r_rate = series_of(dr);
        p_rate = series_of(dp);
    }

    SwingBasis<D> basis_;
    Series r_, potential_;
};

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/analytic_flow.h"

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/physics/domain/grid_domain.h"

namespace spume {
namespace {

/// All of it at v + a t under a level surface.
template <int D>
class Stream final : public AnalyticFlow<D> {
  public:
    Stream(double level, const Vec<double, D>& v, const Vec<double, D>& a)
        : level_(level), v_(v), a_(a) {}
    double phi(const Point<D>& x, double t) const override {
        return x[1] - (level_ + v_[1] * t + 0.5 * a_[1] * t * t);
    }
    Vec<double, D> velocity(const Point<D>&, double t) const override { return v_ + a_ * t; }

  private:
    double level_;
    Vec<double, D> v_, a_;
};

template <int D>
class FreeFall final : public AnalyticFlow<D> {
  public:
    FreeFall(const Point<D>& center, double radius, const Vec<double, D>& v,
             const Vec<double, D>& gravity)
        : center_(center), radius_(radius), v_(v), gravity_(gravity) {}
    double phi(const Point<D>& x, double t) const override {
        return length(x - (center_ + v_ * t + gravity_ * (0.5 * t * t))) - radius_;
    }
    Vec<double, D> velocity(const Point<D>&, double t) const override { return v_ + gravity_ * t; }

  private:
    Point<D> center_;
    double radius_;
    Vec<double, D> v_, gravity_;
};

template <int D>
class Turning final : public AnalyticFlow<D> {
  public:
    Turning(const Point<D>& center, double radius, const Point<D>& pivot, double spin)
        : arm_(center - pivot), radius_(radius), pivot_(pivot), spin_(spin) {}
    double phi(const Point<D>& x, double t) const override {
        const double c = math::cos(spin_ * t), s = math::sin(spin_ * t);
        Point<D> center = pivot_ + arm_;
        center[0] = pivot_[0] + c * arm_[0] - s * arm_[1];
        center[1] = pivot_[1] + s * arm_[0] + c * arm_[1];
        return length(x - center) - radius_;
    }
    Vec<double, D> velocity(const Point<D>& x, double) const override {
        Vec<double, D> u{};
        u[0] = -spin_ * (x[1] - pivot_[1]);
        u[1] = spin_ * (x[0] - pivot_[0]);
        return u;
    }

  private:
    Point<D> arm_;
    double radius_;
    Point<D> pivot_;
    double spin_;
};

/// What the two waves share: number, frequency, amplitude.
struct Wave {
    double level, a, k, omega;
};

template <int D>
class StandingWave final : public AnalyticFlow<D> {
  public:
    StandingWave(const Wave& wave, double depth) : wave_(wave), depth_(depth) {
        deep_ = depth > 0 ? math::exp(-2 * wave.k * depth) : 0;
    }
    double phi(const Point<D>& x, double t) const override {
        const double now = wave_.a * math::cos(wave_.omega * t);
        const double slope = -wave_.k * now * math::sin(wave_.k * x[0]);
        const double height = x[1] - wave_.level - now * math::cos(wave_.k * x[0]);
        return height / std::sqrt(1 + slope * slope);
    }
    Vec<double, D> velocity(const Point<D>& x, double t) const override {
        // cosh k(y + d) / sinh kd and sinh k(y + d) / sinh kd; beyond a crest's height, and below
        // the bottom, as there.
        double y = std::min(x[1] - wave_.level, 2 * wave_.a);
        if (depth_ > 0) y = std::max(y, -depth_);
        const double up = math::exp(wave_.k * y);
        const double down = depth_ > 0 ? deep_ * math::exp(-wave_.k * y) : 0;
        const double speed = wave_.a * wave_.omega * math::sin(wave_.omega * t) / (1 - deep_);
        Vec<double, D> u{};
        u[0] = speed * (up + down) * math::sin(wave_.k * x[0]);
        u[1] = -speed * (up - down) * math::cos(wave_.k * x[0]);
        return u;
    }

  private:
    Wave wave_;
    double depth_, deep_;
};

template <int D>
class GerstnerWave final : public AnalyticFlow<D> {
  public:
    /// The mean of the surface over x lies k a² / 2 below the middle of its particles' circles.
    explicit GerstnerWave(const Wave& wave)
        : wave_(wave), middle_(wave.level + 0.5 * wave.k * wave.a * wave.a) {}

    double phi(const Point<D>& x, double t) const override {
        const double theta = surface_phase(x[0], t), steep = wave_.k * wave_.a;
        const double height = x[1] - middle_ - wave_.a * math::cos(theta);
        const double slope = -steep * math::sin(theta) / (1 - steep * math::cos(theta));
        return height / std::sqrt(1 + slope * slope);
    }
    Vec<double, D> velocity(const Point<D>& x, double t) const override {
        const auto [theta, circle] = particle(x, t);
        Vec<double, D> u{};
        u[0] = circle * wave_.omega * math::cos(theta);
        u[1] = circle * wave_.omega * math::sin(theta);
        return u;
    }

  private:
    struct Particle {
        double theta, circle;  ///< phase, and radius of its circle
    };

    /// θ of the surface's particle at x: Kepler's equation θ − ka sin θ = kx − ωt. The left side
    /// grows monotonically, so that Newton's method kept in its bracket cannot miss.
    double surface_phase(double x, double t) const {
        const double steep = wave_.k * wave_.a, mean = wave_.k * x - wave_.omega * t;
        double lo = mean - steep, hi = mean + steep, theta = mean + steep * math::sin(mean);
        for (int i = 0; i < 60; ++i) {
            const double error = theta - steep * math::sin(theta) - mean;
            (error > 0 ? hi : lo) = theta;
            double next = theta - error / (1 - steep * math::cos(theta));
            if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
            if (next == theta) break;
            theta = next;
        }
        return theta;
    }

    /// The particle that is at x, by Newton's method from below; above the surface that of the
    /// surface.
    Particle particle(const Point<D>& x, double t) const {
        const double on_surface = surface_phase(x[0], t);
        if (x[1] >= middle_ + wave_.a * math::cos(on_surface)) return {on_surface, wave_.a};
        const double k = wave_.k, mean = k * x[0] - wave_.omega * t;
        double theta = on_surface, beta = std::min(x[1] - middle_, 0.0);  // of (α, β), β from β₀
        for (int i = 0; i < 60; ++i) {
            const double steep = k * wave_.a * math::exp(k * beta);
            const double s = math::sin(theta), c = math::cos(theta);
            // In units of 1/k: f = θ − K sin θ − mean, g = kβ + K cos θ − k(y − β₀).
            const double f = theta - steep * s - mean;
            const double g = k * (beta - (x[1] - middle_)) + steep * c;
            const double det = 1 - steep * steep;
            const double step_theta = ((1 + steep * c) * f + steep * s * g) / det;
            const double step_beta = (steep * s * f + (1 - steep * c) * g) / det;
            theta -= step_theta;
            beta = std::min(beta - step_beta / k, 0.0);
            if (std::abs(step_theta) + std::abs(step_beta) < 1e-14) break;
        }
        return {theta, wave_.a * math::exp(k * beta)};
    }

    Wave wave_;
    double middle_;
};

/// tanh x for x ≥ 0.
double hyperbolic_tangent(double x) {
    const double e = math::exp(-2 * x);
    return (1 - e) / (1 + e);
}

}  // namespace

template <int D>
std::unique_ptr<AnalyticFlow<D>> analytic_flow(const Scene& scene) {
    const BulkLiquid& b = scene.bulk;
    const auto v = in_plane<D>(b.velocity), center = in_plane<D>(b.center);
    if (b.kind == BulkKind::kStill)
        return std::make_unique<Stream<D>>(b.level, v, Vec<double, D>{});
    SPUME_CHECK(b.kind == BulkKind::kAnalytic);
    const double k = 2 * math::kPi / b.wavelength, g = length(scene.physics.gravity);
    switch (b.flow) {
        case BulkFlow::kStream:
            return std::make_unique<Stream<D>>(b.level, v, in_plane<D>(b.acceleration));
        case BulkFlow::kRotation:
            return std::make_unique<Turning<D>>(center, b.radius, in_plane<D>(b.pivot), b.spin);
        case BulkFlow::kStandingWave: {
            const double shallow = b.depth > 0 ? hyperbolic_tangent(k * b.depth) : 1;
            return std::make_unique<StandingWave<D>>(
                Wave{b.level, b.amplitude, k, std::sqrt(g * k * shallow)}, b.depth);
        }
        case BulkFlow::kGerstnerWave:
            return std::make_unique<GerstnerWave<D>>(
                Wave{b.level, b.amplitude, k, std::sqrt(g * k)});
        case BulkFlow::kFreeFall:
            break;
    }
    return std::make_unique<FreeFall<D>>(center, b.radius, v, in_plane<D>(scene.physics.gravity));
}

template std::unique_ptr<AnalyticFlow<2>> analytic_flow<2>(const Scene&);
template std::unique_ptr<AnalyticFlow<3>> analytic_flow<3>(const Scene&);

}  // namespace spume

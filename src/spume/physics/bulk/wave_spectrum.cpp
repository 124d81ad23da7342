// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/wave_spectrum.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/math.h"
#include "spume/scene/ocean.h"

namespace spume {
namespace {

constexpr int kAngles = 512;  // of a quadrature over the circle
// Table over log(ω/ω_p): waves outside of it hold no energy worth a digit.
constexpr int kEntries = 400;
constexpr double kLowest = -3, kHighest = 6;

double tanh_of(double x) {
    const double e = math::exp(-2 * std::abs(x)), t = (1 - e) / (1 + e);
    return x < 0 ? -t : t;
}

/// log Γ(x), x > 0: Stirling's series where it is exact to the last digits.
double log_gamma(double x) {
    double shift = 0;
    for (; x < 10; ++x) shift -= math::log(x);
    const double q = 1 / (x * x);
    const double series =
        (1.0 / 12 - q * (1.0 / 360 - q * (1.0 / 1260 - q * (1.0 / 1680 - q / 1188)))) / x;
    return shift + (x - 0.5) * math::log(x) - x + 0.5 * math::log(2 * math::kPi) + series;
}

/// |cos(θ/2)|^2s over its integral, 2^(2s−1) Γ(s+1)² / π Γ(2s+1).
double cosine_lobe(double s, double theta) {
    const double cosine = std::abs(math::cos(0.5 * theta));
    if (cosine == 0) return 0;
    const double log_q = (2 * s - 1) * math::log(2) - math::log(math::kPi) + 2 * log_gamma(s + 1) -
                         log_gamma(2 * s + 1);
    return math::exp(log_q + 2 * s * math::log(cosine));
}

template <class F>
double over_circle(F&& f, double from, double to) {
    const double step = (to - from) / kAngles;
    double sum = 0;
    for (int i = 0; i < kAngles; ++i) sum += f(from + (i + 0.5) * step);
    return sum * step;
}

}  // namespace

WaveSpectrum::WaveSpectrum(const Scene& scene)
    : gravity_(length(scene.physics.gravity)),
      capillarity_(scene.physics.surface_tension / scene.physics.water_density),
      depth_(scene.bulk.depth),
      shallow_(scene.bulk.ocean.spectrum == OceanSpectrum::kTma),
      law_(scene.bulk.ocean.spreading),
      wind_(scene.bulk.ocean.wind),
      swell_(scene.bulk.ocean.swell) {
    const Ocean& o = scene.bulk.ocean;
    if (o.spectrum == OceanSpectrum::kPiersonMoskowitz) {
        alpha_ = 8.1e-3;
        beta_ = 1.291;
        gamma_ = 1;
        peak_ = 0.87 * gravity_ / wind_;
    } else {
        const double x = gravity_ * o.fetch / (wind_ * wind_);
        alpha_ = 0.076 * math::pow(x, -0.22);
        beta_ = 1.25;
        gamma_ = o.peak;
        peak_ = 7 * math::kPi * gravity_ / wind_ * math::pow(x, -0.33);
    }
    if (law_ != OceanSpreading::kDonelanBanner || swell_ == 0) return;
    for (int i = 0; i < kEntries; ++i) {
        const double omega = peak_ * math::exp(kLowest + (kHighest - kLowest) * i / (kEntries - 1));
        lobe_area_.push_back(
            over_circle([&](double theta) { return lobe(omega, theta); }, -math::kPi, math::kPi));
    }
}

double WaveSpectrum::frequency(double k) const {
    const double free = gravity_ * k + capillarity_ * k * k * k;
    return std::sqrt(free * (depth_ > 0 ? tanh_of(k * depth_) : 1));
}

double WaveSpectrum::group_speed(double k) const {
    const double free = gravity_ * k + capillarity_ * k * k * k,
                 slope = gravity_ + 3 * capillarity_ * k * k;
    if (!(depth_ > 0)) return 0.5 * slope / std::sqrt(free);
    const double t = tanh_of(k * depth_);
    return 0.5 * (slope * t + free * depth_ * (1 - t * t)) / std::sqrt(free * t);
}

double WaveSpectrum::density(double omega) const {
    if (!(omega > 0)) return 0;
    const double ratio = peak_ / omega, r4 = ratio * ratio * ratio * ratio;
    const double width = omega <= peak_ ? 0.07 : 0.09, off = (omega - peak_) / (width * peak_);
    const double enhanced =
        math::exp(-beta_ * r4 + math::log(gamma_) * math::exp(-0.5 * off * off));
    double s = alpha_ * gravity_ * gravity_ * enhanced;
    for (int i = 0; i < 5; ++i) s /= omega;
    if (shallow_) s *= 0.5 * (1 + tanh_of(1.8 * (omega * std::sqrt(depth_ / gravity_) - 1.125)));
    return s;
}

double WaveSpectrum::shape(double omega) const {
    const double ratio = omega / peak_, age = wind_ * peak_ / gravity_;
    switch (law_) {
        case OceanSpreading::kHasselmann:
            return ratio <= 1 ? 6.97 * math::pow(ratio, 4.06)
                              : 9.77 * math::pow(ratio, -2.33 - 1.45 * (age - 1.17));
        case OceanSpreading::kMitsuyasu:
            return 11.5 * math::pow(age, -2.5) * math::pow(ratio, ratio <= 1 ? 5 : -2.5);
        case OceanSpreading::kDonelanBanner:
            break;
    }
    if (ratio < 0.95) return 2.61 * math::pow(std::max(ratio, 0.56), 1.3);
    if (ratio < 1.6) return 2.28 * math::pow(ratio, -1.3);
    const double epsilon = -0.4 + 0.8393 * math::exp(-0.567 * 2 * math::log(ratio));
    return math::pow(10, epsilon);
}

/// s_ξ of swell ξ, a further cos^2s.
double WaveSpectrum::elongation(double omega) const {
    return 16 * tanh_of(peak_ / omega) * swell_ * swell_;
}

double WaveSpectrum::lobe(double omega, double theta) const {
    const double e = math::exp(-2 * shape(omega) * std::abs(theta));
    const double sech2 = 4 * e / ((1 + e) * (1 + e)), cosine = std::abs(math::cos(0.5 * theta));
    return cosine == 0 ? 0 : sech2 * math::pow(cosine, 2 * elongation(omega));
}

double WaveSpectrum::spreading(double omega, double theta) const {
    if (law_ != OceanSpreading::kDonelanBanner)
        return cosine_lobe(shape(omega) + elongation(omega), theta);
    if (swell_ == 0) {
        const double b = shape(omega);  // ∫ sech² βθ dθ = 2 tanh(βπ) / β
        return lobe(omega, theta) * 0.5 * b / tanh_of(b * math::kPi);
    }
    const double at = (math::log(omega / peak_) - kLowest) / (kHighest - kLowest) * (kEntries - 1);
    const double inside = std::clamp(at, 0.0, kEntries - 1.0001);
    const auto i = std::size_t(inside);
    const double w = inside - double(i);
    return lobe(omega, theta) / (lobe_area_[i] * (1 - w) + lobe_area_[i + 1] * w);
}

double WaveSpectrum::upwind_share(double omega) const {
    return 2 * over_circle([&](double theta) { return spreading(omega, theta); }, 0.5 * math::kPi,
                           math::kPi);
}

double WaveSpectrum::variance(double k_min, double k_max) const {
    constexpr int kSteps = 4000;
    const double from = math::log(k_min), step = (math::log(k_max) - from) / kSteps;
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) {
        const double k = math::exp(from + (i + 0.5) * step);
        sum += density(frequency(k)) * group_speed(k) * k * step;
    }
    return sum;
}

std::string cut_by_tile(const Scene& scene) {
    const double tile = scene.bulk.ocean.tile;
    const WaveSpectrum sea(scene);
    const double finest = math::kPi * ocean_resolution(scene) / tile;
    const auto height = [&](double length) {
        return 4 * std::sqrt(sea.variance(2 * math::kPi / length, finest));
    };
    const double whole = height(100 * tile), held = height(tile);
    if (held * held >= 0.5 * whole * whole) return {};
    double enough = tile;
    while (height(enough) < 0.95 * whole) enough *= 1.25;
    return fmt::format(
        "a tile of {:.4g} m holds waves of a significant height of {:.3g} m, of {:.3g} m that the "
        "wind raises: longer ones do not fit; bulk.tile = {:.3g} holds them",
        tile, held, whole, enough);
}

}  // namespace spume

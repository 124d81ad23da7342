// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/film.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spume/core/math.h"
#include "spume/render/optics.h"

namespace spume {
namespace {

constexpr int kWaves = 24;
constexpr double kFirst = 395e-9, kStep = 13e-9;  // m
constexpr double kFade = 2e-6, kThickest = 3e-6;  // m of optical path n h cos θ_t
constexpr int kAngles = 49, kPaths = 601;         // of the table

/// A bell with different widths on both sides.
double bell(double x, double middle, double left, double right) {
    const double t = (x - middle) * (x < middle ? left : right);
    return math::exp(-t * t / 2);
}

/// Share of each wavelength in red, green and blue of the screen. Each row sums to one.
std::array<Vec<double, 3>, kWaves> shares() {
    std::array<Vec<double, 3>, kWaves> all{};
    Vec<double, 3> sum{};
    for (int i = 0; i < kWaves; ++i) {
        const double nm = 1e9 * (kFirst + kStep * i);
        // [WSS13], multi-lobe fit.
        const double x = 1.056 * bell(nm, 599.8, 0.0264, 0.0323) +
                         0.362 * bell(nm, 442.0, 0.0624, 0.0374) -
                         0.065 * bell(nm, 501.1, 0.0490, 0.0382);
        const double y =
            0.821 * bell(nm, 568.8, 0.0213, 0.0247) + 0.286 * bell(nm, 530.9, 0.0613, 0.0322);
        const double z =
            1.217 * bell(nm, 437.0, 0.0845, 0.0278) + 0.681 * bell(nm, 459.0, 0.0385, 0.0725);
        all[std::size_t(i)] = {3.2406 * x - 1.5372 * y - 0.4986 * z,
                               -0.9689 * x + 1.8758 * y + 0.0415 * z,
                               0.0557 * x - 0.2040 * y + 1.0570 * z};
        sum += all[std::size_t(i)];
    }
    for (auto& one : all)
        for (int k = 0; k < 3; ++k) one[k] /= sum[k];
    return all;
}

/// `path` = n h cos θ_t.
Colour coloured(const std::array<Vec<double, 3>, kWaves>& share, const Polarised& r, double path) {
    Vec<double, 3> sum{};
    for (int i = 0; i < kWaves; ++i) {
        const double wave = math::sin(2 * math::kPi * path / (kFirst + kStep * i));
        const auto airy = [&](double one) {
            const double both = 4 * one * wave * wave, rest = (1 - one) * (1 - one) + both;
            return rest > 0 ? both / rest : 1;
        };
        sum += share[std::size_t(i)] * ((airy(r.s) + airy(r.p)) / 2);
    }
    const double mean = r.s / (1 + r.s) + r.p / (1 + r.p);
    const double faded = std::clamp((path - kFade) / (kThickest - kFade), 0.0, 1.0);
    Colour c{};
    // Pure colours lie beyond what a screen shows.
    for (int k = 0; k < 3; ++k)
        c[k] = static_cast<float>(std::clamp(sum[k] + (mean - sum[k]) * faded, 0.0, 1.0));
    return c;
}

double inside_cosine(double cosine) {
    return std::sqrt(1 - (1 - cosine * cosine) / (kWaterIndex * kWaterIndex));
}

}  // namespace

double FilmDraining::thickness(double age) const {
    return std::max(least, begin * math::exp(-std::max(0.0, age) / time));
}

Colour FilmReflectance::interference(double cosine, double h) {
    return coloured(shares(), fresnel_polarised(cosine, kWaterIndex),
                    kWaterIndex * h * inside_cosine(cosine));
}

FilmReflectance::FilmReflectance(FilmLaw law) : law_(law) {
    if (law != FilmLaw::kInterference) return;
    const auto share = shares();
    table_.reserve(std::size_t(kAngles) * kPaths);
    for (int a = 0; a < kAngles; ++a) {
        // Closer together towards grazing incidence, where the reflectance rises.
        const double part = double(a) / (kAngles - 1);
        const Polarised r = fresnel_polarised(part * part, kWaterIndex);
        for (int i = 0; i < kPaths; ++i)
            table_.push_back(coloured(share, r, kThickest * i / (kPaths - 1)));
    }
}

Colour FilmReflectance::operator()(double cosine, double h) const {
    if (law_ == FilmLaw::kThesis)
        return Colour::filled(static_cast<float>(thesis_reflectance(cosine)));
    const double path = kWaterIndex * h * inside_cosine(cosine);
    if (law_ == FilmLaw::kMean || !(path < kThickest))
        return Colour::filled(static_cast<float>(film_reflectance(cosine, kWaterIndex)));
    const double a = std::sqrt(cosine) * (kAngles - 1), p = path / kThickest * (kPaths - 1);
    const int i = std::min(int(a), kAngles - 2), j = std::min(int(p), kPaths - 2);
    const auto u = static_cast<float>(a - i), v = static_cast<float>(p - j);
    const Colour* low = &table_[std::size_t(i) * kPaths + std::size_t(j)];
    const Colour* high = low + kPaths;
    return (low[0] * (1 - v) + low[1] * v) * (1 - u) + (high[0] * (1 - v) + high[1] * v) * u;
}

}  // namespace spume

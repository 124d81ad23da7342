// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/optics.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"

namespace spume {

double fresnel(double cosine, double eta) {
    const double c = cosine, squared = eta * eta + c * c - 1;
    if (squared <= 0) return 1;
    const double g = std::sqrt(squared);
    const double s = (g - c) / (g + c), ratio = (c * (g + c) - 1) / (c * (g - c) + 1);
    return 0.5 * s * s * (1 + ratio * ratio);
}

Polarised fresnel_polarised(double cosine, double eta) {
    const double c = cosine, squared = eta * eta + c * c - 1;
    if (squared <= 0) return {1, 1};
    const double g = std::sqrt(squared), e = eta * eta;
    const double s = (c - g) / (c + g), p = (e * c - g) / (e * c + g);
    return {s * s, p * p};
}

double film_reflectance(double cosine, double index) {
    const Polarised r = fresnel_polarised(cosine, index);
    return r.s / (1 + r.s) + r.p / (1 + r.p);
}

double film_reflectance(double cosine, double index, double h, double wavelength) {
    const Polarised r = fresnel_polarised(cosine, index);
    const double inside = std::sqrt(std::max(0.0, 1 - (1 - cosine * cosine) / (index * index)));
    const double wave = math::sin(2 * math::kPi * index * h * inside / wavelength);
    // F s²/(1 + F s²) without dividing by 1 − R, which is 0 at grazing incidence.
    const auto airy = [&](double one) {
        const double both = 4 * one * wave * wave, rest = (1 - one) * (1 - one) + both;
        return rest > 0 ? both / rest : 1;
    };
    return (airy(r.s) + airy(r.p)) / 2;
}

Vec<double, 3> reflected(const Vec<double, 3>& direction, const Vec<double, 3>& normal) {
    return direction - normal * (2 * dot(direction, normal));
}

std::optional<Vec<double, 3>> refracted(const Vec<double, 3>& direction,
                                        const Vec<double, 3>& normal, double eta) {
    const double c = -dot(direction, normal), squared = 1 - (1 - c * c) / (eta * eta);
    if (squared <= 0) return std::nullopt;
    const Vec<double, 3> bent = direction / eta + normal * (c / eta - std::sqrt(squared));
    return bent / length(bent);
}

}  // namespace spume

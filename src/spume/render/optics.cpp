// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/optics.h"

#include <cmath>

namespace spume {

double fresnel(double cosine, double eta) {
    const double c = cosine, squared = eta * eta + c * c - 1;
    if (squared <= 0) return 1;
    const double g = std::sqrt(squared);
    const double s = (g - c) / (g + c), ratio = (c * (g + c) - 1) / (c * (g - c) + 1);
    return 0.5 * s * s * (1 + ratio * ratio);
}

double film_reflectance(double cosine, double index) {
    const double r = fresnel(cosine, index);
    return 2 * r / (1 + r);
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

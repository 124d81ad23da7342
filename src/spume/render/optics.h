// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>

#include "spume/core/vec.h"

namespace spume {

inline constexpr double kWaterIndex = 1.333, kGlassIndex = 1.5;

/// Part of unpolarised light that a smooth interface reflects ([G04] Eq. 43): `cosine` of the angle
/// of incidence, eta = index behind / index in front. One where reflection is total.
double fresnel(double cosine, double eta);

/// A film of water in air too thin to bend light: both faces, all orders, added without
/// interference.
double film_reflectance(double cosine, double index);

/// `normal` points against `direction`; all vectors have length one.
Vec<double, 3> reflected(const Vec<double, 3>& direction, const Vec<double, 3>& normal);
/// Snell's law; none at total reflection.
std::optional<Vec<double, 3>> refracted(const Vec<double, 3>& direction,
                                        const Vec<double, 3>& normal, double eta);

}  // namespace spume

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

/// The same for each polarisation.
struct Polarised {
    double s = 0, p = 0;
    double mean() const { return (s + p) / 2; }
};
Polarised fresnel_polarised(double cosine, double eta);

/// A film of water in air too thin to bend light, mean over its thickness: both faces, all orders,
/// added without interference, 2R/(1 + R) for each polarisation.
double film_reflectance(double cosine, double index);

/// The same film, h m thick, in light of one wavelength λ, m (Airy): for each polarisation
/// F s²/(1 + F s²), F = 4R/(1 − R)², s = sin(2π n h cos θ_t / λ). None where h is 0.
double film_reflectance(double cosine, double index, double h, double wavelength);

/// [G04] Eq. 42: 1 − |N·I|, no law of optics but smooth from clear to silvery.
inline double thesis_reflectance(double cosine) { return 1 - cosine; }

/// `normal` points against `direction`; all vectors have length one.
Vec<double, 3> reflected(const Vec<double, 3>& direction, const Vec<double, 3>& normal);
/// Snell's law; none at total reflection.
std::optional<Vec<double, 3>> refracted(const Vec<double, 3>& direction,
                                        const Vec<double, 3>& normal, double eta);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>

#include "spume/physics/motion/cip_profile.h"

namespace spume::playground {

// Advection in one dimension over a ring of samples, by the profiles of the solver itself.

/// f(x) ← F(x − courant), slopes too.
void lab_step(std::span<double> values, std::span<double> slopes, double courant, Profile profile);

/// The profile between two samples, 0 ≤ x ≤ 1.
double lab_profile(double f0, double g0, double f1, double g1, double x, Profile profile);

}  // namespace spume::playground

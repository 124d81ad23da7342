// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

namespace spume::geometry {

// The only transcendental functions geometry calls.
inline double sine(double x) { return std::sin(x); }
inline double cosine(double x) { return std::cos(x); }
inline double arc_tangent(double y, double x) { return std::atan2(y, x); }

}  // namespace spume::geometry

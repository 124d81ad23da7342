// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

namespace spume::math {

// Elementary functions in double precision that return the same bits on every machine: built from
// IEEE additions, multiplications, divisions and square roots alone. The C library's own versions
// pick other code, with other last bits, on processors without fused multiply-add. Errors stay
// below one unit in the last place (acos: 1.7); special values are those of IEEE 754 and C.

double exp(double x);
double log(double x);
double pow(double x, double y);
double cbrt(double x);

double sin(double x);  ///< radians, any size: the reduction by π is exact
double cos(double x);
double atan2(double y, double x);
double acos(double x);

inline constexpr double kPi = 0x1.921fb54442d18p+1;

}  // namespace spume::math

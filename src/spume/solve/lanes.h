// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

namespace spume {

// Vectors of 32 bytes, loaded and stored at any address. Left to itself the compiler takes these
// short loops apart into scalars and back; said this way they are what they look like, on any
// target.
using Floats = float __attribute__((vector_size(32), aligned(4), may_alias));
using Doubles = double __attribute__((vector_size(32), aligned(8), may_alias));
using LaneMask = int __attribute__((vector_size(32), aligned(4), may_alias));
using HalfFloats = float __attribute__((vector_size(16), aligned(4), may_alias));

inline constexpr int kLanes = 8;        ///< floats
inline constexpr int kDoubleLanes = 4;  ///< doubles

inline const Floats& lanes(const float* p) { return *reinterpret_cast<const Floats*>(p); }
inline Floats& lanes(float* p) { return *reinterpret_cast<Floats*>(p); }
inline const Doubles& lanes(const double* p) { return *reinterpret_cast<const Doubles*>(p); }
inline Doubles& lanes(double* p) { return *reinterpret_cast<Doubles*>(p); }
inline const HalfFloats& half_lanes(const float* p) {
    return *reinterpret_cast<const HalfFloats*>(p);
}
inline HalfFloats& half_lanes(float* p) { return *reinterpret_cast<HalfFloats*>(p); }

}  // namespace spume

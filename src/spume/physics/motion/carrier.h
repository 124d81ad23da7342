// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/grid/field.h"

namespace spume {

/// What moves points through a substep: a flow u, and a displacement d that is no velocity but
/// happens once, spread over the substep's length:
///
///   dx/dt = u(x) + d(x)/Δt
///
/// Both live on the same tiles; the fields are shared, not copied.
template <int D>
struct Carrier {
    FaceField<double, D> flow;         ///< u, m/s
    FaceField<float, D> displacement;  ///< d, m; without tiles: none
    double dt = 1;                     ///< of the substep, s

    Carrier() = default;
    /// A flow alone is one.
    Carrier(const FaceField<double, D>& u) : flow(u) {}
    Carrier(const FaceField<double, D>& u, const FaceField<float, D>& d, double length)
        : flow(u), displacement(d), dt(length) {}

    bool displaces() const { return displacement.tiles() != nullptr; }
};

}  // namespace spume

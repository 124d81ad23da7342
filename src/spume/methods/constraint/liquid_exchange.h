// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/constraint.h"

namespace spume::constraint {

/// Liquid that crossed an open side, a source or a sink. Its volume is that of the flow: the number
/// of particles in a voxel changes on the way, so theirs is not known.
struct LiquidExchange {
    double asked = 0;    ///< what the scene asks its sources for
    double filled = 0;   ///< to fill sources that opened
    double outflow = 0;  ///< through open sides, into sinks, and where these opened

    double net_volume() const { return asked + filled - outflow; }
};
template <int D>
LiquidExchange exchange_liquid(State<D>& state, const World<D>& world,
                               const PlacedSolids<D>& solids, Interval time, Context& context);

}  // namespace spume::constraint

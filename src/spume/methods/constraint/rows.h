// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/ground.h"

namespace spume::constraint {

/// The liquid's surface with the jumps of tension; `regions` are those of the ground.
template <int D>
std::vector<SurfaceFace> faces_under_tension(const State<D>& state, const Ground<D>& ground,
                                             const AirRegions<D>& regions, const World<D>& world,
                                             Context& context);

/// The rows of the regions in the pressure system, and those left out since others imply them.
struct AirRows {
    std::vector<RegionRow> rows;
    std::vector<int> dropped;
};

/// Rows by the mode of the method: none, of fixed volumes that are led back to rest, or with the
/// spring of the air. `laid` are the volumes by the particles' own surface.
template <int D>
AirRows rows_of(const State<D>& state, const Params& params, const Ground<D>& ground,
                const AirRegions<D>& regions, const std::vector<RegionMeasure>& laid,
                std::span<const SurfaceFace> faces, double density, double dt);

/// Divergence of the liquid, 1/s, that leads it back to the volume it should have.
template <int D>
double liquid_growth(State<D>& state, const Params& params, const Ground<D>& ground,
                     std::span<const SurfaceFace> faces, std::span<const RegionRow> rows, double dt,
                     Context& context);

}  // namespace spume::constraint

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/substep_geometry.h"

namespace spume::constraint {

/// The liquid's surface with the jumps of tension; `regions` are those of the ground.
template <int D>
std::vector<SurfaceFace> faces_under_tension(const State<D>& state, const SubstepGeometry<D>& geometry,
                                             const AirRegions<D>& regions, const World<D>& world,
                                             Context& context);

/// The rows of the regions in the pressure system, and those left out since others imply them.
struct AirRows {
    std::vector<RegionRow> rows;
    std::vector<int> dropped;
};

/// Rows by the mode of the method: none, of fixed volumes, or with the spring of the air.
template <int D>
AirRows rows_of(const State<D>& state, const Params& params, const SubstepGeometry<D>& geometry,
                const AirRegions<D>& regions, std::span<const SurfaceFace> faces, double density,
                double dt);

/// Is there a volume that is led back to what it should be?
bool leads_volumes(const Params& params);

/// The same rows for the flow that leads regions back to their rest volumes. `reconstructed` are the volumes
/// by the particles' own surface.
template <int D>
std::vector<RegionRow> leading_rows(const State<D>& state, const Params& params,
                                    std::span<const RegionRow> rows,
                                    const std::vector<RegionMeasure>& reconstructed,
                                    std::span<const SurfaceFace> faces,
                                    const FaceField<float, D>& area, double dt);

}  // namespace spume::constraint

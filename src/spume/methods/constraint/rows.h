// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/substep_geometry.h"

namespace spume::constraint {

/// The air beyond the liquid's surface: its regions, the faces towards them, and their rows in the
/// pressure system.
template <int D>
struct AirBoundary {
    AirRegions<D> regions;
    std::vector<RegionMeasure> reconstructed;  ///< their sizes by the particles' own surface
    std::vector<SurfaceFace> faces;            ///< with the jumps of tension
    std::vector<RegionRow> rows;
    std::vector<int> dropped;  ///< regions left out of the rows since others imply them
};

/// The liquid's surface with the jumps of tension; `regions` are those of the geometry.
template <int D>
std::vector<SurfaceFace> faces_under_tension(const State<D>& state,
                                             const SubstepGeometry<D>& geometry,
                                             const AirRegions<D>& regions, const World<D>& world,
                                             Context& context);

/// Fills in the rows by the mode of the method: none, of fixed volumes, or with the spring of the
/// air.
template <int D>
void add_rows(AirBoundary<D>& air, const State<D>& state, const Params& params,
              const SubstepGeometry<D>& geometry, double density, double dt);

/// Is there a volume that is corrected to what it should be?
bool corrects_volumes(const Params& params);

/// The same rows for the displacement that corrects the regions' volumes towards their rest
/// volumes.
template <int D>
std::vector<RegionRow> correcting_rows(const AirBoundary<D>& air, const State<D>& state,
                                       const Params& params, const FaceField<float, D>& area,
                                       double dt);

}  // namespace spume::constraint

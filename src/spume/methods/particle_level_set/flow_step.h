// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/particle_level_set/particle_level_set.h"
#include "spume/physics/free_surface/bubble_pressure.h"

namespace spume::particle_level_set {

/// Where solids, liquid and air are on the flow's grid.
template <int D>
struct FlowGeometry {
    CutCells<D> open;
    LevelSet<D> phi;  ///< m
    CellField<std::uint8_t, D> phase;
    CellField<std::int32_t, D> region;  ///< of air: 0 outside, then pockets that are kept
    std::vector<RegionRow> rows;        ///< of each
    std::vector<SurfaceFace> faces;
};

/// Lets the flow's tiles follow the surface, and brings the surface and the solids to them.
template <int D>
FlowGeometry<D> flow_geometry(State<D>& state, const Params& params, const World<D>& world,
                              const PlacedSolids<D>& solids, Context& context);

/// The level set at the centres of the flow's cells, m.
template <int D>
LevelSet<D> coarse_level(const DenseField<float, D>& phi, const World<D>& world,
                         const typename Tiles<D>::Ptr& tiles, Context& context);

/// Viscosity, [G04] Eqs. 6–7 or implicitly.
template <int D>
void add_viscosity(State<D>& state, const Params& params, const World<D>& world,
                   const FlowGeometry<D>& geometry, const PlacedSolids<D>& solids, double dt,
                   StepReport& report, Context& context);

/// Makes the velocity divergence free, with bodies that float in it, [G04] Eqs. 8–12, and continues
/// it beyond the surface and along solids.
template <int D>
void project_velocity(State<D>& state, const Params& params, World<D>& world,
                      FlowGeometry<D>& geometry, PlacedSolids<D>& solids, double dt,
                      StepReport& report, Context& context);

/// Layers of faces beyond the liquid that a substep may ask for.
int layers_beyond(const Params& params);

}  // namespace spume::particle_level_set

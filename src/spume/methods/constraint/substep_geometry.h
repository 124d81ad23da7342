// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cmath>

#include "spume/methods/constraint/constraint.h"
#include "spume/particles/cell_ranges.h"
#include "spume/physics/domain/sources_on_grid.h"

namespace spume::constraint {

/// Which of the sorted particles lie in which tile and cell.
template <int D>
struct ParticleCells {
    TileRanges<D> ranges;
    CellRanges<D> cells;
};

/// Where solids, liquid and air are in a substep.
template <int D>
struct SubstepGeometry {
    CutCells<D> open;
    CellField<std::uint8_t, D> phase;
    LiquidFlow<D> flow;                    ///< open sources and sinks
    std::vector<SourceFace> source_faces;  ///< closed in `open`
};

/// How much of a cell is liquid that moves.
template <int D>
struct LiquidFractions {
    CellField<float, D> enclosed;  ///< inside the surface
    CellField<float, D> detached;  ///< particles that fly outside the reconstructed surface
};

/// What volumes are measured by, while the surface is being found.
template <int D>
struct VolumeFractions {
    CellField<float, D> filled;             ///< liquid part of a cell, with detached particles
    CellField<float, D> reconstructed;      ///< `filled` by the particles' own surface
    CellField<float, D> open;               ///< part of a cell that is not solid
    CellField<float, D> open_with_sources;  ///< the same; there is room in sources too

    std::vector<RegionMeasure> sizes_of(const AirRegions<D>& regions, const LevelSet<D>& phi,
                                        Context& context) const {
        return measured(regions, phi, filled, open, context);
    }
    /// The same by the particles' own surface.
    std::vector<RegionMeasure> reconstructed_sizes_of(const AirRegions<D>& regions,
                                                      const LevelSet<D>& phi,
                                                      Context& context) const {
        return measured(regions, phi, reconstructed, open, context);
    }
};

/// All that is made anew from the particles and solids of a substep.
template <int D>
struct RebuiltGeometry {
    ParticleCells<D> particles;
    SubstepGeometry<D> geometry;
    CellField<std::uint8_t, D> centres;  ///< cells whose centre no solid covers
    LiquidFractions<D> liquid;
    VolumeFractions<D> volumes;
};

/// Lets the tiles follow the liquid, sorts the particles, reconstructs the surface: writes the
/// state's grid, phi and volume, and carries the pressure to new tiles. On these there is no
/// velocity until the particles bring it. The carrier has moved the particles since the last
/// surface.
template <int D>
RebuiltGeometry<D> rebuild_geometry(State<D>& state, const Params& params, const World<D>& world,
                                    const PlacedSolids<D>& solids,
                                    std::type_identity_t<Carrier<D>> carrier, double time,
                                    Context& context);

/// What the surface encloses: phase, fractions and the state's volume, anew after phi has changed.
template <int D>
void update_fractions(RebuiltGeometry<D>& rebuilt, State<D>& state, Context& context);

/// How many layers of faces beyond the liquid a particle may reach in a substep.
inline int layers_beyond(const Params& p) { return static_cast<int>(std::ceil(p.cfl)) + 2; }

/// m³ (2D: m²) of liquid that fills parts of cells.
template <int D>
double volume_of(const CellField<float, D>& fraction, const CellField<float, D>& open_fraction,
                 Context& context);

/// At the start, before the first ground: moves the seeded particles so that the surface around
/// them is that of the scene's shapes.
template <int D>
void fit_to_scene(State<D>& state, const Params& params, const World<D>& world,
                  const PlacedSolids<D>& solids, Context& context);

template <int D>
AirRegions<D> regions_of(const SubstepGeometry<D>& geometry, const World<D>& world,
                         const PlacedSolids<D>& solids, Context& context);

}  // namespace spume::constraint

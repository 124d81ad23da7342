// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/constraint/constraint.h"
#include "spume/particles/cell_ranges.h"

namespace spume::constraint {

/// How full the cells are.
template <int D>
struct VolumeFractions {
    CellField<float, D> fraction;      ///< liquid part of a cell, inside the surface
    CellField<float, D> detached;         ///< particles that fly outside the surface as it was laid
    CellField<float, D> filled;        ///< `fraction` with them
    CellField<float, D> reconstructed;          ///< `filled` by the particles' own surface
    CellField<float, D> open;          ///< part of a cell that is not solid
    CellField<float, D> open_with_sources;  ///< the same; there is room in sources too

    /// Gives up what only volumes are measured by, once they are.
    void keep_what_moves() { filled = reconstructed = open = open_with_sources = {}; }
};

/// A face of a source's cell, and its velocity.
struct SourceFace {
    int axis = 0;
    std::size_t face = 0;
    double velocity = 0;
};

/// Where everything is in a substep: made anew from the particles and solids, kept by nobody.
template <int D>
struct SubstepGeometry {
    TileRanges<D> ranges;
    CellRanges<D> cells;
    CutCells<D> open;
    CellField<std::uint8_t, D> centres;  ///< cells whose centre no solid covers
    CellField<std::uint8_t, D> phase;
    VolumeFractions<D> fractions;
    LiquidFlow<D> flow;                    ///< open sources and sinks
    std::vector<SourceFace> source_faces;  ///< closed in `open`
    CellField<float, D> density_error;          ///< of the particles, by the surface they lay

    /// Gives up all but where the particles are and how they crowd.
    void keep_particles() { open = {}, centres = phase = {}, fractions = {}; }

    std::vector<RegionMeasure> sizes_of(const AirRegions<D>& regions, const LevelSet<D>& phi,
                                        Context& context) const {
        return measured(regions, phi, fractions.filled, fractions.open, context);
    }
    /// The same by the particles' own surface.
    std::vector<RegionMeasure> reconstructed_sizes_of(const AirRegions<D>& regions, const LevelSet<D>& phi,
                                             Context& context) const {
        return measured(regions, phi, fractions.reconstructed, fractions.open, context);
    }
};

/// Cells that may be stored: beyond an open side one more, for liquid that is about to leave.
template <int D>
Box<int, D> storable(const GridDomain<D>& domain);

/// Lets the tiles follow the liquid, sorts the particles, lays the surface around them: writes the
/// state's grid, phi and volume, and carries the pressure to new tiles. On these there is no
/// velocity until the particles bring it. The carrier has moved the particles since the last
/// surface.
template <int D>
SubstepGeometry<D> rebuild_geometry(State<D>& state, const Params& params, const World<D>& world,
                    const PlacedSolids<D>& solids, std::type_identity_t<Carrier<D>> carrier, double time,
                    Context& context);

/// What the surface encloses: phase, fractions and the state's volume, anew after phi has changed.
template <int D>
void fill(SubstepGeometry<D>& geometry, State<D>& state, Context& context);

/// m³ (2D: m²) of liquid that fills parts of cells.
template <int D>
double volume_of(const CellField<float, D>& fraction, const CellField<float, D>& open_fraction,
                 Context& context);

/// Distance to the scene's liquid at the start. Its shapes end at walls, where the liquid has no
/// surface: where a side along a wall is nearest, the distance is that of a point two voxels away
/// from it; surfaces that meet a wall at an angle are left as they are. Open sources are full.
template <int D>
class LiquidAtStart {
  public:
    explicit LiquidAtStart(const World<D>& world);
    double operator()(const Point<D>& x) const;

  private:
    double distance(const Point<D>& x) const;
    const World<D>& world_;
    LiquidFlow<D> flow_;
};

/// At the start, before the first ground: moves the seeded particles so that the surface around
/// them is that of the scene's shapes.
template <int D>
void fit_to_scene(State<D>& state, const Params& params, const World<D>& world,
                  const PlacedSolids<D>& solids, Context& context);

template <int D>
AirRegions<D> regions_of(const SubstepGeometry<D>& geometry, const World<D>& world, const PlacedSolids<D>& solids,
                         Context& context);

template <int D>
void add_forces(FaceField<double, D>& velocity, const ForceSet<D>& forces, Interval time,
                Context& context);

}  // namespace spume::constraint

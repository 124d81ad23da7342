// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/cip/cip.h"

namespace spume::cip {

/// What walls and solids leave of the box. Without solids only the sides of the box are closed.
template <int D>
struct DenseCutCells {
    bool solid = false;                ///< are there solids? Else all below is empty
    DenseField<float, D> area[D];      ///< open part of faces
    DenseField<double, D> push[D];     ///< normal velocity of the closed part, m/s
    DenseField<float, D> part;         ///< open part of cells
    DenseField<std::uint8_t, D> kind;  ///< CellKind
};

/// Open part of a cell.
template <int D>
double open_part(const DenseCutCells<D>& open, std::size_t cell) {
    return open.solid ? double(open.part.values[cell]) : 1.0;
}

/// Solids on the dense grid; the cut cells that they come from, for velocities along them.
template <int D>
struct SolidGeometry {
    PlacedSolids<D> bodies;
    PlacedSolids<D> cut;  ///< those of them that the grid leaves out: without marked ones
    std::vector<std::uint8_t> no_slip;  ///< by cut solid
    CutCells<D> open;
    DenseCutCells<D> dense;
};
/// Takes over the velocities of closed faces, when bodies have got new ones.
template <int D>
void renew_push(SolidGeometry<D>& solids, const World<D>& world, Context& context);
template <int D>
SolidGeometry<D> solid_geometry(const World<D>& world, PlacedSolids<D> bodies, Context& context);

/// Water inside solids goes on as beside them, so that the surface meets them at right angles.
template <int D>
void continue_into_solids(CipField<double, D>& phi, const World<D>& world,
                          const PlacedSolids<D>& bodies, Context& context);
/// Velocities of closed faces: along solids, or those of solids that hold the fluid.
template <int D>
void continue_into_solids(State<D>& state, const World<D>& world, const SolidGeometry<D>& solids,
                          Context& context);

/// Density and viscosity, [SSK05] §5.1: by H_ε or by the parts of the way between two centres on
/// either side of the surface, [KFL00].
template <int D>
struct Phases {
    DenseField<double, D> water;    ///< H of −φ in cells; sharp: 1 in water, 0 in air
    DenseField<double, D> part[D];  ///< of water at faces, 0 … 1
    DenseField<double, D> inverse_density_ratio[D];  ///< ρ_water / ρ at faces, as a float holds it
    DenseField<double, D> viscosity;                 ///< in cells, Pa·s
};
template <int D>
Phases<D> phases_of(const CipField<double, D>& phi, const World<D>& world, const Params& params,
                    Context& context);

/// Water's volume ∫H_ε and area of its surface ∫δ_ε|∇φ|, [SSK05] Eqs. 20–21, in voxels.
struct WaterSize {
    double volume = 0, area = 0;
};
template <int D>
WaterSize water_size(const CipField<double, D>& phi, const DenseCutCells<D>& open, double smearing,
                     Context& context);

/// Moves the whole level set until the water has this volume (in voxels), [SSK05] Eq. 22 repeated.
/// Returns what it has then.
template <int D>
double compensate(CipField<double, D>& phi, const DenseCutCells<D>& open, double smearing,
                  double volume, Context& context);

}  // namespace spume::cip

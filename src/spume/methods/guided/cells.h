// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/bulk/bulk.h"
#include "spume/physics/domain/solids.h"

namespace spume::guided {

/// What the bulk gives to the water that is simulated, where its tiles end.
enum class Border {
    kMixed,     ///< [WFS22] §4
    kPressure,  ///< q = 0 beyond every face
    kVelocity,  ///< u = u_bulk on every face
};

/// Where water is simulated, and what is known around it.
template <int D>
struct GuidedCells {
    /// Pressure voxels are no fluid cells but have open faces towards those: q = 0 in them. Closed
    /// faces move with the bulk or a solid.
    CutCells<D> open;
    /// Of the bulk, in cells that its surface cuts; zero elsewhere.
    CellField<double, D> divergence;
    FaceField<std::uint8_t, D> border;  ///< 1: takes the bulk's velocity because tiles end there
    /// Parts that no pressure voxel touches, and the largest net flux into one of them through what
    /// encloses it, per volume of the part: 1/s, before it was spread.
    int closed_parts = 0;
    double largest_net_flux = 0;
};

/// [WFS22] §4, with `walls` what the scene's solids and the domain leave open:
///
/// - The air side of the bulk's surface is closed and moves with the bulk. Faces are cut by the
///   part in which Φ, interpolated to their corners, is positive. Beyond the surface the bulk's
///   velocity is extrapolated, so cells that are cut need not lose its divergence.
/// - Cells at a face across gravity (`down` is the axis of gravity) where tiles end are pressure
///   voxels; other faces there take the bulk's velocity. Pressure wins in corners.
/// - A part that no pressure voxel touches has its net flux spread over its border faces.
template <int D>
GuidedCells<D> guided_cells(CutCells<D> walls, const BulkFields<D>& bulk, Border border, int down,
                            Context& context);

/// The last of these: needs open and divergence, changes the velocities on border faces.
template <int D>
void spread_net_flux(GuidedCells<D>& cells, Context& context);

}  // namespace spume::guided

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/particles/cell_ranges.h"
#include "spume/surface/level_set.h"
#include "spume/surface/parting.h"

namespace spume::constraint {

// The particles are the liquid: so many of them are a voxel full. Where more of them lie than the
// surface around them has room for, the liquid there has lost volume; where fewer do, it has gained
// some. Both show cell by cell, as the density of [KLTB21] does.

/// Volume that the particles in a cell stand for less the volume of liquid that it holds, in cells:
///
///   e = S⁴ (n / n₀ − V),   S = (1 2 1)/4 along each axis
///
/// with n₀ the particles of a full cell and V = `filled` · `open_fraction`. S takes the noise of
/// single particles; it keeps the sum, and passes nothing through cells that are not `open`. A cell
/// at a wall that parts holds particles of both sides: there the number says nothing, and e counts
/// as 0.
template <int D>
CellField<float, D> density_error_of(const CellRanges<D>& cells, const CellField<float, D>& filled,
                                     const CellField<float, D>& open_fraction,
                                     const CellField<std::uint8_t, D>& open, double full_count,
                                     Context& context, const Parting<D>* parting = nullptr);

/// A cell that holds a quarter more particles than a full one is liquid, even if the surface passes
/// over it: films that lie flat on a floor are thinner than any ball around their particles shows.
/// Changes phi in `open` cells only, and not at walls that part.
template <int D>
void cover_full_cells(LevelSet<D>& phi, const CellRanges<D>& cells,
                      const CellField<std::uint8_t, D>& open, double full_count, Context& context,
                      const Parting<D>* parting = nullptr);

}  // namespace spume::constraint

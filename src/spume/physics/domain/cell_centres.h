// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/domain/solids.h"

namespace spume {

/// The kinds of the cells, but kNoCell where the centre lies inside a solid. Such a cut cell counts
/// as solid for the surface: no particle comes near its centre, and it would look like a sliver of
/// air.
template <int D>
CellField<std::uint8_t, D> centres_outside(const CutCells<D>& open, const PlacedSolids<D>& solids,
                                           Context& context);

}  // namespace spume

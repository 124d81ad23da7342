// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>

#include "spume/particles/bubbles.h"
#include "spume/particles/sort.h"
#include "spume/physics/bulk/bulk.h"
#include "spume/physics/domain/grid_domain.h"

namespace spume::guided {

/// Bubbles whose centre is beyond the bulk's surface are removed; returns the volume of those up to
/// a density: what is denser is no air.
template <int D>
double remove_surfaced(Bubbles<D>& bubbles, const CellField<double, D>& phi, double densest,
                       Context& context);

/// Ids from `begin` to before `end`.
struct IdRange {
    std::uint64_t begin = 0, end = 0;
};
/// Bubbles that emitters made move with the liquid: its velocity is added to what their emitter
/// gave them.
template <int D>
void join_liquid(Bubbles<D>& bubbles, const IdRange& ids, const FaceField<double, D>& water,
                 const TileRanges<D>& ranges, const GridDomain<D>& domain, Context& context);

}  // namespace spume::guided

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/domain/solids.h"
#include "spume/surface/closed_mesh.h"

namespace spume {

/// Where a liquid's surface is closed: at the sides of its domain and at solids. `level` and
/// `solids` must stay.
template <int D>
ClosingSheets<D> closing_sheets(const LevelSet<D>& level, const GridDomain<D>& domain,
                                const PlacedSolids<D>& solids) {
    DistanceWithin<D> distance;
    if (!solids.empty())
        distance = [&solids](const Point<D>& x, double band) {
            return solids.distance_within(x, band);
        };
    return {level, domain.bounds(), std::move(distance)};
}

}  // namespace spume

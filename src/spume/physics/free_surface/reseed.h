// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/cell_ranges.h"
#include "spume/particles/liquid.h"
#include "spume/physics/domain/solids.h"
#include "spume/surface/level_set.h"

namespace spume {

/// How many particles a cell may have.
struct Reseeding {
    int fewest = 3, full = 8, most = 32;
    double thin = 0.1;  ///< part of a cell that its particles and those around it lack
};

/// Which random numbers places are drawn from.
struct RandomPlaces {
    std::uint64_t seed = 0;
    std::uint32_t step = 0;
};

/// Cells well inside the liquid with too few particles get one in each of their 2^D parts that has
/// none, with the velocity of the grid and the density of the nearest particle. They come from the
/// fullest cells of the tile, so that the liquid has as many as before; where those around are thin
/// too, and in empty cells, new ones are made. Cells with far too many lose the youngest. Particles
/// must be sorted; they then lie by tiles, but for new ones at the end. `density_error` is the
/// volume that the particles of a cell stand for less what it holds, in cells.
template <int D>
void reseed(Liquid<D>& liquid, const CellRanges<D>& cells, const LevelSet<D>& phi,
            const CellField<float, D>& density_error, const FaceField<double, D>& velocity,
            const PlacedSolids<D>& bodies, const GridDomain<D>& domain, const Reseeding& limits,
            const RandomPlaces& places, Context& context);

}  // namespace spume

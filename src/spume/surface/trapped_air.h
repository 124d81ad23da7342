// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <unordered_map>
#include <vector>

#include "spume/core/context.h"
#include "spume/grid/dense.h"

namespace spume {

/// Air that the liquid encloses, [G04] §4.2, found by a flood fill over the cells of a level set.
template <int D>
struct TrappedAir {
    struct Pocket {
        std::size_t cells = 0;
        double volume = 0;        ///< voxels
        Vec<double, D> centre{};  ///< lattice coordinate of the mean of its cells
    };
    std::vector<Pocket> pockets;
    /// Which pocket a cell belongs to, by its place; cells around a pocket belong to it too.
    std::unordered_map<std::size_t, int> pocket_of{};
    std::vector<Index<D>> cells{};  ///< of all pockets, φ > 0
};

/// Cells with φ > 0 are connected through their faces, and across an edge or a corner where φ is
/// positive there too: the mean of the cells around it, [G04] Fig. 7. Those that reach an open side
/// of the box are the atmosphere; where none does, the largest set is. `solid`, if not empty, is 1
/// in cells that hold neither air nor liquid; `room`, if not empty, is the part of each cell that
/// no solid covers.
template <int D>
TrappedAir<D> find_trapped_air(const DenseField<float, D>& phi,
                               const DenseField<std::uint8_t, D>& solid,
                               const DenseField<float, D>& room, const bool (&open)[D][2],
                               Context& context);

/// The pockets of less than so many voxels, or those of more.
template <int D>
TrappedAir<D> small_pockets(const TrappedAir<D>& air, const DenseShape<D>& shape, double voxels);
template <int D>
TrappedAir<D> large_pockets(const TrappedAir<D>& air, const DenseShape<D>& shape, double voxels);

/// Turns the pockets into liquid. A redistancing anew has to follow: it forgets the distances that
/// cells around them had from their surface, which would bring slivers of them back.
template <int D>
void fill_trapped_air(DenseField<float, D>& phi, const TrappedAir<D>& air, double width);

/// Part of a cell on the negative side of a level set, from its tangent plane.
template <int D>
double filled_part(const DenseField<float, D>& phi, std::size_t place);

}  // namespace spume

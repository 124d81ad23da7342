// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <vector>

#include "spume/core/context.h"
#include "spume/grid/stencil.h"

namespace spume::mixture {

/// Connected regions of cells that hold air: ν of [WSB25] §5.4.1. Cells that share a face are
/// connected. The faces of a pocket are all faces of its cells: [WSB25] counts only faces with
/// φ_b > 0, but Eq. 41 spreads the fraction one face further, and those faces carry force too.
template <int D>
struct Pockets {
    CellField<std::int32_t, D> label;  ///< 1 … count; 0 without air
    int count = 0;
};

/// Pockets are numbered by their first cell in storage, whatever the number of threads.
template <int D>
Pockets<D> pockets_of(const CellField<double, D>& fraction, Context& context);

/// By label, how many voxels a ball of the pocket's air has in radius.
template <int D>
std::vector<double> radii_of(const Pockets<D>& pockets, const CellField<double, D>& fraction,
                             Context& context);

/// f(axis, face, pocket) for the faces of the pockets' cells in one active tile: over all tiles,
/// each face once. `face` is its place in flat storage.
template <int D, class F>
void for_pocket_faces(const Pockets<D>& pockets, int tile, F&& f) {
    const Tiles<D>& tiles = *pockets.label.tiles();
    const std::int32_t* label = pockets.label.read();
    for (int o = 0; o < kTileCells<D>; ++o) {
        const std::size_t cell = std::size_t(tile) * kTileCells<D> + std::size_t(o);
        if (label[cell] == 0) continue;
        for (int a = 0; a < D; ++a) {
            f(a, cell, label[cell]);
            const std::size_t above = neighbour_of<D>(tiles, tile, o, 2 * a + 1).place();
            if (label[above] == 0) f(a, above, label[cell]);
        }
    }
}

}  // namespace spume::mixture

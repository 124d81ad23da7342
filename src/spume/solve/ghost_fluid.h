// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include "spume/solve/pressure.h"

namespace spume {

/// Second-order Dirichlet values on the zero contour of phi (negative inside): where a fluid cell
/// has an active neighbour that is kNoCell and has phi ≥ 0, the value stands at the fraction
/// θ = φ_i / (φ_i − φ_j) of the way, seen through c_f / θ, which keeps the matrix symmetric
/// [GFCK02] Eq. 12. `value(point)` gives it. θ is kept above `least`: smaller ones only spoil the
/// condition of the matrix.
template <int D, class T, class Value>
void add_ghost_fluid(PressureSystem<D>& system, const CellField<T, D>& phi, double least,
                     Value&& value) {
    const Tiles<D>& tiles = *system.tiles;
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (system.kind.at(t, o) != kFluidCell) continue;
            for (int face = 0; face < 2 * D; ++face) {
                const int a = face / 2, side = face % 2 ? 1 : -1;
                Index<D> local = tile_local<D>(o), step{};
                local[a] += side;
                if (local[a] < 0 || local[a] >= kTileSide<D>) {
                    step[a] = side;
                    local[a] -= side * kTileSide<D>;
                }
                const int n = tiles.neighbour(t, step), there = tile_offset<D>(local);
                if (!tiles.is_active(n) || system.kind.at(n, there) != kNoCell) continue;
                const double here = double(phi.at(t, o)), beyond = double(phi.at(n, there));
                const double c =
                    side > 0 ? system.coefficient.at(a, n, there) : system.coefficient.at(a, t, o);
                if (beyond < 0 || c == 0) continue;
                const double theta = std::clamp(here / (here - beyond), least, 1.0);
                const Point<D> at =
                    phi.position(t, o) + Point<D>::unit(a, side * theta * tiles.voxel());
                system.add_dirichlet(t, o, c / theta, value(at));
            }
        }
}

}  // namespace spume

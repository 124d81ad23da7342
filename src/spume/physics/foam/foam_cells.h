// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/context.h"
#include "spume/particles/cell_ranges.h"
#include "spume/particles/foam.h"

namespace spume {

/// Foam by classes of radii, each a factor of two wide, and within a class by cells as wide as its
/// members reach. The particles lie in memory in this order:
///
///   [ class 0: tile 0 cell 0, cell 1, … | class 1: … ]      ids ascend within a cell
///
/// A search asks each class for its cells near: few particles are looked at that are too far away,
/// whatever else is in the foam.
template <int D>
struct FoamCells {
    struct Class {
        std::size_t first = 0, last = 0;  ///< its particles
        double reach = 0;                 ///< of the largest: support radius of a pair of them
        typename Tiles<D>::Ptr tiles;     ///< of cells one reach wide
        CellRanges<D> cells;              ///< counted from `first`
    };
    std::vector<Class> classes;
};

/// Sorts the foam. A particle of radius r reaches `beta` r: pairs at up to the mean of both and
/// `skin` more are found, or up to `least` and `skin`. The order depends on places, radii and ids
/// alone.
template <int D>
FoamCells<D> sorted_foam(Foam<D>& foam, double beta, Context& context, double skin = 0,
                         double least = 0);

/// f(first, last) for stretches of particles: together all those within reach of any particle of
/// the cell `cell` of class `own`, and some more.
template <int D, class F>
void for_near(const FoamCells<D>& sorted, const typename FoamCells<D>::Class& own,
              const Index<D>& cell, F&& f);

/// f(class, tile, cell, first, last) for each cell of a stretch of the tiles of all classes. Pieces
/// are numbered over all classes: see foam_pieces.
struct FoamPiece {
    std::size_t which = 0;  ///< of the classes
    int tile = 0;
};
template <int D>
std::vector<FoamPiece> foam_pieces(const FoamCells<D>& sorted);

template <int D, class F>
void for_near(const FoamCells<D>& sorted, const typename FoamCells<D>::Class& own,
              const Index<D>& cell, F&& f) {
    // Coordinates are rounded a little on the way to cells.
    constexpr double kSafe = 1e-9;
    for (const auto& other : sorted.classes) {
        const double beyond = (own.reach + other.reach) / 2;
        Index<D> lo{}, hi{};
        if (&other == &own) {
            for (int a = 0; a < D; ++a) lo[a] = cell[a] - 1, hi[a] = cell[a] + 1;
        } else {
            for (int a = 0; a < D; ++a) {
                lo[a] = static_cast<int>(
                    std::floor((cell[a] * own.reach - beyond) / other.reach - kSafe));
                hi[a] = static_cast<int>(
                    std::floor(((cell[a] + 1) * own.reach + beyond) / other.reach + kSafe));
            }
        }
        constexpr int kLast = D - 1;
        Index<D> at = lo;
        while (true) {
            // One row along the last axis, tile by tile.
            for (int z = lo[kLast]; z <= hi[kLast];) {
                at[kLast] = z;
                const Index<D> key = tile_of<D>(at);
                const int end = std::min(hi[kLast], (key[kLast] + 1) * kTileSide<D> - 1);
                const int tile = other.tiles->find(key);
                if (other.tiles->is_active(tile)) {
                    const std::size_t place = std::size_t(tile) * kTileCells<D> +
                                              std::size_t(tile_offset<D>(local_of<D>(at)));
                    const std::size_t first = other.cells.first(place);
                    const std::size_t last = other.cells.last(place + std::size_t(end - z));
                    if (first < last) f(other.first + first, other.first + last);
                }
                z = end + 1;
            }
            int a = D - 2;
            for (; a >= 0; --a) {
                if (++at[a] <= hi[a]) break;
                at[a] = lo[a];
            }
            if (a < 0) break;
        }
    }
}

}  // namespace spume

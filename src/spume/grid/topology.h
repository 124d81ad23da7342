// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/field.h"

namespace spume {

/// Keys of all tiles touched by the points grown by `margin` cells, then by `padding` whole tiles,
/// cut to the tiles that meet `limits` (a box of cells). Sorted, unique.
template <int D>
std::vector<Index<D>> tiles_around(std::span<const Point<D>> points, const Transform<D>& transform,
                                   int margin, int padding, const Box<int, D>& limits,
                                   Context& context);

/// A tile set that follows its bubbles. Tiles not wanted for more than `patience` rebuilds retire,
/// so that a bubble on a tile border does not make and unmake tiles each step.
template <int D>
struct TileTopology {
    typename Tiles<D>::Ptr tiles;
    Array<std::int32_t> idle;  ///< rebuilds since the tile was last wanted, by active tile

    /// Returns true when the layout changed. The same object stays when the keys are the same.
    bool rebuild(std::vector<Index<D>> wanted, int patience, const Transform<D>& transform);
};

/// The field on another tile set: values of tiles stored in both are kept, the rest is `fill`.
template <class T, int D>
Array<T> carried(const Array<T>& values, const Tiles<D>& from, const Tiles<D>& to, T fill,
                 Context& context);
template <class T, int D>
CellField<T, D> carried(const CellField<T, D>& field, const typename Tiles<D>::Ptr& to, T fill,
                        Context& context) {
    CellField<T, D> r(to);
    r.values() = carried<T, D>(field.values(), *field.tiles(), *to, fill, context);
    return r;
}
template <class T, int D>
FaceField<T, D> carried(const FaceField<T, D>& field, const typename Tiles<D>::Ptr& to, T fill,
                        Context& context) {
    FaceField<T, D> r(to);
    for (int a = 0; a < D; ++a)
        r.component(a) = carried<T, D>(field.component(a), *field.tiles(), *to, fill, context);
    return r;
}

}  // namespace spume

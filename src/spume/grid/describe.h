// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/core/visit_state.h"
#include "spume/grid/topology.h"

namespace spume {

/// For a State's describe: the tiles and how long each has been idle.
template <int D>
void describe_tiles(TileTopology<D>& grid, const Transform<D>& transform, StateVisitor& visitor) {
    std::vector<Index<D>> keys;
    if (grid.tiles) keys.assign(grid.tiles->active_keys().begin(), grid.tiles->active_keys().end());
    visitor("grid.keys", keys);
    if (visitor.loading()) grid.tiles = Tiles<D>::build(keys, transform);
    visitor("grid.idle", grid.idle);
}

/// A field over tiles that were described before it.
template <class T, int D>
void describe_field(CellField<T, D>& field, const std::string& name,
                    const typename Tiles<D>::Ptr& tiles, StateVisitor& visitor) {
    if (visitor.loading()) field = CellField<T, D>(tiles);
    visitor(name, field.values());
}
template <class T, int D>
void describe_field(FaceField<T, D>& field, const std::string& name,
                    const typename Tiles<D>::Ptr& tiles, StateVisitor& visitor) {
    if (visitor.loading()) field = FaceField<T, D>(tiles);
    for (int a = 0; a < D; ++a) visitor(name + "." + "xyz"[a], field.component(a));
}

/// One that only some runs have.
template <class T, int D>
void describe_optional(FaceField<T, D>& field, const std::string& name,
                       const typename Tiles<D>::Ptr& tiles, StateVisitor& visitor) {
    FaceField<T, D> all = visitor.loading() ? FaceField<T, D>(tiles) : field;
    for (int a = 0; a < D; ++a) visitor(name + "." + "xyz"[a], all.component(a));
    if (visitor.loading()) field = all.component(0).empty() ? FaceField<T, D>() : all;
}

}  // namespace spume

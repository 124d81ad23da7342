// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/bulk/bulk.h"

namespace spume {

/// Fields of the bulk's lattice on tiles of another one that is aligned to it. Faces of twice the
/// edge get the mean of those they consist of.
template <int D>
BulkFields<D> moved_to(const BulkFields<D>& fields, const typename Tiles<D>::Ptr& tiles,
                       const Alignment<D>& alignment, Context& context);

/// Tiles of the bulk's lattice that cover all stored tiles of another.
template <int D>
typename Tiles<D>::Ptr covering_tiles(const Tiles<D>& tiles, const Alignment<D>& alignment,
                                      const Transform<D>& bulk);

}  // namespace spume

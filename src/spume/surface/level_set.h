// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/grid/halo.h"
#include "spume/grid/stencil.h"

namespace spume {

/// Signed distances at cell centres, negative inside the liquid. Beyond the stored tiles lies air:
/// nothing nearer than the band for which the tiles were made.
template <int D>
using LevelSet = CellField<double, D>;

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/geometry/mesh_distance.h"

namespace spume {

/// Where the vertices of a surface are once it has moved to `after`, whose faces are others: turned
/// and shifted as one as far as that brings the surfaces together [BM92], then each at the nearest
/// point. Finds the motion of rigid bodies that turn by less than about a quarter in between.
std::vector<Vec<double, 3>> followed(const TriangleMesh& before, const TriangleMesh& after);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/geometry/mesh_library.h"
#include "spume/scene/scene.h"

namespace spume {

/// A line for each solid with a wall thinner than a voxel, with the voxel it needs. Such walls hold
/// what they hold, but the grid has them at its nearest faces.
std::vector<std::string> thin_walls(const Scene& scene, const MeshLibrary& meshes);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <map>
#include <memory>
#include <string>

#include "spume/geometry/mesh_distance.h"

namespace spume {

/// Meshes named in a scene, by the path that stands there.
using MeshLibrary = std::map<std::string, std::shared_ptr<const MeshDistance>>;

}  // namespace spume

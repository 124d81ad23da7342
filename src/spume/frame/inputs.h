// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/geometry/mesh_library.h"

namespace spume {

/// Everything a simulation reads from outside besides its scene.
struct Inputs {
    MeshLibrary meshes;
};

}  // namespace spume

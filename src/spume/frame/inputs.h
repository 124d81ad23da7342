// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>

#include "spume/frame/bulk_source.h"
#include "spume/geometry/mesh_library.h"

namespace spume {

/// Everything a simulation reads from outside besides its scene.
struct Inputs {
    MeshLibrary meshes;
    std::shared_ptr<const BulkSource> bulk;  ///< null unless the scene names a cached liquid
};

}  // namespace spume

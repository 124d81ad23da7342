// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>

#include "spume/frame/bulk_source.h"
#include "spume/geometry/mesh_library.h"

namespace spume {

/// A text that a scene names; empty path: it names none.
struct InputText {
    std::string path, text;
};

/// Everything a simulation reads from outside besides its scene.
struct Inputs {
    MeshLibrary meshes;
    std::shared_ptr<const BulkSource> bulk = {};  ///< null unless the scene names a cached liquid
    InputText list = {};                          ///< that the method's section names as `list`
};

}  // namespace spume

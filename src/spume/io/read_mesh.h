// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/geometry/mesh.h"
#include "spume/io/file_system.h"
#include "spume/io/hash.h"

namespace spume {

struct ReadMesh {
    TriangleMesh mesh;
    Hash128 hash;  ///< of the file's bytes
};

/// A PLY or OBJ file, by its extension. A missing, unreadable or damaged one is a UserError.
ReadMesh read_mesh(FileSystem& files, const std::string& path);

}  // namespace spume

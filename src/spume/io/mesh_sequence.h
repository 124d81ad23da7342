// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spume/geometry/mesh_library.h"
#include "spume/io/file_system.h"
#include "spume/io/hash.h"

namespace spume {

/// A mesh that a scene names, or a sequence of them, and what it says of itself.
struct SceneMesh {
    LibraryMesh mesh;
    Hash128 hash;  ///< of all bytes
    std::vector<std::string> warnings;
};

/// Reads a mesh, or with #### or $F4 in its name all files of a sequence; `fps` is that of the
/// scene. UserError for files that are missing, damaged, or of other faces than the first.
SceneMesh read_scene_mesh(FileSystem& files, const std::string& path, double fps,
                          MeshUse use = MeshUse::kDistances);

/// Why it cannot be read as far as names say: the file, or which file of a sequence, is not there.
std::optional<std::string> missing_mesh(FileSystem& files, const std::string& path);

}  // namespace spume

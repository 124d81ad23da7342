// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/geometry/mesh.h"
#include "spume/io/file_sequence.h"
#include "spume/io/hash.h"

namespace spume {

struct ReadMesh {
    TriangleMesh mesh;
    std::vector<Vec<float, 3>> velocity;  ///< of the vertices, if the file says it
    Hash128 hash;                         ///< of the file's bytes
};

/// A PLY, OBJ, BOBJ or BOBJ.GZ file, or a level set of another program in a VDB file, by its
/// extension. A missing, unreadable or damaged one is a UserError.
ReadMesh read_mesh(FileSystem& files, const std::string& path);

/// One file of a sequence of meshes, with velocities that FLIP Fluids writes beside it as
/// `velocity` and the same number; a VDB level set is read in a process of its own and becomes
/// triangles, `grid` names it. In lengths of the file, or in metres where Mantaflow's config files
/// say where it lies.
ReadMesh read_sequence_mesh(FileSystem& files, const FileSequence& sequence, int number,
                            const std::string& grid = {},
                            const std::vector<std::string>& reader = {});

}  // namespace spume

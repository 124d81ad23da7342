// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spume/frame/bulk_source.h"
#include "spume/io/file_system.h"
#include "spume/scene/scene.h"

namespace spume {

/// The surface of a liquid that another program wrote as a mesh a frame: frames with the mesh
/// "surface", and points of that name, its vertices, whose column "v" is their velocity. Velocities
/// are those of the files, or where all files have the same faces the vertices' own motion;
/// UserError where neither is to be had. What was recognised goes to `notes`, a line each.
std::shared_ptr<const BulkSource> open_mesh_source(std::shared_ptr<FileSystem> files,
                                                   const Scene& scene, std::string& identity,
                                                   std::vector<std::string>& notes);

}  // namespace spume

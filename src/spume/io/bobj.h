// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spume/geometry/mesh.h"

namespace spume {

/// The triangles that FLIP Fluids (vertices, triangles) and Mantaflow (vertices, normals,
/// triangles) write. UserError for anything else.
TriangleMesh decode_bobj(std::string_view bytes, const std::string& file);

/// The velocities of vertices that FLIP Fluids writes beside: as the vertices of a mesh.
std::vector<Vec<float, 3>> decode_bobj_vectors(std::string_view bytes, const std::string& file);

}  // namespace spume

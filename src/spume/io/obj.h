// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>

#include "spume/geometry/mesh.h"

namespace spume {

/// The vertices and faces of a Wavefront OBJ; everything else in it (normals, textures, groups,
/// materials: no other file is opened) is skipped. Polygons are cut into fans.
TriangleMesh decode_obj(std::string_view text, const std::string& file);

}  // namespace spume

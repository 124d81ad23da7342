// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>

#include "spume/frame/frame.h"

namespace spume {

/// Binary little-endian points: x y z vx vy vz pscale age life type id_lo id_hi density, always all
/// of them (0 where the method has none), then any further column under its own name.
std::string encode_ply(const PointSet& points);
/// Vertices with their columns: x y z, vx vy vz, then the others.
std::string encode_ply(const TriangleMesh& mesh, const std::vector<NamedColumn>& columns = {});

/// Read ASCII and binary PLY of either byte order. Elements and properties without a meaning here
/// are skipped. `file` is for messages. Throw UserError; allocate no more than a few times the
/// input.
PointSet decode_ply_points(std::string_view bytes, const std::string& file);
/// With `columns`, also those of vertices that encode_ply writes.
TriangleMesh decode_ply_mesh(std::string_view bytes, const std::string& file,
                             std::vector<NamedColumn>* columns = nullptr);

}  // namespace spume

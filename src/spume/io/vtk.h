// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spume/frame/frame.h"

namespace spume {

/// VTK XML with raw appended data, for ParaView. A volume becomes the dense image of the box around
/// its tiles, background where there is no tile, values in the cells; a staggered velocity is
/// averaged to the cell centres.
std::string encode_vtp(const PointSet& points);
/// A mesh with the columns of its vertices.
std::string encode_vtp(const TriangleMesh& mesh, const std::vector<NamedColumn>& columns);
std::string encode_vti(const Volume& volume);

/// The name of the sequence that a file below an output directory is part of: meshes and points may
/// have the same.
std::string sequence_name(const std::string& path);
/// A list of files with their times in seconds.
std::string encode_pvd(const std::vector<std::pair<double, std::string>>& files);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>

#include "spume/frame/frame.h"

namespace spume {

struct VdbOptions {
    bool half = false;       ///< volumes: 16-bit floats
    double point_voxel = 0;  ///< m; voxels that hold the points; 0: about eight points a voxel
};

/// A .vdb file as bytes: blosc and active-mask compression, voxels of background value inactive,
/// index (i, j, k) at the centre of cell (i, j, k). Equal input gives equal bytes: where OpenVDB
/// puts a random identity the file carries a hash of its content.
std::string encode_vdb(const Volume& volume, const VdbOptions& options);
/// Several in one file, as other programs write them; with points if there are any.
std::string encode_vdb_volumes(const std::vector<Volume>& volumes, const VdbOptions& options,
                               const PointSet* points = nullptr);
/// Attributes P, then the columns under their names; ids as signed 64-bit. Within a voxel points
/// keep their order.
std::string encode_vdb(const PointSet& points, const VdbOptions& options);

/// Read our own files, whose hash was checked before: OpenVDB does not survive every damaged file.
Volume decode_vdb_volume(std::string_view bytes, const std::string& file);
PointSet decode_vdb_points(std::string_view bytes, const std::string& file);

/// A line for each grid: name, type, class, voxel size, box, counts, point attributes. Foreign
/// files only in a process that may die (probe_vdb.h).
std::string describe_vdb(const std::string& path);

}  // namespace spume

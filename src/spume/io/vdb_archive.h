// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

// Only for io/vdb*.cpp.

#include <string>
#include <string_view>

#include <openvdb/openvdb.h>

#include "spume/io/vdb.h"

namespace spume {

/// The grid as the bytes of a file. Goes round openvdb::io::File, which reports success on a full
/// disk.
std::string archive_of(const openvdb::GridBase::ConstPtr& grid);
std::string archive_of(const openvdb::GridCPtrVec& grids);

/// Points as a grid.
openvdb::GridBase::Ptr point_grid_of(const PointSet& set, const VdbOptions& options);

/// The grids of a file in memory; throws UserError.
openvdb::GridPtrVec grids_of(std::string_view bytes, const std::string& file);

}  // namespace spume

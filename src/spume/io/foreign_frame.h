// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spume/frame/frame.h"
#include "spume/scene/bulk_liquid.h"

namespace spume {

/// What is to be read from a VDB file of another program.
struct ForeignRequest {
    std::string surface, velocity;  ///< names of grids; empty: recognised
    UpAxis up = UpAxis::kAutomatic;
    VelocityPlaces places = VelocityPlaces::kAutomatic;
};

/// What a file holds, in its own units, but on our axes and with velocities on faces.
struct ForeignFrame {
    bool mantaflow = false;  ///< distances and velocities in voxels, grids half a voxel low
    double voxel = 1;
    Vec<double, 3> origin{};        ///< lower corner of cell (0, 0, 0), on our axes
    std::string surface, velocity;  ///< names of the grids
    bool z_up = false, on_faces = true;
    double still = 0;          ///< share of the liquid's voxels that have no velocity
    Array<Vec<int, 3>> tiles;  ///< lower corners of blocks of 8³
    Array<float> phi, u[3];
};

/// The bytes that a reading process hands over, and back. Sizes are checked before anything is
/// allocated; UserError with the file's name otherwise.
std::string encode_foreign(const ForeignFrame& frame);
ForeignFrame decode_foreign(std::string_view bytes, const std::string& file);

/// Reads with OpenVDB, which does not survive every file: only in a process that may die. UserError
/// where grids are missing, of another type, of one name, rotated, or hold no numbers.
ForeignFrame read_foreign_vdb(const std::string& path, const ForeignRequest& request);

}  // namespace spume

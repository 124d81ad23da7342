// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spume/frame/frame.h"
#include "spume/scene/bulk_liquid.h"

namespace spume {

enum class ForeignUse { kLiquid, kSolid };

/// What is to be read from a VDB file of another program.
struct ForeignRequest {
    std::string surface, velocity;  ///< names of grids; empty: recognised
    UpAxis up = UpAxis::kAutomatic;
    VelocityPlaces places = VelocityPlaces::kAutomatic;
    ForeignUse use = ForeignUse::kLiquid;
};

/// What a file holds, in its own units, but on our axes and with velocities on faces.
struct ForeignFrame {
    bool mantaflow = false;  ///< distances and velocities in voxels, grids half a voxel low
    double voxel = 1;
    Vec<double, 3> origin{};        ///< lower corner of cell (0, 0, 0), on our axes
    std::string surface, velocity;  ///< names of the grids; surface: empty if there is none
    bool z_up = false, on_faces = true;
    bool fill = false;         ///< phi is (1/2 − share of a voxel) · voxel: no distance
    double still = 0;          ///< share of the liquid's voxels that have no velocity
    Array<Vec<int, 3>> tiles;  ///< lower corners of blocks of 8³
    Array<float> phi, u[3];    ///< phi: none where the file has no level set
    /// Where it has none: the liquid's particles, in lengths of the file on our axes.
    Array<Vec<float, 3>> points;
    /// Of a solid: its surface, in lengths of the file, on the file's axes unless they are known.
    Array<Vec<float, 3>> vertices;
    Array<Vec<std::int32_t, 3>> triangles;
};

/// The bytes that a reading process hands over, and back. Sizes are checked before anything is
/// allocated; UserError with the file's name otherwise.
std::string encode_foreign(const ForeignFrame& frame);
ForeignFrame decode_foreign(std::string_view bytes, const std::string& file);

/// Reads with OpenVDB, which does not survive every file: only in a process that may die. UserError
/// where grids are missing, of another type, of one name, rotated, or hold no numbers. Where no
/// level set was asked for and none is there, the blocks are those of the velocity, with the
/// particles of the file if it has any.
ForeignFrame read_foreign_vdb(const std::string& path, const ForeignRequest& request);

}  // namespace spume

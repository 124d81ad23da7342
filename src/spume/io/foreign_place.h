// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/box.h"
#include "spume/io/file_sequence.h"
#include "spume/io/foreign_frame.h"

namespace spume {

/// What Mantaflow says of a frame besides its grids: config_####.uni.
struct MantaflowPlace {
    Vec<int, 3> cells{};
    double voxel = 0;         ///< m
    Vec<double, 3> corner{};  ///< m; lower corner of cell (0, 0, 0), z up
    double seconds = 0;       ///< simulated up to this frame
};
MantaflowPlace read_mantaflow_place(FileSystem& files, const std::string& path);

/// Where a foreign frame lies in the world, and in which units.
struct ForeignPlace {
    double voxel = 1;                ///< m
    double distance = 1, speed = 1;  ///< factors on Φ and u
    double fps = 0;                  ///< as the cache says; 0: it does not
    Vec<double, 3> origin{};         ///< m; lower corner of cell (0, 0, 0)
    Box<double, 3> box{};            ///< m; what it was simulated in, if `boxed`
    bool boxed = false;

    /// Where a place of its grids lies, given in its lengths on our axes.
    Vec<double, 3> of_grid(const ForeignFrame& raw, const Vec<double, 3>& x) const {
        return origin + (x - raw.origin) * (voxel / raw.voxel);
    }
    /// The same for points: Mantaflow's do not lie half a voxel low.
    Vec<double, 3> of_point(const ForeignFrame& raw, const Vec<double, 3>& x) const {
        return raw.mantaflow ? origin + x * (voxel / raw.voxel) : of_grid(raw, x);
    }
};

/// (x, y, z) with z up as (x, z, −y).
inline Vec<double, 3> y_up(const Vec<double, 3>& x) { return {x[0], x[2], -x[1]}; }

/// From what a scene says, the file's own grids and Mantaflow's config files.
ForeignPlace place_of(FileSystem& files, const ForeignFrame& raw, const FileSequence& sequence,
                      int frame, const ForeignVolumes& says);

}  // namespace spume

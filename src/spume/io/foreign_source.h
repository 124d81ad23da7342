// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spume/frame/bulk_source.h"
#include "spume/io/file_system.h"
#include "spume/io/probe_vdb.h"
#include "spume/scene/scene.h"

namespace spume {

/// Files of one name but for their number.
struct FileSequence {
    std::string prefix, suffix;
    int digits = 4;  ///< numbers have so many, with zeros before them
    int first = 0, last = 0;
    std::string configuration;  ///< folder of Mantaflow's config files; empty: none

    std::string file(int number) const;
};

/// The VDB files that a path means: a folder of them, a Mantaflow cache, one file of a sequence, or
/// a name with #### or $F4. UserError where there are none or several sequences.
FileSequence find_sequence(FileSystem& files, const std::string& path);

/// What Mantaflow says of a frame besides its grids: config_####.uni.
struct MantaflowPlace {
    Vec<int, 3> cells{};
    double voxel = 0;         ///< m
    Vec<double, 3> corner{};  ///< m; lower corner of cell (0, 0, 0), z up
    double seconds = 0;       ///< simulated up to this frame
};
MantaflowPlace read_mantaflow_place(FileSystem& files, const std::string& path);

/// A liquid that another program wrote, as frames of ours: distances in metres, velocities in m/s
/// on faces, y up. Each file is read by a process of its own under limits. What was recognised goes
/// to `notes`, a line each.
std::shared_ptr<const BulkSource> open_foreign_source(std::shared_ptr<FileSystem> files,
                                                      const Scene& scene, std::string& identity,
                                                      std::vector<std::string>& notes,
                                                      std::vector<std::string> reader = {},
                                                      const ProbeLimits& limits = {.seconds = 60});

}  // namespace spume

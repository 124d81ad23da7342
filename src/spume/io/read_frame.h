// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/frame/frame.h"
#include "spume/io/commit.h"

namespace spume {

/// What of a frame is wanted.
struct FrameContents {
    bool points = true, meshes = true;
    std::vector<std::string> volumes;       ///< by name
    std::vector<std::string> point_sets{};  ///< by name; empty: all of them
};

/// Reads a committed frame back. Each file is checked against its hash before it is opened; one
/// that is missing, damaged or unreadable is left out and named in `problems`.
Frame read_frame(FileSystem& files, const std::string& directory, const CommitRecord& record,
                 const FrameContents& contents, std::vector<Complaint>& problems);

/// Names of the volumes a frame has on disk.
std::vector<std::string> volume_names(const CommitRecord& record);

}  // namespace spume

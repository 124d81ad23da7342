// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/frame/frame.h"
#include "spume/io/atomic_file.h"
#include "spume/scene/scene.h"

namespace spume {

struct FrameFile {
    std::string path;  ///< below the output directory
    FileStamp stamp;
};

/// Writes the frame in every format `output` asks for, each file atomically. The frame does not
/// exist until its commit record does (commit.h). The folders volumes, points and mesh must exist.
std::vector<FrameFile> write_frame(FileSystem& files, const std::string& directory,
                                   const Frame& frame, const Output& output);

/// "bubbles.0012.vdb"
std::string frame_file_name(const std::string& name, int frame, const std::string& extension);

}  // namespace spume

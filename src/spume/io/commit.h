// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spume/io/write_frame.h"

namespace spume {

/// frames/####.json, written last: a frame exists only if its record does.
struct CommitRecord {
    int frame = 0;
    double time = 0;     ///< s
    int dimensions = 0;  ///< 2 or 3; 0: of a cache from before records told
    bool free_surface = false;
    std::vector<FrameFile> files;
    std::vector<BodyPose> bodies;  ///< that the simulation moves
    std::string stats;  ///< the frame's line of stats.jsonl, so that it can always be rebuilt
};

std::string encode_commit(const CommitRecord& record);
/// Throws UserError for anything but an undamaged record of this frame.
CommitRecord decode_commit(std::string_view text, const std::string& file, int frame);

void write_commit(FileSystem& files, const std::string& directory, const CommitRecord& record);
CommitRecord read_commit(FileSystem& files, const std::string& directory, int frame);
/// Numbers of the records present, ascending; their content may still be damaged.
std::vector<int> committed_frames(FileSystem& files, const std::string& directory);
/// A picture of a frame was drawn anew: if its record names the file, with this stamp from now on.
void amend_commit(FileSystem& files, const std::string& directory, int frame,
                  const FrameFile& picture);
/// What records from before they told lack, as the scene of their cache suggests.
void complete(CommitRecord& record, const Scene& scene);
std::string commit_path(int frame);  ///< below the output directory

struct Damage {
    int frame = 0;
    std::string path;  ///< below the output directory
    std::string what;
};

/// Reads every file of a committed frame and compares it with its record.
std::vector<Damage> check_frame(FileSystem& files, const std::string& directory, int frame);

/// The whole output directory: frames, their statistics, manifest and checkpoints.
std::vector<Damage> check_cache(FileSystem& files, const std::string& directory);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spume/core/frame_report.h"
#include "spume/core/visit_state.h"
#include "spume/io/atomic_file.h"

namespace spume {

/// Where in the run a checkpoint was taken.
struct CheckpointInfo {
    int frame = 0;           ///< the last complete frame
    FrameReport unfinished;  ///< of the substeps already done of the next one
    bool regular = true;     ///< taken in its turn, not because the run stopped
    std::string run;         ///< hash of what decides the frames; ties it to its manifest
};

/// Calls back with a visitor that walks the state: session.describe(visitor).
using StateWalk = std::function<void(StateVisitor&)>;

// Layout: "SPUMECKP", format, length of the header, header (JSON), then for each member of the
// state its name, element type, count and bytes, and last a hash of everything before it.

/// Writes checkpoints/… atomically, then removes what is no longer needed: two regular ones stay,
/// and of those written when stopping the newest, until the next regular one. A checkpoint that
/// exists is never opened for writing. Returns the bytes written.
std::uint64_t write_checkpoint(FileSystem& files, const std::string& directory,
                               const CheckpointInfo& info, const StateWalk& walk);

/// That removal by itself, given that the one called `newest` is good.
void remove_old_checkpoints(FileSystem& files, const std::string& directory,
                            const std::string& newest);

struct StoredCheckpoint {
    std::string path;
    CheckpointInfo info;
};

/// The newest undamaged checkpoint of this run not past `last_good_frame`. Damaged ones are
/// reported through `warn` and passed over.
std::optional<StoredCheckpoint> find_checkpoint(
    FileSystem& files, const std::string& directory, const std::string& run, int last_good_frame,
    const std::function<void(const std::string&)>& warn);

/// Fills the state. Names, types and their order must be those of the state walked.
void load_checkpoint(FileSystem& files, const StoredCheckpoint& checkpoint, const StateWalk& walk);

/// Reads the header alone and checks the hash of the whole; throws UserError if damaged.
CheckpointInfo check_checkpoint(FileSystem& files, const std::string& path);

/// Names of the files in checkpoints/, oldest first.
std::vector<std::string> list_checkpoints(FileSystem& files, const std::string& directory);

}  // namespace spume

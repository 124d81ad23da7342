// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "spume/io/checkpoint.h"
#include "spume/run/job.h"

namespace spume {

/// What a run finds in its directory and goes on from.
struct StartingPoint {
    Manifest manifest;   ///< to be written
    std::set<int> good;  ///< undamaged frames, not to be written again
    std::optional<StoredCheckpoint> checkpoint;
    int next_frame = 1;
    int stats_until = 0;  ///< the last frame whose line stats.jsonl holds
};

using Warn = std::function<void(const std::string&)>;

/// Frames that are written, of those that are simulated.
inline bool is_written(const JobOptions& options, int frame) {
    return (frame - options.manifest.first_frame) % std::max(1, options.output.every) == 0;
}

/// What decides the frames, as a hash; ties checkpoints to it.
std::string run_identity(const Manifest& manifest);

/// Makes the directory ready, for a new run or a resumed one: refuses what must not be lost or
/// cannot be continued, removes what a killed run left half-written, restores stats.jsonl. The
/// directory must be locked.
StartingPoint prepare_directory(const JobOptions& options, FileSystem& files, const Warn& warn);

/// After the fact: what was simulated again must be what it was.
void check_same(int frame, const std::string& before, const std::string& now);

}  // namespace spume

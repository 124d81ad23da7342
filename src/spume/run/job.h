// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "spume/core/context.h"
#include "spume/io/file_system.h"
#include "spume/io/manifest.h"
#include "spume/run/job_progress.h"
#include "spume/run/simulation.h"
#include "spume/scene/scene.h"

namespace spume {

struct JobOptions {
    std::string directory;
    Output output;
    Manifest manifest;  ///< what this run is; its frame range is what is to be simulated
    bool resume = false, overwrite = false;
    bool force = false;                ///< with resume: go on although something differs
    int checkpoint_every = 10;         ///< frames; 0: only when stopping
    std::uint64_t memory_limit = 0;    ///< bytes; above it: checkpoint and MachineError. 0: none
    std::uint64_t expected_frame = 0;  ///< bytes on disk, until the first frame tells
    std::uint64_t expected_checkpoint = 0;
    ProgressMode progress = ProgressMode::kAuto;
    std::FILE* terminal = stderr;
    bool watch_signals = true;
    int busy_from = 0;  ///< the frame by which everything that a scene switches on has begun
    std::vector<std::string> foreseen;  ///< what is said before the start, in words
    /// A PNG of the frame; asked for as output.preview says, "last" being the last frame written.
    /// May be empty.
    std::function<std::string(const Frame&)> picture;
};

using SimulationFactory = std::function<std::unique_ptr<Simulation>(Context&)>;

/// Runs the loop around a simulation: lock, manifest, frames with their commit records, statistics,
/// checkpoints, progress, log. Returns 0, or 128 + signal when stopped; failures are thrown, with
/// all finished frames intact.
int run_job(const JobOptions& options, FileSystem& files, const SimulationFactory& make,
            Context& context);

/// True if the directory holds (a part of) a cache.
bool holds_cache(FileSystem& files, const std::string& directory);

}  // namespace spume

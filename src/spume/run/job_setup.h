// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/run/job.h"
#include "spume/run/job_scene.h"

namespace spume {

/// What a user asks of a run on top of its scene, by the command line or in Python.
struct JobRequest {
    std::string directory;
    bool resume = false, overwrite = false;
    bool force = false;         ///< with resume: go on although something differs
    int checkpoint_every = -1;  ///< frames; negative: as the scene says
    double memory_gb = 0;       ///< 0: what the machine has
};

/// Before anything is allocated: a scene that needs more memory than it may use is a UserError.
/// `key` is what the user calls the limit; empty where there is none to set.
void refuse_too_large(const LoadedScene& loaded, double memory_gb, const std::string& key);

/// The job of a scene: its output and manifest, limits, what it should need on disk, and previews,
/// which keep `loaded` and `context`. How it reports is the caller's.
JobOptions job_options(const LoadedScene& loaded, const JobRequest& request, Context& context);

}  // namespace spume

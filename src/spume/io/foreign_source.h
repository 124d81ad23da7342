// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spume/frame/bulk_source.h"
#include "spume/io/file_sequence.h"
#include "spume/io/probe_vdb.h"
#include "spume/scene/scene.h"

namespace spume {

/// A liquid that another program wrote, as frames of ours: distances in metres, velocities in m/s
/// on faces, y up. Each file is read by a process of its own under limits. What was recognised goes
/// to `notes`, a line each.
std::shared_ptr<const BulkSource> open_foreign_source(std::shared_ptr<FileSystem> files,
                                                      const Scene& scene, std::string& identity,
                                                      std::vector<std::string>& notes,
                                                      std::vector<std::string> reader = {},
                                                      const ProbeLimits& limits = {.seconds = 60});

}  // namespace spume

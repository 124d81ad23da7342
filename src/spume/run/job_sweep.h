// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/io/file_system.h"
#include "spume/scene/sweep.h"

namespace spume {

/// What became of a variant of a parameter study.
struct SweepRow {
    SweepVariant variant;
    std::string status;              ///< "done", "waiting", or why it could not go on
    std::vector<std::string> stats;  ///< lines of stats.jsonl, one a written frame
};

/// The row of a variant that has been simulated (or not yet) into a directory.
SweepRow sweep_row(FileSystem& files, const std::string& directory, const SweepVariant& variant,
                   std::string status);

/// One line a variant: its name, what it sets, then its last frame's statistics, with counts summed
/// and speeds taken at their greatest over all frames. Nothing that depends on the machine's pace.
std::string sweep_csv(const std::vector<SweepRow>& rows);
std::string sweep_json(const std::vector<SweepRow>& rows);

/// summary.csv and summary.json in a directory.
void write_sweep_summary(FileSystem& files, const std::string& directory,
                         const std::vector<SweepRow>& rows);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/run/job_warnings.h"

namespace spume {

/// What a run has done, told when it ends.
struct JobOutcome {
    std::string directory;
    int first_frame = 0, last_frame = 0;  ///< of the cache
    int simulated = 0;                    ///< frames, by this run
    double seconds = 0;
    double liquid_drift = 0;  ///< of the last frame
    AirAudit air;             ///< of the last frame, m³ (2D: m²)
    std::string picture;      ///< a file; empty: none was asked for
    WarningTally warnings;
};

/// A few lines for people: frames and time, drift, warnings, the picture, what to type next.
std::string closing_text(const JobOutcome& outcome);
/// The same as one JSON object, for programs.
std::string closing_json(const JobOutcome& outcome);

}  // namespace spume

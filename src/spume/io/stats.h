// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/core/context.h"
#include "spume/core/frame_report.h"
#include "spume/io/file_system.h"

namespace spume {

/// A line of stats.jsonl, without the line's end.
std::string stats_line(int frame, double time, const FrameReport& report,
                       const StateSummary& summary);

struct FrameTiming {
    double total = 0, write = 0;  ///< s
    double memory_mb = 0;
    int threads = 1;
};
/// A line of timing.jsonl. These may differ between equal runs; stats.jsonl may not.
std::string timing_line(int frame, const StageTimes& stages, const FrameTiming& timing);

/// The lines of events.jsonl of a frame, each with its end; "" where nothing happened.
std::string event_lines(int frame, const std::vector<BubbleEvent>& events);
/// The same of a frame of which only its line of stats.jsonl is left.
std::string event_lines(const std::string& stats_line);

/// stats.jsonl as exactly these lines, and events.jsonl as what follows from them, absent without
/// events; only rewritten when they differ.
void restore_stats(FileSystem& files, const std::string& directory,
                   const std::vector<std::string>& lines);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include "spume/core/frame_report.h"
#include "spume/run/job_remaining.h"

namespace spume {

enum class ProgressMode { kAuto, kBar, kJson, kNone };

/// Tells a person or a program how far the run is. kAuto: a bar on a terminal, else a line a frame.
class Progress {
  public:
    /// `busy_from`: see RemainingTime.
    Progress(ProgressMode mode, std::FILE* out, int first_frame, int last_frame, int busy_from = 0);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void starting(int frame, const std::string& what);
    /// Within the frame, 0 to 1: shown a few times a second at most, by programs once a second.
    void within(int frame, double share);
    void finished(int frame, const FrameReport& report, const StateSummary& summary);
    void message(const std::string& text);
    /// `frame` < 0: about the run as a whole.
    void warning(int frame, const std::string& text);
    /// The last word: lines for people, an object for programs.
    void closing(const std::string& text, const std::string& json);

  private:
    void clear_bar();
    void show_bar(int frame, double share);
    RemainingTime::Guess left(int frame, double share) const;
    void line(const std::string& text);

    ProgressMode mode_;
    bool lines_;  ///< kAuto without a terminal
    std::FILE* out_;
    int first_frame_, last_frame_;
    std::chrono::steady_clock::time_point begin_, shown_;  ///< of the frame; of the bar
    RemainingTime remaining_;
    FrameReport report_;  ///< of the last finished frame
    StateSummary summary_;
    bool bar_shown_ = false;
};

/// The bar's text without colours: tested, and never wider than `columns`. `share` of the frame is
/// done.
std::string progress_bar(int frame, double share, int first_frame, int last_frame,
                         double seconds_left, const FrameReport& report,
                         const StateSummary& summary, int columns, bool at_least = false);

/// 3725 as "1:02:05".
std::string clock_text(double seconds);

}  // namespace spume

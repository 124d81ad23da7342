// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_progress.h"

#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include "spume/io/sealed_json.h"

namespace spume {
namespace {

int columns_of(std::FILE* out) {
    winsize size{};
    if (::ioctl(::fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
    return size.ws_col;
}

/// A terminal that is gone must not end the run: failures are let pass.
void put(std::FILE* out, const std::string& text) { std::fputs(text.c_str(), out); }

/// 1234567 as "1.23 M".
std::string count_text(std::int64_t n) {
    const auto x = static_cast<double>(n);
    if (n < 10000) return fmt::format("{}", n);
    if (n < 1000000) return fmt::format("{:.1f} k", x / 1e3);
    return fmt::format("{:.2f} M", x / 1e6);
}

}  // namespace

std::string clock_text(double seconds) {
    const auto s = static_cast<long>(std::lround(std::max(0.0, seconds)));
    if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string progress_bar(int frame, int first_frame, int last_frame, double seconds_left,
                         const FrameReport& report, const StateSummary& summary, int columns) {
    const std::string left = fmt::format("frame {}/{} ", frame, last_frame);
    const std::string right = fmt::format(" ETA {} | {} bubbles, {} voxels, {} pressure iterations",
                                          clock_text(seconds_left), count_text(summary.bubbles),
                                          count_text(summary.voxels), report.pressure_iterations);
    const int room = columns - 1 - static_cast<int>(left.size() + right.size()) - 2;
    std::string bar;
    if (room >= 5) {
        const double share = static_cast<double>(frame - first_frame + 1) /
                             static_cast<double>(last_frame - first_frame + 1);
        const int full = std::clamp(static_cast<int>(share * room), 0, room);
        bar = "[" + std::string(static_cast<std::size_t>(full), '#') +
              std::string(static_cast<std::size_t>(room - full), '.') + "]";
    }
    return (left + bar + right).substr(0, static_cast<std::size_t>(columns - 1));
}

Progress::Progress(ProgressMode mode, std::FILE* out, int first_frame, int last_frame)
    : mode_(mode), out_(out), first_frame_(first_frame), last_frame_(last_frame) {
    lines_ = mode == ProgressMode::kAuto && ::isatty(::fileno(out)) == 0;
    if (mode == ProgressMode::kAuto && !lines_) mode_ = ProgressMode::kBar;
    begin_ = std::chrono::steady_clock::now();
}

Progress::~Progress() {
    if (bar_shown_) std::fputc('\n', out_);
}

void Progress::clear_bar() {
    if (bar_shown_) std::fputs("\r\033[K", out_);
    bar_shown_ = false;
}

double Progress::seconds_left(int frame) const {
    const int done = frame - from_frame_ + 1;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    return done > 0 ? passed.count() / done * (last_frame_ - frame) : 0;
}

void Progress::starting(int frame, const std::string& what) {
    from_frame_ = frame;
    begin_ = std::chrono::steady_clock::now();
    message(what);
}

void Progress::finished(int frame, const FrameReport& report, const StateSummary& summary) {
    const double left = seconds_left(frame);
    if (mode_ == ProgressMode::kJson) {
        Json json;
        json["frame"] = frame;
        json["last_frame"] = last_frame_;
        json["seconds_left"] = left;
        json["bubbles"] = summary.bubbles;
        json["voxels"] = summary.voxels;
        json["pressure_iterations"] = report.pressure_iterations;
        json["substeps"] = report.substeps;
        put(out_, json.dump() + "\n");
    } else if (lines_ || mode_ == ProgressMode::kBar) {
        const int columns = lines_ ? 110 : columns_of(out_);
        clear_bar();
        std::string text =
            progress_bar(frame, first_frame_, last_frame_, left, report, summary, columns);
        put(out_, text + (lines_ ? "\n" : ""));
        bar_shown_ = !lines_;
    }
    std::fflush(out_);
}

void Progress::message(const std::string& text) {
    if (mode_ == ProgressMode::kNone) return;
    clear_bar();
    if (mode_ == ProgressMode::kJson)
        put(out_, Json{{"message", text}}.dump() + "\n");
    else
        put(out_, text + "\n");
    std::fflush(out_);
}

}  // namespace spume

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

std::string progress_bar(int frame, double share, int first_frame, int last_frame,
                         double seconds_left, const FrameReport& report,
                         const StateSummary& summary, int columns, bool at_least) {
    std::string left = fmt::format("frame {}/{} ", frame, last_frame);
    if (share < 1) left += fmt::format("{:2.0f} % ", 100 * share);
    const std::string right = fmt::format(
        " ETA {}{} | {} bubbles, {} voxels, {} pressure iterations", at_least ? "at least " : "",
        clock_text(seconds_left), count_text(summary.bubbles), count_text(summary.voxels),
        report.pressure_iterations);
    const int room = columns - 1 - static_cast<int>(left.size() + right.size()) - 2;
    std::string bar;
    if (room >= 5) {
        const double done = (frame - first_frame + share) / (last_frame - first_frame + 1.0);
        const int full = std::clamp(static_cast<int>(done * room), 0, room);
        bar = "[" + std::string(static_cast<std::size_t>(full), '#') +
              std::string(static_cast<std::size_t>(room - full), '.') + "]";
    }
    return (left + bar + right).substr(0, static_cast<std::size_t>(columns - 1));
}

Progress::Progress(ProgressMode mode, std::FILE* out, int first_frame, int last_frame,
                   int busy_from)
    : mode_(mode),
      out_(out),
      first_frame_(first_frame),
      last_frame_(last_frame),
      remaining_(last_frame, busy_from) {
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

RemainingTime::Guess Progress::left(int frame, double share) const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    return remaining_.left(frame, share, spent.count());
}

void Progress::line(const std::string& text) {
    clear_bar();
    put(out_, text + "\n");
    std::fflush(out_);
}

void Progress::show_bar(int frame, double share) {
    const int columns = lines_ ? 110 : columns_of(out_);
    clear_bar();
    const RemainingTime::Guess guess = left(frame, share);
    const std::string text = progress_bar(frame, share, first_frame_, last_frame_, guess.seconds,
                                          report_, summary_, columns, guess.at_least);
    put(out_, text + (lines_ ? "\n" : ""));
    bar_shown_ = !lines_;
    std::fflush(out_);
}

void Progress::within(int frame, double share) {
    const bool json = mode_ == ProgressMode::kJson;
    if (share >= 1 || lines_ || (!json && mode_ != ProgressMode::kBar)) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < std::chrono::milliseconds(json ? 1000 : 200)) return;
    shown_ = now;
    if (!json) return show_bar(frame, share);
    const RemainingTime::Guess guess = left(frame, share);
    line(Json{{"event", "progress"},
              {"frame", frame},
              {"share", share},
              {"seconds_left", guess.seconds},
              {"at_least", guess.at_least}}
             .dump());
}

void Progress::starting(int frame, const std::string& what) {
    begin_ = std::chrono::steady_clock::now();
    if (mode_ != ProgressMode::kJson) return message(what);
    line(Json{
        {"event", "start"}, {"first_frame", frame}, {"last_frame", last_frame_}, {"message", what}}
             .dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Progress::finished(int frame, const FrameReport& report, const StateSummary& summary) {
    report_ = report;
    summary_ = summary;
    const auto now = std::chrono::steady_clock::now();
    remaining_.finished(frame, std::chrono::duration<double>(now - begin_).count());
    begin_ = now;
    if (mode_ == ProgressMode::kJson) {
        const RemainingTime::Guess guess = left(frame, 1);
        Json json;
        json["event"] = "frame";
        json["frame"] = frame;
        json["last_frame"] = last_frame_;
        json["seconds_left"] = guess.seconds;
        json["at_least"] = guess.at_least;
        json["bubbles"] = summary.bubbles;
        json["voxels"] = summary.voxels;
        json["pressure_iterations"] = report.pressure_iterations;
        json["substeps"] = report.substeps;
        put(out_, json.dump() + "\n");
    } else if (lines_ || mode_ == ProgressMode::kBar) {
        show_bar(frame, 1);
    }
    std::fflush(out_);
}

void Progress::message(const std::string& text) {
    if (mode_ == ProgressMode::kNone) return;
    if (mode_ != ProgressMode::kJson) return line(text);
    line(Json{{"event", "message"}, {"message", text}}.dump(-1, ' ', false,
                                                            Json::error_handler_t::replace));
}

void Progress::warning(int frame, const std::string& text) {
    if (mode_ == ProgressMode::kNone) return;
    if (mode_ != ProgressMode::kJson)
        return line(frame < 0 ? "warning: " + text
                              : fmt::format("warning: frame {}: {}", frame, text));
    Json json{{"event", "warning"}, {"warning", text}};
    if (frame >= 0) json["in_frame"] = frame;
    line(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Progress::closing(const std::string& text, const std::string& json) {
    if (mode_ == ProgressMode::kNone) return;
    line(mode_ == ProgressMode::kJson ? json : text.substr(0, text.find_last_not_of('\n') + 1));
}

}  // namespace spume

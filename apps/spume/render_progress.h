// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <chrono>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "spume/run/job_progress.h"

namespace spume {

/// How far several pictures are: a bar on a terminal, JSON lines for programs.
class PictureProgress {
  public:
    PictureProgress(ProgressMode mode, std::size_t pictures) : pictures_(pictures) {
        const bool terminal = ::isatty(STDERR_FILENO) != 0;
        bar_ = mode == ProgressMode::kBar || (mode == ProgressMode::kAuto && terminal);
        json_ = mode == ProgressMode::kJson;
    }
    void start(std::size_t picture, int frame) { picture_ = picture, frame_ = frame; }
    /// `share` of the current picture.
    void tell(double share) {
        if (!bar_ && !json_) return;
        const auto now = Clock::now();
        if (share < 1 && now - told_ < std::chrono::milliseconds(json_ ? 1000 : 100)) return;
        told_ = now;
        const double done =
            (static_cast<double>(picture_) + share) / static_cast<double>(pictures_);
        const std::chrono::duration<double> passed = now - begin_;
        const double left = done > 0 ? passed.count() * (1 - done) / done : 0;
        if (json_) {
            put(
                fmt::format("{{\"event\":\"progress\",\"frame\":{},\"done\":{:.4f},"
                            "\"seconds_left\":{:.1f},\"at_least\":false}}\n",
                            frame_, done, left));
            return;
        }
        constexpr int kRoom = 40;
        const auto full = static_cast<std::size_t>(done * kRoom);
        put(fmt::format("\r\033[Kframe {} [{}{}] {:3.0f} % ETA {}", frame_, std::string(full, '#'),
                        std::string(kRoom - full, '.'), 100 * done, clock_text(left)));
        shown_ = true;
    }
    void clear() {
        if (shown_) put("\r\033[K");
        shown_ = false;
    }
    void message(const std::string& text) {
        clear();
        put(text + "\n");
    }
    void warning(const std::string& text) {
        if (!json_) return message("warning: " + text);
        nlohmann::ordered_json json{{"event", "warning"}, {"warning", text}};
        put(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    }

  private:
    using Clock = std::chrono::steady_clock;
    // A terminal that is gone must not end the work: failures are let pass.
    static void put(const std::string& text) { std::fputs(text.c_str(), stderr); }

    std::size_t pictures_, picture_ = 0;
    int frame_ = 0;
    bool bar_ = false, json_ = false, shown_ = false;
    Clock::time_point begin_ = Clock::now(), told_{};
};

}  // namespace spume

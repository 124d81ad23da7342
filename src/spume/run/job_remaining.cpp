// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_remaining.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace spume {

void RemainingTime::finished(int, double seconds) { seconds_.push_back(seconds); }

RemainingTime::Guess RemainingTime::left(int frame, double share, double spent) const {
    constexpr std::size_t kFewest = 3;  // frames whose mean is worth something
    constexpr double kGrowth = 1.05;    // of the mean, from one group of frames to the next
    const double frames = std::max(0.0, last_frame_ - frame + 1 - share);
    if (frames <= 0) return {0, false};
    const std::size_t n = seconds_.size();
    if (n == 0) return {share > 0 ? spent / share * frames : 0, true};
    const std::size_t group = std::min(n, std::max(kFewest, n / 8));
    const auto mean = [&](std::size_t end) {
        return std::accumulate(seconds_.begin() + std::ptrdiff_t(end - group),
                               seconds_.begin() + std::ptrdiff_t(end), 0.0) /
               double(group);
    };
    Guess guess;
    const double recent = mean(n);
    double growth = 0;  // a frame
    if (n >= 2 * group) growth = (recent - mean(n - group)) / double(group);
    const bool grows = growth * double(group) > (kGrowth - 1) * recent;
    // It may go on growing for as long as it has been seen to.
    const double more = grows ? std::min(frames, double(n)) : 0;
    guess.seconds = recent * frames + growth * more * (frames - more / 2);
    guess.at_least = n < 2 * group || grows || frame < busy_from_;
    return guess;
}

}  // namespace spume

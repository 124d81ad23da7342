// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "spume/core/random.h"

namespace spume {

/// Numbers in [0, 1) for the samples of one pixel, a pure function of (seed, pixel, sample, which
/// draw). Each draw runs through the samples by steps of an irrational number, so that a few
/// samples already cover the interval evenly, from a random start.
class PixelSampler {
  public:
    PixelSampler(std::uint64_t seed, std::uint64_t pixel) : random_(seed, pixel, 0, kPurpose) {
        seed_ = seed, pixel_ = pixel;
        for (int d = 0; d < kEven; ++d)
            start_[static_cast<std::size_t>(d)] = random_.uniform(static_cast<std::uint32_t>(d));
    }

    void begin(std::uint32_t sample) { sample_ = sample, draw_ = 0; }

    double next() {
        const int d = draw_++;
        if (d >= kEven)  // beyond what matters most: independent
            return Random(seed_, pixel_, sample_ + 1, kPurpose)
                .uniform(static_cast<std::uint32_t>(d));
        const double x = start_[static_cast<std::size_t>(d)] +
                         kStep[static_cast<std::size_t>(d)] * static_cast<double>(sample_);
        return x - std::floor(x);
    }

  private:
    static constexpr Purpose kPurpose = Purpose::kPicture;
    static constexpr int kEven = 16;
    /// The first two are those of the plastic number, best for a plane; then roots of primes.
    static constexpr std::array<double, kEven> kStep{
        0.7548776662466927, 0.5698402909980532, 0.4142135623730951, 0.7320508075688772,
        0.2360679774997898, 0.6457513110645907, 0.3166247903553998, 0.6055512754639891,
        0.1231056256176606, 0.3588989435406740, 0.7958315233127191, 0.3851648071345037,
        0.5677643628300215, 0.0827625302982193, 0.4031242374328485, 0.5574385243020004};

    Random random_;
    std::uint64_t seed_ = 0, pixel_ = 0;
    std::uint32_t sample_ = 0;
    int draw_ = 0;
    std::array<double, kEven> start_{};
};

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <cstdint>

#include "spume/core/vec.h"

namespace spume {

/// What a random number is for, so that two uses never share a stream.
enum class Purpose : std::uint32_t {
    kPosition = 1,
    kRadius,
    kLifetime,
    kJitter,
    kTest,
    kPicture,
    kCount,
    kWaves,
    kPruning,
    kPatch
};

/// Random numbers without state: a pure function of who asks, when and what for
/// (Philox 4x32-10, [SMDS11]). Nothing to save in a checkpoint, nothing to race for.
class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t id, std::uint32_t step, Purpose purpose)
        : seed_(seed), id_(id), step_(step), purpose_(static_cast<std::uint32_t>(purpose)) {}

    /// Draw number `draw`, uniform in [0, 1) with 53 bits.
    double uniform(std::uint32_t draw) const;

    template <int D>
    Vec<double, D> uniform_vec(std::uint32_t draw) const {
        Vec<double, D> r{};
        for (int i = 0; i < D; ++i) r[i] = uniform(draw + static_cast<std::uint32_t>(i));
        return r;
    }

  private:
    std::uint64_t seed_, id_;
    std::uint32_t step_, purpose_;
};

/// Ten rounds of Philox 4x32; exposed for its known-answer test.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

}  // namespace spume

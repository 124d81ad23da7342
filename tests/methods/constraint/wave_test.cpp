// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "wave.h"

#include <gtest/gtest.h>

namespace spume {
namespace {

TEST(ConstraintWave, StandingWaveKeepsItsAmplitude) {
    const double left = wave_left(Transfer::kApic, 0.95, constraint::Params{}.surface_memory, 1);
    RecordProperty("left", std::to_string(left));
    EXPECT_GT(left, 0.92) << "five periods";
    EXPECT_LT(left, 1.03);
}

}  // namespace
}  // namespace spume

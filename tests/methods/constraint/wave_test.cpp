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

TEST(ConstraintWave, PeriodOfWavesOfAVoxelAtAnyLevel) {
    for (const double above : {0.0, 0.25, 0.5, 0.75}) {
        EXPECT_NEAR(wave_period_error(2, above), 0, 0.01) << above;
        EXPECT_NEAR(wave_period_error(1, above), 0, 0.01) << above;
        EXPECT_NEAR(wave_period_error(0.64, above), 0, 0.01) << above;
        EXPECT_NEAR(wave_period_error(0.25, above), 0, 0.03) << above;
    }
}

}  // namespace
}  // namespace spume

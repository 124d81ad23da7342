// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "../tests/methods/mixture/seeded_run.h"
#include "physics_report.h"

// What all studies of [WSB25] share.

namespace spume::bench {

struct StudyOptions {
    std::filesystem::path folder = "out/bench/wsb25";
    std::filesystem::path data;  ///< published curves to draw beside ours; empty: none
    int threads = 2;
};

inline constexpr int kSweeps = mixture::TensionLaw{}.smoothing;  // the default

}  // namespace spume::bench

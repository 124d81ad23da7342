// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <initializer_list>

#include "kept_state.h"
#include "spume/run/session.h"

// Bundled scenes as `spume run` takes them, but without files: the same bits on any number of
// threads, and after a resume.

namespace spume {

struct BundledScene {
    Scene scene;
    MethodParams params;
};

/// `file` below scenes/, with overrides like "domain.divisions=48".
BundledScene bundled_scene(const char* file, const std::vector<std::string>& overrides);

KeptState state_after(const BundledScene& bundled, int frames, int threads);

/// One thread's state after `frames`, for what else a test asks of it.
KeptState expect_same_on_threads(const BundledScene& bundled, int frames,
                                 std::initializer_list<int> threads);

/// Kept after `middle` frames, given to a new session, and followed to `last`.
void expect_same_after_resume(const BundledScene& bundled, int middle, int last);

}  // namespace spume

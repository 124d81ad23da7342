// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "property/session_run.h"

namespace spume {
namespace {

const std::pair<const char*, std::vector<std::string>> kScenes[] = {
    {"g04_fig8_splash_2d.toml", {"domain.divisions=40"}},
    {"g04_fig23_pocket.toml", {"domain.dimensions=2", "particle_level_set.live_bubbles=true"}},
    {"g04_fig27_side.toml", {"domain.divisions=20"}}};

TEST(ParticleLevelSetRepeat, ThreadsChangeNoBit) {
    for (const auto& [name, overrides] : kScenes)
        expect_same_on_threads(bundled_scene(name, overrides), 8, {2, 3});
}

TEST(ParticleLevelSetRepeat, ResumeChangesNoBit) {
    for (const auto& [name, overrides] : kScenes)
        expect_same_after_resume(bundled_scene(name, overrides), 6, 9);
}

}  // namespace
}  // namespace spume

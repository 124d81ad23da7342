// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "property/session_run.h"

namespace spume {
namespace {

const std::pair<const char*, std::vector<std::string>> kScenes[] = {
    {"ssk05_drops_and_bubbles_2d.toml", {"domain.divisions=64"}},
    {"ssk05_drops_and_bubbles_2d.toml", {"domain.divisions=48", "cip.advection=\"markers\""}},
    {"ssk05_drops_and_bubbles_2d.toml",
     {"domain.divisions=48", "cip.mixed_derivatives=\"transported\""}},
    {"ssk05_solids_2d.toml", {"domain.divisions=48"}},
    {"ssk05_ink_2d.toml", {"domain.divisions=48"}},
    {"ssk05_fig1_football.toml", {"domain.divisions=20"}},
    {"ssk05_fig1_football.toml", {"domain.divisions=16", "cip.bodies=\"marked\""}},
    {"ssk05_floating_2d.toml", {"domain.divisions=48"}}};

TEST(CipRepeat, ThreadsChangeNoBit) {
    for (const auto& [name, overrides] : kScenes)
        expect_same_on_threads(bundled_scene(name, overrides), 8, {2, 3});
}

TEST(CipRepeat, ResumeChangesNoBit) {
    for (const auto& [name, overrides] : kScenes)
        expect_same_after_resume(bundled_scene(name, overrides), 6, 9);
}

}  // namespace
}  // namespace spume

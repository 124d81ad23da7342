// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "property/session_run.h"

namespace spume {
namespace {

class ThreadCount : public testing::TestWithParam<const char*> {};

TEST_P(ThreadCount, ChangesNoBit) {
    const bool flat = std::string(GetParam()).find("2d") != std::string::npos;
    std::vector<std::string> coarse;
    if (!flat) coarse = {"domain.voxel=0.04"};
    const KeptState one =
        expect_same_on_threads(bundled_scene(GetParam(), coarse), flat ? 6 : 2, {2, 3, 4, 8});
    EXPECT_GT(one.members.at("bubbles.position").size(), 3000u) << "an empty state proves nothing";
}

TEST(ThreadCountOfABody, ChangesNoBit) {
    const char* const file = "wsb25_fig7_bubble_sizes.toml";
    std::vector<std::string> overrides = {"domain.voxel=0.004", "emitter.ball.spacing=0.002",
                                          "time.fps=120"};
    const KeptState one = expect_same_on_threads(bundled_scene(file, overrides), 2, {2, 3, 8});
    EXPECT_GT(one.members.at("bubbles.position").size(), 3000u) << "an empty state proves nothing";
    overrides.push_back("physics.surface_tension=0");
    EXPECT_NE(differences(one, state_after(bundled_scene(file, overrides), 2, 1)), "")
        << "surface tension is part of it";
}

INSTANTIATE_TEST_SUITE_P(Scenes, ThreadCount,
                         testing::Values("bubble_column_2d.toml", "wsb25_fig13a_bubble_column.toml",
                                         "wfs22_fig5_coupling.toml", "wfs22_fig6_dense.toml",
                                         "wfs22_fig8.toml"));

}  // namespace
}  // namespace spume

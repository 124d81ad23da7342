// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "pls_run.h"
#include "spume/methods/particle_level_set/method.h"
#include "spume/scene/document.h"

namespace spume {
namespace {

using particle_level_set::Params;

std::string complaints(const std::string& lines) {
    try {
        SceneDocument document(lines, "scene.toml");
        Scene scene;
        document.fill(scene);
        Params params;
        document.fill("particle_level_set", params);
        particle_level_set::check(scene, params, document);
        document.finish();
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(ParticleLevelSetInput, IsAnsweredWithASentence) {
    EXPECT_EQ(complaints("[particle_level_set]\nsubgrid = 3\n"), "");
    const std::pair<const char*, const char*> cases[] = {
        {"[particle_level_set]\nsubgrid = 2.5\n", "2:11: error: particle_level_set.subgrid is 2.5"},
        {"[particle_level_set]\nsubgrid = 5\n", "It must be from 1 to 4"},
        {"[particle_level_set]\nmarkers = 0\n", "markers is 0, out of range"},
        {"[particle_level_set]\nleast_radius = 0.6\n", "the least radius of markers is not below"},
        {"[particle_level_set]\nescape = 0.5\n", "escape is 0.5, out of range"},
        {"[particle_level_set]\nbubbles.life = 1\n", "live_bubbles is false"},
        {"[particle_level_set]\ntrapped_air = \"void\"\nregion_size = 1\n", "is \"void\""},
        {"[[liquid]]\nmode = \"source\"\n", "no sources and sinks"},
    };
    for (const auto& [lines, words] : cases)
        EXPECT_NE(complaints(lines).find(words), std::string::npos)
            << lines << "\nsaid: " << complaints(lines);
}

/// What is foreseen of a pool under a slab, `gap` voxels above it and `thick` voxels thick.
template <int D>
std::vector<std::string> foreseen_of(double gap, double thick, int subgrid = 1) {
    const double h = 1.0 / 16, level = (6 + 0.3) * h;
    Scene s = pls_box(D, h, {1, 1, 1});
    const double bottom = level + gap * h;
    s.liquids = {pls_water({0, 0, 0}, {1, level, 1}),
                 pls_water({0.2, bottom, 0.2}, {0.8, bottom + thick * h, 0.8}),
                 pls_ball({0.5, 0.15, 0.5}, 0.1, LiquidMode::kHollow)};
    Params p;
    p.subgrid = subgrid;
    Context context(1);
    return particle_level_set::foreseen(s, p, Inputs{}, context);
}

// Two surfaces in a cell: the level set knows neither.
TEST(ParticleLevelSetInput, SaysWhatIsThinnerThanAVoxel) {
    EXPECT_TRUE(foreseen_of<2>(2.5, 3).empty());
    EXPECT_TRUE(foreseen_of<3>(2.5, 3).empty());
    for (const auto& said : {foreseen_of<2>(0.15, 3), foreseen_of<3>(0.15, 3),
                             foreseen_of<2>(3.3, 0.3), foreseen_of<3>(3.3, 0.3)}) {
        ASSERT_EQ(said.size(), 1u);
        EXPECT_NE(said[0].find("thinner than a voxel of the level set, 0.0625 m"),
                  std::string::npos)
            << said[0];
    }
    EXPECT_TRUE(foreseen_of<2>(3, 0.6, 4).empty());
}

}  // namespace
}  // namespace spume

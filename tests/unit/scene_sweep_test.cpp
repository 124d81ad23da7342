// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

const std::string kScene =
    "version = 1\n"
    "[domain]\n"
    "voxel = \"2 cm\"\n"
    "[[emitter]]\n"
    "name = \"jet\"\n"
    "rate = \"1 l/s\"\n"
    "shape = { kind = \"sphere\", radius = \"5 cm\", center = [0, 0.5, 0] }\n";
const std::string kPresets =
    "[preset.low]\n"
    "domain.voxel = \"4 cm\"\n"
    "emitter.jet.shape.radius = \"7 cm\"\n"
    "[preset.paper]\n"
    "domain.voxel = \"1 cm\"\n"
    "time.fps = 48\n";

Scene parsed(const std::string& text, const SceneSelection& selection = {},
             const std::vector<std::string>& overrides = {}, SceneOffers* offers = nullptr) {
    return parse_scene(text, "s.toml", overrides, {}, selection, offers);
}

SceneOffers offers_of(const std::string& text, const SceneSelection& selection = {},
                      const std::vector<std::string>& overrides = {}) {
    SceneOffers offers;
    parsed(text, selection, overrides, &offers);
    return offers;
}

/// All complaints, one a line.
std::string mistakes(const std::string& text, const SceneSelection& selection = {}) {
    try {
        parsed(text, selection);
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

bool contains(const std::string& text, const std::string& piece) {
    return text.find(piece) != std::string::npos;
}

TEST(Presets, LieOverTheSceneAndBelowSet) {
    const std::string text = kScene + kPresets;
    EXPECT_EQ(parsed(text).domain.voxel, 0.02);
    EXPECT_EQ(parsed(text, {"default", ""}).domain.voxel, 0.02);
    const Scene low = parsed(text, {"low", ""});
    EXPECT_EQ(low.domain.voxel, 0.04);
    EXPECT_EQ(low.emitters.at(0).shape.radius, 0.07);
    EXPECT_EQ(low.emitters[0].shape.center[1], 0.5) << "what a preset does not name stays";
    EXPECT_EQ(low.emitters[0].rate, 1e-3);
    const Scene paper = parsed(text, {"paper", ""}, {"domain.voxel=3 cm"});
    EXPECT_EQ(paper.domain.voxel, 0.03);
    EXPECT_EQ(paper.time.fps, 48) << "a section the scene itself lacks";
    EXPECT_EQ(offers_of(text).presets, (std::vector<std::string>{"low", "paper"}));
}

TEST(Presets, MistakesAreReportedWhereTheyStand) {
    const std::string text = kScene + kPresets;
    const auto with = [&](const std::string& line) {
        return mistakes(kScene + "[preset.low]\n" + line, {"low", ""});
    };
    EXPECT_TRUE(contains(with("  domain.voxel = -1\n"), "s.toml:9:18: error: domain.voxel is -1"));
    EXPECT_TRUE(contains(with("domain.vixel = 1\n"), "s.toml:9:8: error: unknown key"));
    EXPECT_TRUE(contains(with("domian.voxel = 1\n"), "s.toml:9:1: error: unknown section"));
    EXPECT_TRUE(contains(with("emitter.jat.rate = 1\n"),
                         "s.toml:9:9: error: the scene has no "
                         "emitter.jat"));
    EXPECT_TRUE(contains(with("emitter.0 = 1\n"), "s.toml:9:13: error: emitter.0 must be a table"));
    EXPECT_TRUE(contains(with("preset.x = 1\n"), "s.toml:9:1: error: a preset cannot hold"));
    EXPECT_TRUE(contains(mistakes("preset = 1\n" + kScene), "s.toml:1:10: error: preset must be"));
    EXPECT_TRUE(
        contains(mistakes(kScene + "[preset.default]\n"), "s.toml:8:9: error: \"default\""));
    const std::string wrong = mistakes(text, {"lwo", ""});
    EXPECT_TRUE(contains(wrong, "--preset lwo: error:") && contains(wrong, "mean low?") &&
                contains(wrong, "low, paper, default"))
        << wrong;
    EXPECT_EQ(mistakes(kScene + "[preset.low]\ndomain.voxel = -1\n"), "")
        << "what is not asked for is looked at by `spume check`";
}

TEST(Sweeps, AreEveryCombinationInOrder) {
    const std::string text = kScene +
                             "[sweep]\ncolumns = 2\nshow = [1, 12]\n[sweep.values]\n"
                             "physics.surface_tension = [0, 0.072]\n"
                             "emitter.jet.shape.radius = [\"3 mm\", \"4 mm\", \"5 mm\"]\n";
    const SceneOffers offers = offers_of(text);
    ASSERT_EQ(offers.sweep.variants.size(), 6u);
    EXPECT_EQ(offers.sweep.columns, 2);
    EXPECT_EQ(offers.sweep.frames, (std::vector<int>{1, 12}));
    std::size_t n = 0;
    for (const double tension : {0.0, 0.072})
        for (const double radius : {0.003, 0.004, 0.005}) {
            const SweepVariant& v = offers.sweep.variants[n++];
            const Scene scene = parsed(text, {"", v.name});
            EXPECT_EQ(scene.physics.surface_tension, tension) << v.name;
            EXPECT_EQ(scene.emitters.at(0).shape.radius, radius) << v.name;
            EXPECT_EQ(v.values.size(), 2u);
        }
    EXPECT_EQ(offers.sweep.variants[4].name, "surface_tension_0.072_radius_4_mm");
    EXPECT_EQ(offers.sweep.variants[4].label, "surface_tension = 0.072, radius = 4 mm");
    EXPECT_EQ(offers.sweep.variants[4].values[1],
              (std::pair<std::string, std::string>{"emitter.jet.shape.radius", "4 mm"}));
}

TEST(Sweeps, NamedVariantsMeetPresetsAndValues) {
    const std::string text =
        kScene + kPresets + "sweep.values.time.fps = [30]\n" +
        "[[sweep.variant]]\nname = \"plain\"\n"
        "[[sweep.variant]]\nname = \"fine\"\nlabel = \"very fine\"\nset = { domain.voxel = "
        "\"1 mm\", emitter.jet.rate = \"2 l/s\" }\n"
        "[sweep.values]\ntime.fps = [24, 25]\n";
    const SceneOffers offers = offers_of(text);
    ASSERT_EQ(offers.sweep.variants.size(), 4u);
    EXPECT_EQ(offers.sweep.variants[3].name, "fine_fps_25");
    EXPECT_EQ(offers.sweep.variants[3].label, "very fine, fps = 25");
    const Scene scene = parsed(text, {"low", "fine_fps_25"});
    EXPECT_EQ(scene.domain.voxel, 0.001) << "a variant lies over a preset";
    EXPECT_EQ(scene.emitters.at(0).rate, 2e-3);
    EXPECT_EQ(scene.emitters[0].shape.radius, 0.07);
    EXPECT_EQ(scene.time.fps, 25);
    const SceneOffers paper = offers_of(text, {"paper", ""});
    ASSERT_EQ(paper.sweep.variants.size(), 2u) << "a preset may change the sweep";
    EXPECT_EQ(paper.sweep.variants[1].name, "fine_fps_30");
    EXPECT_EQ(offers_of(text, {}, {"sweep.values.time.fps=[1, 2, 3]"}).sweep.variants.size(), 6u);
}

TEST(Sweeps, MistakesAreReportedWhereTheyStand) {
    const auto with = [&](const std::string& lines) { return mistakes(kScene + lines); };
    EXPECT_TRUE(contains(with("[sweep]\n"), "s.toml:8:1: error: the sweep has nothing to vary"));
    EXPECT_TRUE(contains(with("[sweep]\ncolums = 3\nvalues.time.fps = [1]\n"),
                         "s.toml:9:1: error: unknown key `sweep.colums`"));
    EXPECT_TRUE(contains(with("[sweep]\nshow = 3\nvalues.time.fps = [1]\n"),
                         "s.toml:9:8: error: sweep.show is 3"));
    EXPECT_TRUE(contains(with("[sweep.values]\ntime.fps = 3\n"),
                         "s.toml:9:12: error: sweep.values.time.fps is 3"));
    EXPECT_TRUE(contains(with("[sweep]\nvalues = 1\n"), "s.toml:9:10: error: sweep.values must"));
    EXPECT_TRUE(contains(with("[[sweep.variant]]\nname = \"a/b\"\n"),
                         "s.toml:9:8: error: \"a/b\" cannot be the name"));
    EXPECT_TRUE(
        contains(with("[[sweep.variant]]\nset = {}\n"), "sweep.variant[0].name is missing"));
    EXPECT_TRUE(contains(with("[[sweep.variant]]\nname = \"a\"\nset = 1\n"),
                         "s.toml:10:7: error: `set` of a variant"));
    EXPECT_TRUE(contains(with("[[sweep.variant]]\nname = \"a\"\n[[sweep.variant]]\nname = \"a\"\n"),
                         "two variants of the sweep are called \"a\""));
    EXPECT_TRUE(contains(mistakes(kScene + "[sweep.values]\ntime.fps = [1, -2]\n", {"", "fps_-2"}),
                         "s.toml:9:16: error: time.fps is -2"));
    EXPECT_TRUE(contains(mistakes(kScene + "[sweep.values]\ntime.fps = [1]\n", {"", "fps_2"}),
                         "It has: fps_1."));
}

}  // namespace
}  // namespace spume

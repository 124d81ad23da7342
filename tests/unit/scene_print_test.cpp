// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "scene_cases.h"
#include "spume/scene/document.h"
#include "spume/scene/parse.h"
#include "spume/scene/print.h"
#include "spume/scene/reference.h"

namespace spume {
namespace {

/// Gives every parameter a random value that its declaration allows.
class Scrambler : public ParamVisitor {
  public:
    explicit Scrambler(std::uint64_t id) : random_(31, id, 0, Purpose::kTest) {}

    void number(const char*, double& value, const NumberSpec& spec) override { value = any(spec); }
    void vector(const char*, Vec<double, 3>& value, const NumberSpec& spec) override {
        for (int i = 0; i < 3; ++i) value[i] = any(spec);
    }
    void integer(const char*, int& value, int min, int max, const char*) override {
        value = static_cast<int>(min + draw() * (static_cast<double>(max) - min));
    }
    void whole(const char*, std::uint64_t& value, const char*) override {
        value = static_cast<std::uint64_t>(draw() * 9.2e18);
    }
    void flag(const char*, bool& value, const char*) override { value = draw() < 0.5; }
    void text(const char*, std::string& value, const char*) override { value = any_text(); }
    void path(const char*, std::string& value, const char*) override {
        value = "/a/" + any_text() + "x";
    }

  protected:
    void choose(const char*, int& chosen,
                const std::vector<std::pair<const char*, const char*>>& words,
                const char*) override {
        chosen = static_cast<int>(draw() * static_cast<double>(words.size()));
    }
    bool enter(const char*, const char*) override { return true; }
    int enter_list(const char*, int, const char*) override { return static_cast<int>(draw() * 4); }
    void enter_item(int) override {}
    void leave() override {}

  private:
    double draw() { return random_.uniform(draws_++); }
    double any(const NumberSpec& spec) {
        // Small and large alike: a random fraction of a random power of the range's end.
        const double sign = spec.min < 0 && draw() < 0.5 ? -1 : 1;
        const double value = sign * spec.max * draw() * std::pow(10.0, -12 * draw());
        return std::max(value, spec.above_min ? std::nextafter(spec.min, spec.max) : spec.min);
    }
    std::string any_text() {
        std::string text;
        for (int n = static_cast<int>(draw() * 8); n > 0; --n)
            text += pieces_[static_cast<std::size_t>(draw() * static_cast<double>(pieces_.size()))];
        return text;
    }

    Random random_;
    std::uint32_t draws_ = 0;
    const std::vector<std::string> pieces_{"a", "\"", "\\", "\n",   "\t",
                                           "'", "#",  "é",  "\x7f", "\x01"};
};

Scene scrambled(std::uint64_t id) {
    Scene scene;
    Scrambler visitor(id);
    describe(scene, visitor);
    for (std::size_t i = 0; i < scene.forces.size(); ++i) scene.forces[i].everywhere = i % 2 == 0;
    scene.bulk.present = id % 2 == 0;
    return scene;
}

std::string flat(const Scene& scene) {
    Scene copy = scene;
    auto body = [&](ParamVisitor& v) { describe(copy, v); };
    return flat_text(body);
}

TEST(ScenePrint, RandomScenesComeBackBitForBit) {
    std::size_t facts = 0;
    for (std::uint64_t id = 0; id < 500; ++id) {
        const Scene scene = scrambled(id);
        const std::string printed = print_scene(scene);
        SceneDocument document(printed, "/a/s.toml");
        Scene back;
        document.fill(back);
        ASSERT_NO_THROW(document.finish()) << printed;
        ASSERT_EQ(flat(back), flat(scene)) << printed;
        ASSERT_EQ(print_scene(back), printed);
        ASSERT_EQ(back.emitters.size(), scene.emitters.size());
        for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
            EXPECT_EQ(back.emitters[i].shape.center, scene.emitters[i].shape.center);
            if (scene.emitters[i].law == RadiusLaw::kFixed) {
                EXPECT_EQ(back.emitters[i].radius, scene.emitters[i].radius);
            }
        }
        EXPECT_EQ(back.physics.viscosity, scene.physics.viscosity);
        EXPECT_EQ(back.seed, scene.seed);
        facts += static_cast<std::size_t>(std::count(printed.begin(), printed.end(), '='));
    }
    EXPECT_GT(facts, 40000u);
}

TEST(ScenePrint, StableTextHoldsWhatDecidesTheFrames) {
    const Scene scene = parse_scene(write_scene(every_key(0)).text, "/a/s.toml");
    Scene other = scene;
    other.title = "renamed";
    other.camera.field_of_view = 60;
    other.time.frames = 1000;
    other.output.checkpoint_every = 1;
    other.output.preview = "none";
    other.solids[2].shape.file = "/elsewhere/bunny.ply";
    other.solids[1].look = SolidLook::kGlass;
    other.solids[0].color = {1, 1, 1};
    EXPECT_EQ(stable_text(other), stable_text(scene));
    other.time.fps = 25;
    other.emitters[1].fraction = 0.25;
    other.solids.resize(2);
    const auto found = differences(stable_text(scene), stable_text(other));
    ASSERT_GE(found.size(), 3u);
    EXPECT_EQ(found[0], "time.fps: was 24, is 25");
    EXPECT_EQ(found[1], "emitter[1].fraction: was 0.2, is 0.25");
    EXPECT_EQ(std::count(found.begin(), found.end(), "solid[2].density: was 800, is gone"), 1);
    EXPECT_TRUE(differences(stable_text(scene), stable_text(scene)).empty());
    EXPECT_EQ(differences("", "a = 1\n"), std::vector<std::string>{"a: was not there, is 1"});
}

TEST(SceneReference, NamesEveryKeyWithItsFacts) {
    const std::string page = scene_reference({}), text = reference_text(scene_params());
    for (const ParamRow& row : scene_params()) {
        if (row.table.empty() &&
            (row.kind == ParamRow::Kind::kSection || row.kind == ParamRow::Kind::kList)) {
            EXPECT_NE(page.find("[" + row.name + "]"), std::string::npos) << row.name;
            continue;
        }
        EXPECT_NE(page.find("`" + row.name + "`"), std::string::npos) << row.name;
        EXPECT_NE(text.find("  " + row.name + " "), std::string::npos) << row.name;
        EXPECT_FALSE(row.help.empty()) << row.name;
        EXPECT_EQ(row.help.back(), '.') << row.name << ": a sentence";
        EXPECT_TRUE(row.kind != ParamRow::Kind::kChoice || row.words.size() >= 2u) << row.name;
        EXPECT_TRUE(row.kind != ParamRow::Kind::kNumber || std::isfinite(row.number.max))
            << row.name;
    }
    EXPECT_NE(
        page.find("| `voxel` | – | m | 1e-6 to 1000 | Edge of a grid cell; or give `divisions`. |"),
        std::string::npos);
    EXPECT_NE(page.find("## `[[emitter]]`"), std::string::npos);
    EXPECT_NE(page.find("## `emitter.shape`"), std::string::npos);
    std::size_t longest = 0, begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        longest = std::max(longest, end - begin);
    EXPECT_LE(longest, 100u);
}

}  // namespace
}  // namespace spume

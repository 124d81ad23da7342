// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/run/session.h"
#include "spume/scene/parse.h"
#include "spume/scene/print.h"

namespace spume {
namespace {

std::string read_text(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

TEST(BundledScenes, AreRightAndSayWhatToLookFor) {
    int scenes = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(SPUME_SOURCE) + "/scenes")) {
        if (entry.path().extension() != ".toml") continue;
        ++scenes;
        const std::string text = read_text(entry.path());
        MethodParams params;
        const MethodReader reader = [&](Scene& scene, SceneDocument& document) {
            params = read_method(scene, document);
        };
        try {
            const Scene scene = parse_scene(text, entry.path().string(), {}, reader);
            EXPECT_TRUE(!scene.emitters.empty() || !scene.liquids.empty() || scene.bulk.present)
                << entry.path();
            EXPECT_FALSE(scene.title.empty()) << entry.path();
            const std::string section = print_section(scene.method.c_str(), params);
            const std::string printed = print_scene(scene) + "\n" + section;
            EXPECT_EQ(print_scene(parse_scene(printed, entry.path().string(), {}, reader)),
                      print_scene(scene));
        } catch (const UserError& e) {
            ADD_FAILURE() << e.what();
        }
        EXPECT_EQ(text.rfind("# ", 0), 0u) << entry.path() << " begins with what it is";
        EXPECT_NE(text.find("# Look for: "), std::string::npos) << entry.path();
    }
    EXPECT_GE(scenes, 5);
}

TEST(BundledScenes, OfferALowAndAPaperSettingAndEveryVariantIsRight) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(SPUME_SOURCE) + "/scenes")) {
        if (entry.path().extension() != ".toml") continue;
        const std::string text = read_text(entry.path()), file = entry.path().string();
        const auto read = [&](const SceneSelection& selection) {
            SceneOffers offers;
            const MethodReader reader = [](Scene& scene, SceneDocument& document) {
                read_method(scene, document);
            };
            EXPECT_NO_THROW(parse_scene(text, file, {}, reader, selection, &offers)) << file;
            return offers;
        };
        const std::vector<std::string> presets = read({}).presets;
        const std::string name_of_file = entry.path().filename().string();
        const auto is = [&](const char* start) { return name_of_file.starts_with(start); };
        if (is("wsb25") || is("gb17") || is("dam_break") || is("bottle_glug")) {
            for (const char* name : {"low", "paper"})
                EXPECT_EQ(std::count(presets.begin(), presets.end(), name), 1) << file << name;
        }
        for (const std::string& preset : presets)
            for (const SweepVariant& variant : read({preset, ""}).sweep.variants)
                read({preset, variant.name});
    }
}

TEST(BundledScenes, TheSingleBubbleFillsTheFacesAsThePaperSays) {
    const std::string file = std::string(SPUME_SOURCE) + "/scenes/wfs22_fig7.toml";
    const Scene scene = parse_scene(read_text(file), file);
    const double h = scene.voxel(), r = scene.emitters.at(0).radius;
    // Trilinear weight of a face next to the middle of a cell: one half.
    EXPECT_NEAR(0.5 * 4 * M_PI / 3 * r * r * r / (h * h * h), 0.9, 1e-3);
    for (int a = 0; a < 3; ++a) {
        const double cells = (scene.emitters[0].shape.center[a] - scene.domain.lower[a]) / h;
        EXPECT_NEAR(cells - std::floor(cells), 0.5, 1e-9);
    }
}

}  // namespace
}  // namespace spume

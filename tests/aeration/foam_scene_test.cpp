// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "faults/memory_file_system.h"
#include "spume/core/error.h"
#include "spume/run/job_scene.h"

namespace spume {
namespace {

/// What is said of a scene with a patch of foam, or nothing.
std::string mistakes(const std::string& foam, const std::string& radii) {
    const std::string text =
        "version = 1\nmethod = \"guided\"\n[domain]\nlower = [0, 0, 0]\n"
        "upper = [1, 1, 1]\nvoxel = 0.05\n[bulk]\nkind = \"still\"\n"
        "level = 0.5\n[foam]\n" +
        foam +
        "[[foam.patch]]\nshape = { kind = \"box\", center = [0.5, 0.5, 0.5], "
        "size = [0.4, 0.4, 0.4] }\n" +
        radii;
    test::MemoryFileSystem files;
    SceneRequest request;
    request.file = "s.toml";
    try {
        load_scene_text(files, text, request);
    } catch (const UserError& e) {
        return e.what();
    }
    return "";
}

TEST(FoamScene, NamesWhatFoamCannotHold) {
    const std::string some = "radius_min = 0.003\nradius_max = 0.004\n";
    EXPECT_EQ(mistakes("", some), "");
    const auto says = [](const std::string& words, const std::string& place,
                         const std::string& what, const std::string& remedy) {
        EXPECT_NE(words.find(place), std::string::npos) << words;
        EXPECT_NE(words.find(what), std::string::npos) << words;
        EXPECT_NE(words.find(remedy), std::string::npos) << words;
    };
    says(mistakes("", "radius_min = 0.003\nradius_max = 0.5\n"), "s.toml:14:14",
         "more than 1 : 100", "raise the smallest radius");
    says(mistakes("viscosity = 100\n", some), "s.toml:11:13", "steps a frame", "implicit");
    EXPECT_EQ(mistakes("viscosity = 100\nintegration = \"implicit\"\n", some), "");
    says(mistakes("cohesion = 1e4\nstiffness = 1e-9\nviscosity = 0\n",
                  "radius_min = 1e-6\nradius_max = 1e-6\n"),
         "s.toml:11:12", "foam.cohesion = 1e+04 needs", "lower foam.cohesion");
    says(mistakes("density = 0\n", some), "s.toml:11", "out of range", "above 0");
    says(mistakes("life_mean = 0\n", some), "s.toml:11", "out of range", "above 0");
}

}  // namespace
}  // namespace spume

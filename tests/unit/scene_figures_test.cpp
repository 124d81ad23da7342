// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "spume/methods/constraint/params.h"
#include "spume/methods/mixture/params.h"
#include "spume/run/session.h"
#include "spume/scene/parse.h"

// Values that the figures' papers print: a scene that loses one of them shows something else.

namespace spume {
namespace {

struct Figure {
    Scene scene;
    MethodParams params;
    SceneOffers offers;
};

Figure figure(const std::string& name, const SceneSelection& selection = {}) {
    const std::string file = std::string(SPUME_SOURCE) + "/scenes/" + name + ".toml";
    std::ifstream in(file);
    EXPECT_TRUE(in.good()) << file;
    std::stringstream text;
    text << in.rdbuf();
    Figure f;
    const MethodReader reader = [&](Scene& scene, SceneDocument& document) {
        f.params = read_method(scene, document);
    };
    f.scene = parse_scene(text.str(), file, {}, reader, selection, &f.offers);
    return f;
}

std::vector<double> tensions(const std::string& name, const std::string& preset) {
    std::vector<double> r;
    for (const SweepVariant& v : figure(name, {preset, ""}).offers.sweep.variants)
        r.push_back(figure(name, {preset, v.name}).scene.physics.surface_tension);
    return r;
}

// Figure 15 is the barrel of Figure 3 beside a twin with sharp fractions and no drag.
TEST(FigureScenes, TwinsOfTheBarrel) {
    const std::string name = "wsb25_fig15_barrel_comparison";
    const Figure barrel = figure("wsb25_fig3_barrel_timelapse"), twins = figure(name);
    EXPECT_EQ(twins.scene.physics.surface_tension, barrel.scene.physics.surface_tension);
    EXPECT_EQ(twins.scene.time.fps, barrel.scene.time.fps);
    EXPECT_EQ(twins.scene.voxel(), barrel.scene.voxel());
    EXPECT_EQ(twins.offers.sweep.variants.size(), 2u);
}

// The upper holes end at 0.3 m and the left side is filled to 0.8: levels of 0.5 and 0.3 m, not the
// same as with a free surface.
TEST(FigureScenes, HolesLeaveUnequalLevels) {
    const Figure f = figure("gb17_fig4_wall_with_holes");
    double lintel = 0;
    for (const Solid& solid : f.scene.solids)
        if (solid.name == "wall, top") lintel = solid.shape.center[1] - solid.shape.size[1] / 2;
    const LiquidBody& left = f.scene.liquids.at(0);
    EXPECT_NEAR(lintel, 0.3, 1e-12);
    EXPECT_NEAR(left.shape.center[1] + left.shape.size[1] / 2, 0.8, 1e-12);
}

TEST(FigureScenes, SurfaceTensionsOfTable2) {
    const std::pair<const char*, double> table[] = {
        {"wsb25_fig1_barrel", 0.5},
        {"wsb25_fig2_bubble_sand", 0},
        {"wsb25_fig3_barrel_timelapse", 0.072},
        {"wsb25_fig7_bubble_sizes", 0.0072},
        {"wsb25_fig10_ablation", 0.0072},
    };
    for (const auto& [name, sigma] : table)
        for (const char* preset : {"", "low", "paper"})
            EXPECT_DOUBLE_EQ(figure(name, {preset, ""}).scene.physics.surface_tension, sigma)
                << name << " " << preset;
    const std::vector<double> nine = tensions("wsb25_fig9_surface_tension_sweep", "paper");
    ASSERT_EQ(nine.size(), 12u);
    for (std::size_t i = 0; i < nine.size(); ++i) EXPECT_NEAR(nine[i], 0.001 * double(i), 1e-12);
}

TEST(FigureScenes, VoxelsOfTable2) {
    const std::pair<const char*, double> table[] = {
        {"wsb25_fig1_barrel", 0.01},
        {"wsb25_fig2_bubble_sand", 0.01},
        {"wsb25_fig3_barrel_timelapse", 0.01},
        {"wsb25_fig7_bubble_sizes", 0.00125},
        {"wsb25_fig9_surface_tension_sweep", 0.00125},
        {"wsb25_fig14_particle_size", 0.001},
    };
    for (const auto& [name, voxel] : table)
        EXPECT_NEAR(figure(name, {"paper", ""}).scene.voxel(), voxel, 1e-12) << name;
}

TEST(FigureScenes, RadiiOfFigure7) {
    const std::string name = "wsb25_fig7_bubble_sizes";
    const auto variants = figure(name, {"paper", ""}).offers.sweep.variants;
    ASSERT_EQ(variants.size(), 21u);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const Scene scene = figure(name, {"paper", variants[i].name}).scene;
        EXPECT_NEAR(scene.emitters.at(0).shape.radius, 1e-3 * double(3 + i), 1e-12);
    }
}

TEST(FigureScenes, DensitiesOfBubblesAndSand) {
    const Scene scene = figure("wsb25_fig2_bubble_sand", {"paper", ""}).scene;
    EXPECT_EQ(scene.physics.air_density, 1);
    EXPECT_EQ(scene.physics.water_density, 1000);
    ASSERT_EQ(scene.emitters.size(), 2u);
    EXPECT_EQ(scene.emitters[0].density, 1500);
    EXPECT_EQ(scene.emitters[1].density, 0);  // the scene's air
    for (const Emitter& e : scene.emitters) {
        EXPECT_NEAR(e.radius_min, 0.5e-3, 1e-12);
        EXPECT_NEAR(e.radius_max, 5e-3, 1e-12);
    }
    for (const char* name : {"wsb25_fig1_barrel", "wsb25_fig3_barrel_timelapse",
                             "wsb25_fig7_bubble_sizes", "wsb25_fig9_surface_tension_sweep"}) {
        const Physics physics = figure(name).scene.physics;
        EXPECT_NEAR(physics.water_density / physics.air_density, 10, 1e-12) << name;
    }
}

mixture::Params mixture_of(const std::string& name, const std::string& variant) {
    return figure(name, {"", variant}).params.as<mixture::Params>();
}

TEST(FigureScenes, VariantsOfTheAblation) {
    const std::string name = "wsb25_fig10_ablation";
    ASSERT_EQ(figure(name).offers.sweep.variants.size(), 3u);
    const auto whole = mixture_of(name, "whole"), no_filter = mixture_of(name, "no_filter"),
               no_faces = mixture_of(name, "no_faces");
    EXPECT_TRUE(whole.fraction_filter && whole.tension_on_faces);
    EXPECT_TRUE(!no_filter.fraction_filter && no_filter.tension_on_faces);
    EXPECT_TRUE(no_faces.fraction_filter && !no_faces.tension_on_faces);
}

TEST(FigureScenes, VariantsOfTheCube) {
    const std::string name = "wsb25_fig4_cube_oscillation";
    EXPECT_EQ(mixture_of(name, "trilinear").basis, mixture::Basis::kTrilinear);
    EXPECT_EQ(mixture_of(name, "power").basis, mixture::Basis::kPower);
    EXPECT_FALSE(mixture_of(name, "trilinear").binary_fraction);
    EXPECT_TRUE(mixture_of(name, "sharp").binary_fraction);
    EXPECT_EQ(mixture_of(name, "sharp").drag, 0);
    const Physics physics = figure(name).scene.physics;
    EXPECT_EQ(physics.air_density, physics.water_density);
}

TEST(FigureScenes, VariantsOfTheParticleSize) {
    const std::string name = "wsb25_fig14_particle_size";
    ASSERT_EQ(figure(name).offers.sweep.variants.size(), 6u);
    for (const std::string kind : {"markers", "shares", "power"})
        for (const bool tension : {false, true}) {
            const Figure f = figure(name, {"", kind + (tension ? "" : "_0")});
            EXPECT_EQ(f.scene.physics.surface_tension, tension ? 0.072 : 0);
            EXPECT_EQ(f.scene.emitters.at(0).law,
                      kind == "markers" ? RadiusLaw::kMarker : RadiusLaw::kCellShare);
            EXPECT_EQ(f.params.as<mixture::Params>().basis,
                      kind == "power" ? mixture::Basis::kPower : mixture::Basis::kTrilinear);
        }
}

TEST(FigureScenes, GridsOfTheConstraintPaper) {
    const std::pair<const char*, Vec<double, 3>> table[] = {
        {"gb17_fig1_water_cooler", {128, 256, 128}},
        {"gb17_fig2_rising_inviscid", {128, 256, 128}},
        {"gb17_fig2_rising_viscous", {128, 256, 128}},
        {"gb17_fig4_wall_with_holes", {128, 128, 128}},
        {"gb17_fig5_moving_boundary", {150, 150, 150}},
        {"gb17_fig6_surface_tension", {200, 200, 200}},
    };
    for (const auto& [name, cells] : table) {
        const Vec<double, 3> found = figure(name, {"paper", ""}).scene.cells();
        for (int a = 0; a < 3; ++a) EXPECT_EQ(found[a], cells[a]) << name << " axis " << a;
    }
}

TEST(FigureScenes, EveryFigureOfTheConstraintPaperHasItsTwinWithoutBubbles) {
    for (const std::string name :
         {"gb17_fig1_water_cooler", "gb17_fig2_rising_inviscid", "gb17_fig2_rising_viscous",
          "gb17_fig4_wall_with_holes", "gb17_fig5_moving_boundary", "gb17_fig6_surface_tension"}) {
        int constrained = 0, off = 0;
        for (const SweepVariant& v : figure(name).offers.sweep.variants) {
            const auto params = figure(name, {"", v.name}).params.as<constraint::Params>();
            if (params.bubbles == constraint::BubbleMode::kConstrained) ++constrained;
            if (params.bubbles == constraint::BubbleMode::kOff) ++off;
        }
        EXPECT_GE(constrained, 1) << name;
        EXPECT_EQ(off, 1) << name;
    }
}

}  // namespace
}  // namespace spume

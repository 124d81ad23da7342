// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "scene_cases.h"
#include "spume/core/error.h"
#include "spume/scene/check.h"
#include "spume/scene/parse.h"
#include "spume/scene/print.h"
#include "spume/scene/shape_bounds.h"

namespace spume {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
constexpr double kPatience = 10;  // builds with sanitizers
#else
constexpr double kPatience = 1;
#endif

std::string messages(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        parse_scene(text, "s.toml", overrides);
        return {};
    } catch (const UserError& e) {
        return e.what();
    }
}

bool contains(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

TEST(SceneParse, TheDefaultSceneIsWhatItSays) {
    const std::string file = std::string(SPUME_SOURCE) + "/scenes/bubble_column.toml";
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    const Scene scene = parse_scene(text.str(), file);
    EXPECT_EQ(scene.method, "mixture");
    EXPECT_EQ(scene.time.frames, 48);
    EXPECT_EQ(product(scene.cells()), 32.0 * 64 * 32);
    ASSERT_EQ(scene.emitters.size(), 1u);
    EXPECT_EQ(scene.emitters[0].law, RadiusLaw::kInverseCubic);
    EXPECT_EQ(scene.emitters[0].radius_min, 0.0005);
    EXPECT_EQ(scene.emitters[0].radius_max, 0.005);
    EXPECT_EQ(scene.physics.surface_tension, 0.072);
    EXPECT_FALSE(scene.camera.automatic);
}

TEST(SceneParse, AnEmptySceneIsTheDefaults) {
    EXPECT_EQ(print_scene(parse_scene("", "s.toml")), print_scene(Scene{}));
}

TEST(SceneParse, EveryKeyReachesItsMember) {
    const Scene s = parse_scene(write_scene(every_key(1)).text, "/scenes/s.toml");
    EXPECT_TRUE(s.bulk.present);
    EXPECT_EQ(s.bulk.flow, BulkFlow::kStream);
    EXPECT_EQ(s.bulk.voxel, 0.025);
    EXPECT_EQ(s.bulk.acceleration[0], 0.5);
    const Scene cached = parse_scene(write_scene(every_key(0)).text, "/scenes/s.toml");
    EXPECT_EQ(cached.bulk.path, "/scenes/dam_break");
    EXPECT_EQ(cached.bulk.start, 101);
    EXPECT_EQ(cached.bulk.wait, 300);
    EXPECT_EQ(cached.bulk.sides, BulkSide::kWall);
    EXPECT_FALSE(parse_scene("", "s.toml").bulk.present);
    EXPECT_EQ(cached.emission.mask, "foam");
    EXPECT_TRUE(s.emission.on);
    EXPECT_FALSE(parse_scene("", "s.toml").emission.on);
    EXPECT_EQ(s.aeration.a_max, 50);
    EXPECT_EQ(s.aeration.tau, 0.04);
    EXPECT_EQ(s.aeration.curvature, CurvatureSign::kBoth);
    EXPECT_EQ(s.emission.distribution, SizeLaw::kTwoSlope);
    EXPECT_EQ(s.emission.split_radius, 0.0012);
    EXPECT_EQ(s.emission.air_rate, 0.001);
    EXPECT_EQ(s.emission.regions.size(), 8u);
    EXPECT_EQ(s.emission.regions[0].strength, 2);
    EXPECT_EQ(s.emission.kills[1].shape.radius, 0.2);
    EXPECT_TRUE(s.output.aeration && s.output.source);
    EXPECT_EQ(s.seed, 7u);
    EXPECT_EQ(s.domain.voxel, 0.05);
    EXPECT_EQ(s.domain.lower, (Vec<double, 3>{-1, 0, -1}));
    EXPECT_EQ(s.domain.sides, Border::kWall);
    EXPECT_EQ(s.domain.top, Border::kOpen);
    EXPECT_EQ(s.physics.water_density, 1000);
    EXPECT_EQ(s.physics.viscosity, 0.001);
    ASSERT_EQ(s.solids.size(), 9u);
    EXPECT_TRUE(s.solids[0].shape.open_top);
    EXPECT_EQ(s.solids[0].shape.rotation[1], 28.6478897565411604384);  // half a radian in degrees
    EXPECT_EQ(s.solids[1].motion, Motion::kKeyed);
    ASSERT_EQ(s.solids[1].keys.size(), 2u);
    EXPECT_EQ(s.solids[1].keys[1].time, 0.5);
    EXPECT_EQ(s.solids[1].keys[0].rotation[2], 90);
    EXPECT_EQ(s.solids[2].shape.file, "/scenes/bunny.ply");
    EXPECT_EQ(s.solids[2].density, 800);
    EXPECT_EQ(s.solids[8].shape.file, "/scenes/flag.$F4.ply");
    EXPECT_EQ(s.solids[8].shape.fps, 30);
    EXPECT_EQ(s.solids[8].shape.start, 0.5);
    EXPECT_TRUE(s.solids[8].shape.repeat);
    ASSERT_EQ(s.emitters.size(), 10u);
    EXPECT_EQ(s.emitters[0].rate, 0.0001);
    ASSERT_EQ(s.emitters[4].pulse.size(), 2u);
    EXPECT_EQ(s.emitters[4].pulse[1].time, 0.5);
    EXPECT_EQ(s.emitters[4].pulse[1].strength, 1);
    EXPECT_EQ(s.emitters[0].burst, 0.1);
    EXPECT_EQ(s.emitters[1].fraction, 0.2);
    EXPECT_EQ(s.emitters[2].spacing, 0.01);
    EXPECT_EQ(s.emitters[3].count, 100);
    ASSERT_EQ(s.forces.size(), 8u);
    EXPECT_FALSE(s.forces[0].everywhere);
    EXPECT_EQ(s.forces[1].kind, ForceKind::kSwirl);
    EXPECT_EQ(s.forces[1].strength, 3);
    EXPECT_EQ(s.camera.field_of_view, 35);
    EXPECT_TRUE(s.output.half);
    EXPECT_EQ(s.output.preview, "all");
}

TEST(SceneParse, UnitsDoNotChangeTheScene) {
    const char* metres =
        "[domain]\nlower = [-0.3, 0, -0.3]\nupper = [0.3, 0.7, 0.3]\nvoxel = 0.007\n"
        "[[emitter]]\nshape = { kind = \"sphere\", radius = 0.013 }\nrate = 0.00015\nstart = "
        "0.35\nradius = 0.0011\n";
    const char* mixed =
        "[domain]\nlower = [\"-30 cm\", 0, \"-300 mm\"]\nupper = [\"300 mm\", \"70 cm\", "
        "0.3]\nvoxel = \"7 mm\"\n"
        "[[emitter]]\nshape.kind = \"sphere\"\nshape.radius = \"1.3 cm\"\nrate = \"150 "
        "ml/s\"\nstart = \"350 ms\"\nradius = \"1100 um\"\n";
    EXPECT_EQ(print_scene(parse_scene(metres, "s.toml")),
              print_scene(parse_scene(mixed, "s.toml")));
}

TEST(SceneParse, FlatScenesTakeTwoComponentsAndAreas) {
    const Scene s = parse_scene(
        "[domain]\ndimensions = 2\nlower = [-1, 0]\nupper = [1, 2, 7]\ndivisions = 100\n"
        "[[emitter]]\nshape = { kind = \"box\", center = [0, 1], size = [0.5, 0.1], rotation = [0, "
        "0, 30] }\n"
        "rate = \"1 cm^2/s\"\n",
        "s.toml");
    EXPECT_EQ(s.domain.upper[1], 2);
    EXPECT_EQ(s.voxel(), 0.02);
    EXPECT_EQ(s.cells(), (Vec<double, 3>{100, 100, 1}));
    EXPECT_EQ(s.emitters[0].rate, 1e-4);
    EXPECT_EQ(s.emitters[0].shape.rotation[2], 30);
    EXPECT_TRUE(
        contains(messages("[domain]\nlower = [0, 1]"),
                 "s.toml:2:9: error: domain.lower is an array of 2, but must be 3 numbers"));
    EXPECT_TRUE(contains(
        messages("[domain]\ndimensions = 2\n[[solid]]\nshape.kind = \"mesh\"\nshape.file = \"x\""),
        "mesh in a 2D scene"));
}

TEST(SceneParse, OverridesReadLikeTheSceneItself) {
    const std::string text = write_scene(every_key(0)).text;
    const Scene s =
        parse_scene(text, "/a/s.toml",
                    {"time.frames=9", "physics.viscosity=2 mPa*s", "emitter.jet.rate=\"1 l/s\"",
                     "emitter.1.fraction=0.5", "solid[0].shape.center=[1, 0.5, 0]",
                     "title=two words", "output.vdb=false", "method=mixture"});
    EXPECT_EQ(s.time.frames, 9);
    EXPECT_EQ(s.physics.viscosity, 0.002);
    EXPECT_EQ(s.emitters[0].rate, 0.001);
    EXPECT_EQ(s.emitters[1].fraction, 0.5);
    EXPECT_EQ(s.solids[0].shape.center[0], 1);
    EXPECT_EQ(s.title, "two words");
    EXPECT_FALSE(s.output.vdb);
    EXPECT_EQ(parse_scene("", "s.toml", {"domain.voxel=1 cm", "seed=5"}).domain.voxel, 0.01);
    const Scene moved = parse_scene(text, "/a/s.toml", {"solid.2.shape.file=b.ply"});
    EXPECT_EQ(moved.solids[2].shape.file, (std::filesystem::current_path() / "b.ply").string());

    EXPECT_TRUE(
        contains(messages("", {"time.frmes=9"}),
                 "--set time.frmes=9: error: unknown key `time.frmes`\n  Did you mean `frames`?"));
    EXPECT_TRUE(
        contains(messages("", {"time.frames=9.5"}),
                 "--set time.frames=9.5: error: time.frames is 9.5, but must be a whole number"));
    EXPECT_TRUE(
        contains(messages("", {"frames"}), "--set frames: error: this is not section.key=value"));
    EXPECT_TRUE(contains(messages("", {"=3"}), "this is not section.key=value"));
    EXPECT_TRUE(contains(messages(text, {"emitter.99.rate=1"}), "the scene has no emitter.99"));
    EXPECT_TRUE(contains(messages(text, {"emitter.rate=1"}), "emitter is a list"));
    EXPECT_TRUE(contains(messages(text, {"time.fps.x=1"}), "the scene has no time.fps"));
}

struct Method {
    double band = 3;
    int iterations = 4;
};
void describe(Method& m, ParamVisitor& v) {
    v.number("band", m.band, {"m", 0, 10, true, "Width."});
    v.integer("iterations", m.iterations, 1, 9, "How many.");
}

TEST(SceneParse, TheMethodReadsItsOwnSection) {
    Method method;
    const MethodReader reader = [&](const Scene& scene, SceneDocument& document) {
        if (scene.method != "test")
            return complain_unknown_method(scene, {"test", "other"}, document);
        document.fill("test", method);
    };
    parse_scene("method = \"test\"\n[test]\nband = \"20 cm\"\n", "s.toml", {"test.iterations=7"},
                reader);
    EXPECT_EQ(method.band, 0.2);
    EXPECT_EQ(method.iterations, 7);
    EXPECT_EQ(print_section("test", method), "[test]\nband = 0.2\niterations = 7\n");
    auto failing = [&](const char* text) {
        try {
            parse_scene(text, "s.toml", {}, reader);
            return std::string();
        } catch (const UserError& e) {
            return std::string(e.what());
        }
    };
    const std::string both =
        failing("method = \"test\"\n[tme]\n[test]\nbnd = 3\niterations = 10\n");
    EXPECT_TRUE(contains(both, "s.toml:2:2: error: unknown section `tme`\n  Did you mean `time`?"));
    EXPECT_TRUE(
        contains(both, "s.toml:4:1: error: unknown key `test.bnd`\n  Did you mean `band`?"));
    EXPECT_TRUE(contains(
        both,
        "s.toml:5:14: error: test.iterations is 10, out of range\n  It must be from 1 to 9."));
    EXPECT_TRUE(
        contains(failing("method = \"tset\""),
                 "s.toml:1:10: error: there is no method \"tset\"\n  Did you mean \"test\"?"));
}

TEST(SceneParse, ValuesThatCannotGoTogether) {
    const std::string emitter =
        "[[emitter]]\nrate = 1e-4\nshape.kind = \"sphere\"\nshape.radius = 0.1\n";
    const std::string seed =
        "[[emitter]]\nmode = \"seed\"\nshape.kind = \"sphere\"\nshape.radius = 0.1\n";
    struct {
        std::string text;
        int line, column;
        const char* words;
    } cases[] = {
        {"[domain]\nlower = [0, 0, 0]\nupper = [1, -1, 1]", 3, 9,
         "domain.upper y = -1 is not above domain.lower y = 0"},
        {"[domain]\nupper = [-0.5, 1, 1]", 2, 9, "is not above"},
        {"[domain]\nlower = [-10000, 0, 0]\nupper = [10000, 20000, 20000]\nvoxel = \"1 um\"", 4, 9,
         "too small for a domain"},
        {"[domain]\ndense = true\nvoxel = 1e-5", 3, 9,
         "100000 x 100000 x 100000 cells are 1e+15, for about 300 PB of memory"},
        {"[domain]\ndense = true\ndivisions = 65536", 3, 13, "of memory"},
        {"[domain]\nvoxel = 0.1\ndivisions = 3", 3, 1,
         "domain.divisions has no effect when voxel is given"},
        {emitter + "start = 2\nstop = 1", 6, 8, "stop = 1 s is not after start = 2 s"},
        {emitter + "period = 1\nburst = 2", 6, 9, "longer than its period"},
        {emitter + "burst = 2", 5, 1, "no effect when period is not given"},
        {emitter + "radius_law = \"inverse_cubic\"\nradius_min = 0.02\nradius_max = 0.01", 6, 14,
         "above radius_max"},
        {emitter + "radius_min = 0.02", 5, 1, "no effect when radius_law is not \"inverse_cubic\""},
        {emitter + "radius = 1e-7\n", 1, 1, "bubbles a second, for"},
        {emitter + "fraction = 0.5", 5, 1, "no effect when mode is \"rate\""},
        {seed + "spacing = 0.001\nradius = 0.01", 5, 11, "too close"},
        {seed + "count = 5\nspacing = 0.1", 5, 1, "no effect when spacing is given"},
        {seed + "start = -1", 5, 9, "before the first frame"},
        {seed + "stop = 1", 5, 1, "no effect when mode is \"seed\""},
        {seed + "rate = 1", 5, 1, "no effect when mode is \"seed\""},
        {seed + "fraction = 0.1\nradius = 1e-6", 1, 1, "bubbles, for"},
        {seed + "fraction = 0.1\ncount = 3", 5, 1, "no effect when spacing or count is given"},
        {seed + "shape.shell = 0.2", 5, 15, "thicker than the body"},
        {seed + "shape.open_top = true", 5, 7, "kind is none of"},
        {seed + "shape.size = [1, 1, 1]", 5, 7, "no effect when kind is not \"box\""},
        {"[[emitter]]\nrate = 1e-4", 1, 1, "emitter[0].shape is missing"},
        {"[[solid]]\nshape = { kind = \"box\", size = [1, 1, 1] }\nkeys = [{ time = 0 }]", 3, 1,
         "no effect when motion is not \"keyed\""},
        {"[[solid]]\nmotion = \"keyed\"\nshape = { size = [1, 1, 1] }\nkeys = [{ time = 1 }, { "
         "time = 1 }]",
         4, 32, "Sort the keys"},
        {"[[force]]\nacceleration = [0, 1, 0]\nstart = 1\nstop = 1", 4, 8, "not after start"},
        {"[[force]]\nkind = \"swirl\"\nstrength = 1\nacceleration = [0, 1, 0]", 4, 1, "no effect"},
        {"[camera]\nposition = [0, 0, 0]\ntarget = [0, 0, 0]", 3, 10, "where the camera itself is"},
        {"[camera]\nautomatic = true\nposition = [0, 0, 0]", 3, 1,
         "no effect when automatic is true"},
    };
    for (const auto& c : cases) {
        try {
            parse_scene(c.text, "s.toml");
            ADD_FAILURE() << c.text;
        } catch (const UserError& e) {
            ASSERT_EQ(e.complaints().size(), 1u) << c.text << "\n" << e.what();
            const Complaint& found = e.complaints()[0];
            EXPECT_TRUE(contains(found.message + found.remedy, c.words)) << c.text << "\n"
                                                                         << e.what();
            EXPECT_EQ(found.place.line, c.line) << c.text << "\n" << e.what();
            EXPECT_EQ(found.place.column, c.column) << c.text << "\n" << e.what();
        }
    }
}

TEST(SceneParse, EmitterOutsideTheDomainAtItsShape) {
    const std::string text =
        "[[emitter]]\nrate = 1e-4\nshape = { kind = \"sphere\", radius = 0.1, center = [0, 5, 0] }";
    EXPECT_TRUE(contains(messages(text),
                         "s.toml:3:9: error: emitter[0] is outside the domain: it spans 4.9 … 5.1 "
                         "m along y, the domain 0 … 1 m"));
    // Turned by 45 degrees the rod just reaches in: half of 2 m / √2 from the corner.
    const std::string rod =
        "[[emitter]]\nrate = 1e-4\nshape = { kind = \"box\", size = [2, 0.001, 0.001], center = "
        "[1.2, 0.5, 0], rotation = [0, 0, ";
    EXPECT_EQ(messages(rod + "44] }"), "");
    EXPECT_TRUE(contains(messages(rod + "46] }"), "outside the domain"));
}

TEST(SceneParse, CommonSlipsAreUnderstood) {
    EXPECT_TRUE(contains(messages("[emitter]\nrate = 1"),
                         "s.toml:1:1: error: emitter must be a list\n  Write [[emitter]]"));
    EXPECT_TRUE(
        contains(messages("domain = 3"),
                 "s.toml:1:10: error: domain is 3, but must be a section\n  Write [domain]"));
    EXPECT_TRUE(contains(messages("emitter = [1]"),
                         "s.toml:1:12: error: an item of emitter is 1, but must be a table"));
    EXPECT_TRUE(contains(messages("[[time]]\nfps = 3"), "time is an array, but must be a section"));
    EXPECT_TRUE(contains(messages("frames = 3"), "`frames` belongs in [time]"));
    EXPECT_TRUE(contains(messages("[time]\nmethod = \"mixture\""), "`method` belongs at the top"));
    EXPECT_TRUE(contains(messages("[[solid]]\nshape = { kind = \"sphere\" }"),
                         "s.toml:2:9: error: solid[0].shape.radius is missing"));
    EXPECT_TRUE(contains(messages("[[solid]]\nradius = 1\nshape = {kind = \"sphere\", radius = 1}"),
                         "unknown key `solid[0].radius`"));
}

TEST(SceneParse, HostileScenesCostAMoment) {
    std::string items, unknown,
        keys = "[[solid]]\nmotion = \"keyed\"\nshape = { size = [1, 1, 1] }\n";
    for (int i = 0; i < 90000; ++i) items += "[[emitter]]\n";
    for (int i = 0; i < 150000; ++i) unknown += "framez" + std::to_string(i) + " = 1\n";
    for (int i = 0; i < 90000; ++i) keys += "[[solid.keys]]\ntime = " + std::to_string(i) + "\n";
    for (const std::string* text : {&items, &unknown, &keys}) {
        const std::clock_t start = std::clock();
        EXPECT_EQ(messages(*text).empty(), text == &keys) << messages(*text).substr(0, 200);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        EXPECT_LT(seconds, 5.0 * kPatience) << text->substr(0, 30);
    }
    std::string many;
    for (int i = 0; i < 100001; ++i) many += "[[emitter]]\n";
    EXPECT_TRUE(contains(messages(many), "emitter has 100001 items, more than 100000"));
}

TEST(SceneCheck, MemoryIsNamedBeforeItIsTaken) {
    Scene scene;
    scene.domain.divisions = 1000;
    EXPECT_EQ(memory_problem(scene, 100, 1e12), "");
    EXPECT_EQ(memory_problem(scene, 100, 16e9),
              "1000 x 1000 x 1000 cells of 0.001 m need about 100 GB of memory, more than the 16 "
              "GB allowed");
    EXPECT_EQ(bytes_text(999), "999 bytes");
    EXPECT_EQ(bytes_text(1.5e6), "1.5 MB");
}

TEST(SceneCheck, BoundsOfTurnedShapes) {
    // Against the corners, or points of the rim, carried through the three turns one by one.
    for (std::uint64_t i = 0; i < 300; ++i) {
        const Random random(8, i, 0, Purpose::kTest);
        Shape s;
        s.kind = i % 2 == 0 ? ShapeKind::kBox : ShapeKind::kCylinder;
        for (int a = 0; a < 3; ++a) {
            s.center[a] = random.uniform(static_cast<std::uint32_t>(a)) - 0.5;
            s.size[a] = random.uniform(static_cast<std::uint32_t>(a + 3));
            s.rotation[a] = 720 * random.uniform(static_cast<std::uint32_t>(a + 6)) - 360;
        }
        s.radius = random.uniform(10);
        s.height = random.uniform(11);
        Vec<double, 3> lo = Vec<double, 3>::filled(1e9), hi = Vec<double, 3>::filled(-1e9);
        const int rim = s.kind == ShapeKind::kBox ? 4 : 4000;
        for (int end = 0; end < 2; ++end)
            for (int k = 0; k < rim; ++k) {
                const double turn = 2 * M_PI * k / rim;
                Vec<double, 3> p{s.radius * std::cos(turn), (end - 0.5) * s.height,
                                 s.radius * std::sin(turn)};
                if (rim == 4)
                    p = {(k & 1 ? 0.5 : -0.5) * s.size[0], (end - 0.5) * s.size[1],
                         (k & 2 ? 0.5 : -0.5) * s.size[2]};
                for (int axis = 0; axis < 3; ++axis) {
                    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
                    const double angle = s.rotation[axis] * M_PI / 180, q = p[b];
                    p[b] = std::cos(angle) * q - std::sin(angle) * p[c];
                    p[c] = std::sin(angle) * q + std::cos(angle) * p[c];
                }
                lo = min(lo, p + s.center);
                hi = max(hi, p + s.center);
            }
        const auto box = shape_bounds(s);
        for (int a = 0; a < 3; ++a) {
            EXPECT_NEAR(box.lo[a], lo[a], 2e-6);
            EXPECT_NEAR(box.hi[a], hi[a], 2e-6);
        }
    }
}

}  // namespace
}  // namespace spume

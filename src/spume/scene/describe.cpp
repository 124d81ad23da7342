// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/deforming_shape.h"
#include "spume/scene/describe_parts.h"

namespace spume {

void describe(KeyFrame& k, ParamVisitor& v) {
    v.number("time", k.time, moment("When, counted from the first frame."));
    v.vector("position", k.position, place("Offset from the shape's centre."));
    v.vector("rotation", k.rotation, turn("On top of the shape's own: about x, then y, then z."));
    v.needed("time", true, "it moves by keys");
}

namespace {

void describe(Solid& s, ParamVisitor& v) {
    v.text("name", s.name, "For messages and output; any text.");
    v.section("shape", "The body.", [&](ParamVisitor& w) { describe_deforming(s.shape, w); });
    using W = ParamVisitor::Word<Motion>;
    v.choice("motion", s.motion,
             {W{"fixed", Motion::kFixed, "stays where it is"},
              W{"keyed", Motion::kKeyed, "follows `keys`"},
              W{"dynamic", Motion::kDynamic, "moved by the water, of `density`"}},
             "How it moves.");
    v.list("keys", s.keys, "Key frames: smooth between, held before the first and after the last.",
           [](KeyFrame& k, ParamVisitor& w) { describe(k, w); });
    v.flag("no_slip", s.no_slip, "Water sticks to it; otherwise it slides along.");
    v.number("density", s.density,
             {"kg/m^3", 1e-3, 1e6, false, "Mass by volume of a dynamic body."});
    v.vector("velocity", s.velocity,
             {"m/s", -1e4, 1e4, false, "How fast a dynamic body moves at the start."});
    v.vector("spin", s.spin,
             {"rad/s", -1e4, 1e4, false,
              "How fast a dynamic body turns at the start, about x, y and z."});
    using L = ParamVisitor::Word<SolidLook>;
    v.choice("look", s.look,
             {L{"auto", SolidLook::kAutomatic, "glass if the shape is a shell, else matte"},
              L{"matte", SolidLook::kMatte, "opaque, of `color`"},
              L{"glass", SolidLook::kGlass, "clear, refracting"}},
             "What pictures show it made of; the simulation does not care.");
    v.vector("color", s.color,
             {"", 0, 1, false, "Of a matte solid in pictures: red, green, blue, linear."});
    v.needed("shape", true, "there is a solid");
    v.needed("keys", s.motion == Motion::kKeyed, "motion is \"keyed\"");
    v.unused("keys", s.motion != Motion::kKeyed, "motion is not \"keyed\"");
    for (const char* name : {"density", "velocity", "spin"})
        v.unused(name, s.motion != Motion::kDynamic, "motion is not \"dynamic\"");
}

void describe(LiquidBody& l, ParamVisitor& v) {
    v.text("name", l.name, "For messages and output; any text.");
    v.section("shape", "Where.", [&](ParamVisitor& w) { describe_deforming(l.shape, w); });
    using W = ParamVisitor::Word<LiquidMode>;
    v.choice("mode", l.mode,
             {W{"fill", LiquidMode::kFill, "full of liquid at the start"},
              W{"hollow", LiquidMode::kHollow, "empty at the start, cut from what is listed above"},
              W{"source", LiquidMode::kSource,
                "full of liquid that leaves it with `velocity`; its back is shut"},
              W{"sink", LiquidMode::kSink,
                "swallows what enters; there is the outside, of zero pressure"}},
             "What happens there.");
    v.vector("velocity", l.velocity,
             {"m/s", -1e4, 1e4, false,
              "Velocity of the liquid; of a source against its shape, with which it turns."});
    v.list("keys", l.keys,
           "A source or sink moves: smooth between, held before the first and after the last.",
           [](KeyFrame& k, ParamVisitor& w) { describe(k, w); });
    v.text("attach", l.attach, "Name of a solid that carries a source or sink along.");
    v.number("density", l.density,
             {"kg/m^3", 1e-3, 1e5, false,
              "Mass by volume, of oil on water for example; left out: `physics.water_density`."});
    v.number("start", l.start,
             moment("When a source or sink opens, counted from the first frame."));
    v.number("stop", l.stop, moment("When it closes."));
    const bool lasting = l.mode == LiquidMode::kSource || l.mode == LiquidMode::kSink;
    const bool moves = l.mode == LiquidMode::kFill || l.mode == LiquidMode::kSource;
    v.unused("velocity", !moves, "mode is neither \"fill\" nor \"source\"");
    v.unused("density", !moves, "mode is neither \"fill\" nor \"source\"");
    v.unused("density", l.density == 0, "it is 0");
    v.unused("keys", !lasting, "mode is neither \"source\" nor \"sink\"");
    v.unused("attach", !lasting, "mode is neither \"source\" nor \"sink\"");
    v.unused("start", !lasting, "mode is neither \"source\" nor \"sink\"");
    v.unused("stop", !lasting, "mode is neither \"source\" nor \"sink\"");
    v.needed("shape", true, "there is a liquid");
}

void describe(Force& f, ParamVisitor& v) {
    using W = ParamVisitor::Word<ForceKind>;
    v.choice("kind", f.kind,
             {W{"uniform", ForceKind::kUniform, "`acceleration` at every point"},
              W{"swirl", ForceKind::kSwirl, "around the region's y axis, `strength` at `radius`"}},
             "What it does.");
    if (v.given("region")) f.everywhere = false;
    v.section("region", "Where it acts; left out: everywhere.",
              [&](ParamVisitor& w) { describe(f.region, w); });
    v.vector("acceleration", f.acceleration, {"m/s^2", -1e6, 1e6, false, "Added to gravity."});
    v.number("strength", f.strength, {"m/s^2", -1e6, 1e6, false, "Acceleration around the axis."});
    v.number("radius", f.radius, extent("Distance from the axis where `strength` is reached."));
    v.number("start", f.start, moment("When it begins, counted from the first frame."));
    v.number("stop", f.stop, moment("When it ends."));
    const bool uniform = f.kind == ForceKind::kUniform;
    v.unused("region", f.everywhere, "it acts everywhere");
    v.unused("acceleration", !uniform, "kind is not \"uniform\"");
    v.unused("strength", uniform, "kind is not \"swirl\"");
    v.unused("radius", uniform, "kind is not \"swirl\"");
    v.needed("acceleration", uniform, "kind is \"uniform\"");
    v.needed("strength", !uniform, "kind is \"swirl\"");
}

void describe(TimeSpan& t, ParamVisitor& v) {
    v.number("fps", t.fps, {"1/s", 1e-3, 1e6, false, "Frames a second."});
    v.integer("frames", t.frames, 1, 1000000, "How many frames to simulate.");
    v.integer("start", t.start, 0, 1000000, "Number of the first frame.");
    v.integer(
        "max_substeps", t.max_substeps, 0, 1000000,
        "Steps a frame at most; a frame that needs more stops the run (status 3). 0: 64, and in "
        "frames longer than 1/24 s 64 for each 1/24 s.");
}

void describe(Domain& d, ParamVisitor& v) {
    v.integer("dimensions", d.dimensions, 2, 3, "2: a vertical slice; 3: space.");
    v.vector("lower", d.lower, place("Lower corner of the box."));
    v.vector("upper", d.upper, place("Upper corner of the box."));
    v.number("voxel", d.voxel,
             {"m", 1e-6, 1e3, false, "Edge of a grid cell; or give `divisions`."});
    v.integer("divisions", d.divisions, 1, 65536, "Cells along the longest side; or give `voxel`.");
    v.flag("dense", d.dense, "Simulate the whole box; otherwise only the water around bubbles.");
    using W = ParamVisitor::Word<Border>;
    const std::vector<W> words = {W{"open", Border::kOpen, "more water outside"},
                                  W{"wall", Border::kWall, "nothing passes"}};
    v.choice("sides", d.sides, words, "What the vertical sides are.");
    v.choice("bottom", d.bottom, words, "What the bottom is.");
    v.choice("top", d.top, words, "What the top is.");
    v.unused("divisions", d.voxel > 0, "voxel is given");
    v.unused("voxel", d.voxel == 0, "it is 0");
}

void describe(Physics& p, ParamVisitor& v) {
    v.vector("gravity", p.gravity,
             {"m/s^2", -1e4, 1e4, false, "Acceleration of gravity; y is up."});
    v.number("water_density", p.water_density,
             {"kg/m^3", 1e-3, 1e5, false, "Mass by volume of water."});
    v.number("air_density", p.air_density, {"kg/m^3", 1e-3, 1e5, false, "Mass by volume of air."});
    v.number("viscosity", p.viscosity, {"Pa*s", 0, 1e4, false, "Dynamic viscosity of water."});
    v.number("surface_tension", p.surface_tension,
             {"N/m", 0, 1e4, false, "Surface tension between water and air."});
}

}  // namespace

void describe(Scene& s, ParamVisitor& v) {
    v.integer("version", s.version, 1, 1, "Version of the scene format.");
    v.text("title", s.title, "A name for people.");
    v.text("method", s.method,
           "Which method simulates; its own keys stand in the section of its name.");
    v.whole("seed", s.seed,
            "Start of all random numbers; another seed gives another run of the same kind.");
    v.section("time", "How long to simulate.", [&](ParamVisitor& w) { describe(s.time, w); });
    v.section("domain", "Which water, how finely.",
              [&](ParamVisitor& w) { describe(s.domain, w); });
    v.section("physics", "Material constants.", [&](ParamVisitor& w) { describe(s.physics, w); });
    v.list("solid", s.solids, "Bodies in the water.",
           [](Solid& x, ParamVisitor& w) { describe(x, w); });
    v.list("liquid", s.liquids,
           "Liquid with a free surface: where it is at the start, comes from and goes to.",
           [](LiquidBody& x, ParamVisitor& w) { describe(x, w); });
    v.list("emitter", s.emitters, "Where bubbles come from.",
           [&](Emitter& x, ParamVisitor& w) { describe(x, s.domain.dimensions, w); });
    v.list("force", s.forces, "Accelerations besides gravity.",
           [](Force& x, ParamVisitor& w) { describe(x, w); });
    if (v.given("bulk")) s.bulk.present = true;
    v.section("bulk", "A liquid that is known beforehand and stays as it is; see docs/bulk.md.",
              [&](ParamVisitor& w) { describe(s.bulk, w); });
    v.unused("bulk", !s.bulk.present, "it is left out");
    describe(s.aeration, s.emission, s.domain.dimensions, v);
    describe(s.foam, v);
    if (v.given("whitewater")) s.whitewater.on = true;
    v.unused("foam", !s.bulk.present && !s.whitewater.on,
             "there is neither a bulk nor [whitewater]");
    v.unused("foam", !s.foam.given, "it is left out");
    describe(s.whitewater, v);
    v.section("camera", "Where pictures are taken from.",
              [&](ParamVisitor& w) { describe(s.camera, w); });
    v.section("output", "What is written.", [&](ParamVisitor& w) { describe(s.output, w); });
}

}  // namespace spume

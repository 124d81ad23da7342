// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/describe.h"

#include "spume/scene/scene.h"

namespace spume {
namespace {

// Limits that no sensible scene meets, so that arithmetic further on cannot overflow.
constexpr double kFar = 1e6;      // m
constexpr double kForever = 1e9;  // s

NumberSpec place(const char* help) { return {"m", -kFar, kFar, false, help}; }
NumberSpec extent(const char* help) { return {"m", 0, kFar, true, help}; }
NumberSpec moment(const char* help) { return {"s", -kForever, kForever, false, help}; }
NumberSpec turn(const char* help) { return {"deg", -1e6, 1e6, false, help}; }

void describe(KeyFrame& k, ParamVisitor& v) {
    v.number("time", k.time, moment("When, counted from the first frame."));
    v.vector("position", k.position, place("Offset from the shape's centre."));
    v.vector("rotation", k.rotation, turn("On top of the shape's own: about x, then y, then z."));
    v.needed("time", true, "it moves by keys");
}

void describe(Solid& s, ParamVisitor& v) {
    v.text("name", s.name, "For messages and output; any text.");
    v.section("shape", "The body.", [&](ParamVisitor& w) { describe(s.shape, w); });
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

void describe(PulseKey& k, ParamVisitor& v) {
    v.number("time", k.time,
             {"s", 0, kForever, false, "When, counted from `start` or from that of each period."});
    v.number("strength", k.strength, {"", 0, 1, false, "Part of the rate at that time."});
    v.needed("time", true, "there is a pulse");
    v.needed("strength", true, "there is a pulse");
}

void describe(LiquidBody& l, ParamVisitor& v) {
    v.text("name", l.name, "For messages and output; any text.");
    v.section("shape", "Where.", [&](ParamVisitor& w) { describe(l.shape, w); });
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
    v.text("attach", l.attach,
           "Name of a fixed or keyed solid that carries a source or sink along.");
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

void describe_amount(Emitter& e, int dimensions, ParamVisitor& v) {
    using W = ParamVisitor::Word<EmitMode>;
    v.choice("mode", e.mode,
             {W{"rate", EmitMode::kRate, "bubbles all the time, so much air a second"},
              W{"seed", EmitMode::kSeed, "bubbles once, at `start`"}},
             "When bubbles are made.");
    v.number("rate", e.rate,
             {dimensions == 2 ? "m^2/s" : "m^3/s", 0, 1e6, true, "Air a second (2D: an area)."});
    v.number("fraction", e.fraction,
             {"", 0, 1, true, "Seed: share of the shape to fill with air, at random places."});
    v.number("spacing", e.spacing,
             {"m", 1e-9, kFar, false, "Seed: one bubble on each point of a lattice instead."});
    v.integer("count", e.count, 1, 2000000000,
              "Seed: exactly so many bubbles instead, at random places.");
    v.number("start", e.start, moment("When emission starts, counted from the first frame."));
    v.number("stop", e.stop, moment("When emission ends."));
    v.number("period", e.period,
             {"s", 1e-6, kForever, false, "Emit in bursts or pulses, one every period."});
    v.number("burst", e.burst, {"s", 1e-9, kForever, false, "Length of each burst."});
    v.list("pulse", e.pulse,
           "How the rate swells and fades: key frames, linear between, held before and after.",
           [](PulseKey& k, ParamVisitor& w) { describe(k, w); });

    const bool seed = e.mode == EmitMode::kSeed;
    v.unused("rate", seed, "mode is \"seed\"");
    for (const char* name : {"fraction", "spacing", "count"})
        v.unused(name, !seed, "mode is \"rate\"");
    for (const char* name : {"stop", "period", "burst", "pulse"})
        v.unused(name, seed, "mode is \"seed\"");
    v.unused("fraction", seed && (e.spacing > 0 || e.count > 0), "spacing or count is given");
    v.unused("spacing", seed && e.spacing == 0, "it is 0");
    v.unused("count", seed && e.count == 0, "it is 0");
    v.unused("count", seed && e.count > 0 && e.spacing > 0, "spacing is given");
    v.unused("period", !seed && e.period == 0, "it is 0");
    v.unused("burst", !seed && e.period == 0, "period is not given");
    v.unused("burst", !seed && e.period > 0 && !e.pulse.empty(), "pulse is given");
    v.needed("rate", !seed, "mode is \"rate\"");
    v.needed("burst", !seed && e.period > 0 && e.pulse.empty(), "period is given and pulse is not");
}

void describe(Emitter& e, int dimensions, ParamVisitor& v) {
    v.text("name", e.name, "For messages and output; any text.");
    v.section("shape", "Where bubbles appear.", [&](ParamVisitor& w) { describe(e.shape, w); });
    describe_amount(e, dimensions, v);
    using W = ParamVisitor::Word<RadiusLaw>;
    v.choice("radius_law", e.law,
             {W{"fixed", RadiusLaw::kFixed, "all of `radius`"},
              W{"inverse_cubic", RadiusLaw::kInverseCubic,
                "many small, few large, from `radius_min` to `radius_max` ([WFS22] Eq. 34)"},
              W{"cell_share", RadiusLaw::kCellShare,
                "eight fill a voxel (2D: four): spread them at half a voxel"},
              W{"marker", RadiusLaw::kMarker,
                "half a voxel's diagonal: fills any voxel it is in, [WSB25] §7"}},
             "How bubble sizes are spread.");
    v.number("radius", e.radius, {"m", 1e-7, 10, false, "Radius of every bubble."});
    v.number("radius_min", e.radius_min, {"m", 1e-7, 10, false, "Radius of the smallest bubbles."});
    v.number("radius_max", e.radius_max, {"m", 1e-7, 10, false, "Radius of the largest bubbles."});
    v.number("density", e.density,
             {"kg/m^3", 1e-3, 1e5, false,
              "Mass by volume of their air; left out: `physics.air_density`."});
    v.vector("velocity", e.velocity,
             {"m/s", -1e4, 1e4, false,
              "Velocity of a new bubble against the shape, with which it turns."});
    v.list("keys", e.keys,
           "The emitter moves: smooth between, held before the first and after the last.",
           [](KeyFrame& k, ParamVisitor& w) { describe(k, w); });
    v.text("attach", e.attach, "Name of a fixed or keyed solid that carries the emitter along.");
    const bool fixed = e.law == RadiusLaw::kFixed, spread = e.law == RadiusLaw::kInverseCubic;
    v.needed("shape", true, "there is an emitter");
    v.unused("radius", !fixed, "radius_law is not \"fixed\"");
    v.unused("radius_min", !spread, "radius_law is not \"inverse_cubic\"");
    v.unused("radius_max", !spread, "radius_law is not \"inverse_cubic\"");
    v.unused("density", e.density == 0, "it is 0");
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

void describe(CameraKey& k, ParamVisitor& v) {
    v.number("time", k.time, moment("When, counted from the first frame."));
    v.vector("position", k.position, place("Where the camera is then."));
    v.vector("target", k.target, place("What it looks at then."));
    v.number("field_of_view", k.field_of_view,
             {"deg", 1, 170, false, "Vertical opening angle then; left out: the camera's."});
    v.unused("field_of_view", k.field_of_view == 0, "it is 0");
    for (const char* name : {"time", "position", "target"})
        v.needed(name, true, "the camera moves by keys");
}

void describe(Camera& c, ParamVisitor& v) {
    if (v.given("position") || v.given("target") || v.given("keys")) c.automatic = false;
    v.flag("automatic", c.automatic, "Look at the whole domain; off once a position is given.");
    v.vector("position", c.position, place("Where the camera is."));
    v.vector("target", c.target, place("What it looks at."));
    v.number("field_of_view", c.field_of_view, {"deg", 1, 170, false, "Vertical opening angle."});
    v.list("keys", c.keys,
           "The camera moves: smooth between, held before the first and after the last.",
           [](CameraKey& k, ParamVisitor& w) { describe(k, w); });
    v.unused("position", c.automatic, "automatic is true");
    v.unused("target", c.automatic, "automatic is true");
    v.unused("keys", c.automatic, "automatic is true");
    v.unused("position", !c.keys.empty(), "there are keys");
    v.unused("target", !c.keys.empty(), "there are keys");
}

void describe(Output& o, ParamVisitor& v) {
    v.flag("vdb", o.vdb, "Write volumes and points as OpenVDB.");
    v.flag("ply", o.ply, "Write points as PLY.");
    v.flag("vtk", o.vtk, "Write `.vtp`, `.vti` and `.pvd` for ParaView.");
    v.flag("velocity", o.velocity, "Include the water's velocity.");
    v.flag("pressure", o.pressure, "Include pressure.");
    v.flag("density", o.density, "Include the air fraction.");
    v.flag("aeration", o.aeration,
           "Include `aeration`, where the liquid would entrain air, as [aeration] says.");
    v.flag(
        "source", o.source,
        "Give bubbles a column `source`: n if the n-th emitter made it, 0 or -n if [emission] did, "
        "-n in its n-th region.");
    v.flag(
        "surface", o.surface,
        "Include the surface of connected air: level set `surface` and mesh `bubbles`; the points' "
        "`type` is then 1 for bubbles in it, 0 for single ones.");
    v.integer("surface_scale", o.surface_scale, 1, 3,
              "How many times finer than the simulation that surface is.");
    v.unused("surface_scale", !o.surface, "surface is false");
    v.integer("every", o.every, 1, 1000000, "Write each n-th frame only.");
    v.integer("checkpoint_every", o.checkpoint_every, 0, 1000000,
              "Frames between checkpoints; 0: only when stopped.");
    v.flag("half", o.half, "16-bit floats in volumes: half the size, three digits.");
    using W = ParamVisitor::Word<std::string>;
    v.choice("preview", o.preview,
             {W{"none", "none", "no picture"}, W{"last", "last", "the last written frame"},
              W{"all", "all", "every written frame"}},
             "Pictures to draw.");
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

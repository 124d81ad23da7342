// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/describe_parts.h"

namespace spume {
namespace {

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

}  // namespace

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

}  // namespace spume

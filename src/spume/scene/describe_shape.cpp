// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/describe.h"
#include "spume/scene/deforming_shape.h"
#include "spume/scene/numbered_name.h"

namespace spume {
namespace {

constexpr double kFar = 1e6;      // m; beyond it no sensible scene reaches
constexpr double kForever = 1e9;  // s

NumberSpec place(const char* help) { return {"m", -kFar, kFar, false, help}; }
NumberSpec extent(const char* help) { return {"m", 0, kFar, true, help}; }
NumberSpec turn(const char* help) { return {"deg", -1e6, 1e6, false, help}; }

using K = ShapeKind;
using W = ParamVisitor::Word<K>;

std::vector<W> kinds() {
    return {
        W{"box", K::kBox, "a cuboid of edge lengths `size`, its edges rounded by `round`"},
        W{"sphere", K::kSphere, "a ball (2D: a disc) of `radius`"},
        W{"cylinder", K::kCylinder, "upright, of `radius` and `height`"},
        W{"cone", K::kCone, "upright, of `radius` at its foot, `radius_top` and `height`"},
        W{"capsule", K::kCapsule, "upright, of `radius`, and `height` with its round ends"},
        W{"torus", K::kTorus, "a lying ring: a tube of radius `tube` along a circle of `radius`"},
        W{"lathe", K::kLathe, "the outline `profile` turned about the y axis (2D: mirrored)"},
        W{"mesh", K::kMesh, "the closed surface in `file`"}};
}

void describe(OutlinePoint& p, ParamVisitor& v) {
    v.number("radius", p.radius, {"m", 0, kFar, false, "Distance from the y axis."});
    v.number("height", p.height, place("Along the y axis, from the centre."));
    v.needed("radius", true, "there is a point");
    v.needed("height", true, "there is a point");
}

void describe_sequence(Shape& s, ParamVisitor& v) {
    const bool sequence = s.kind == K::kMesh && names_sequence(s.file);
    v.number(
        "fps", s.fps,
        {"1/s", 1e-3, 1e6, false,
         "With `####` or `$F4` for the number in `file` a sequence is read, a mesh that deforms: "
         "so many files a second; left out: `time.fps`."});
    v.number("start", s.start,
             {"s", -kForever, kForever, false,
              "When a sequence begins, counted from the first frame; before it its first file "
              "stays, after its end the last."});
    v.flag("repeat", s.repeat,
           "A sequence goes on from its last file to its first, for motions that repeat.");
    const bool unknown = s.kind == K::kMesh && s.file.empty();
    for (const char* name : {"fps", "start", "repeat"})
        v.unused(name, !sequence && !unknown, "file is no sequence");
    v.unused("fps", sequence && s.fps == 0, "it is 0");
}

void describe_sizes(Shape& s, bool can_deform, ParamVisitor& v) {
    v.vector("center", s.center, place("Where its centre is; a lathe's or mesh's own origin."));
    v.vector("size", s.size,
             {"m", 0, kFar, false, "Full edge lengths; one edge of a solid may be 0: a sheet."});
    v.number("round", s.round, {"m", 0, kFar, false, "Radius of the edges of a box."});
    v.number("radius", s.radius,
             extent("Distance from the centre or axis to the surface; of a torus to the middle of "
                    "its tube, of a cone at its foot."));
    v.number("radius_top", s.radius_top,
             {"m", 0, kFar, false, "Radius of a cone at its top; 0: a tip."});
    v.number("tube", s.tube, extent("Radius of the tube of a torus."));
    v.number("height", s.height, extent("Length along its own y axis."));
    v.list("profile", s.profile, "Outline of a lathe in order; the last point joins the first.",
           [](OutlinePoint& p, ParamVisitor& w) { describe(p, w); });
    v.number(
        "shell", s.shell,
        {"m", 0, kFar, false, "If above 0, only a wall of this thickness inside the surface."});
    v.flag("open_top", s.open_top, "Leave out the lid of a shell, making a cup.");
    v.path(
        "file", s.file,
        "PLY, OBJ, BOBJ, or a VDB level set called collision, surface, phi or sdf; relative to the "
        "scene file.");
    if (can_deform) describe_sequence(s, v);
    v.number("scale", s.scale,
             {"", 1e-9, 1e9, false, "Size factor from the mesh's units to metres."});
    v.vector("rotation", s.rotation, turn("Turned about its centre: about x, then y, then z."));
}

void rules(const Shape& s, ParamVisitor& v) {
    const bool box = s.kind == K::kBox, mesh = s.kind == K::kMesh, lathe = s.kind == K::kLathe;
    const bool cone = s.kind == K::kCone, torus = s.kind == K::kTorus;
    const bool long_one = s.kind == K::kCylinder || s.kind == K::kCapsule || cone;
    const bool round = s.kind == K::kSphere || torus || long_one;
    const bool lid = (box && s.round == 0) || s.kind == K::kCylinder || cone;
    const bool whole = lathe || mesh || s.kind == K::kCompound;
    v.unused("size", !box, "kind is not \"box\"");
    v.unused("round", !box, "kind is not \"box\"");
    v.unused("radius", !round, "kind is none of the round ones");
    v.unused("radius_top", !cone, "kind is not \"cone\"");
    v.unused("tube", !torus, "kind is not \"torus\"");
    v.unused("height", !long_one, "kind is none of \"cylinder\", \"cone\" and \"capsule\"");
    v.unused("profile", !lathe, "kind is not \"lathe\"");
    v.unused("shell", whole, "kind is \"lathe\", \"mesh\" or \"compound\"");
    v.unused("open_top", !lid, "kind is none of \"box\" with sharp edges, \"cylinder\", \"cone\"");
    v.unused("open_top", lid && s.shell == 0, "shell is 0");
    v.unused("file", !mesh, "kind is not \"mesh\"");
    v.unused("scale", !mesh, "kind is not \"mesh\"");
    v.needed("size", box, "kind is \"box\"");
    v.needed("radius", round,
             "kind is \"sphere\", \"cylinder\", \"cone\", \"capsule\" or \"torus\"");
    v.needed("tube", torus, "kind is \"torus\"");
    v.needed("height", long_one, "kind is \"cylinder\", \"cone\" or \"capsule\"");
    v.needed("profile", lathe, "kind is \"lathe\"");
    v.needed("file", mesh, "kind is \"mesh\"");
}

void describe_part(Shape& s, ParamVisitor& v) {
    using U = ParamVisitor::Word<PartUse>;
    v.choice(
        "combine", s.combine,
        {U{"union", PartUse::kUnion, "added"}, U{"difference", PartUse::kDifference, "cut out"},
         U{"intersection", PartUse::kIntersection, "only what is in both stays"}},
        "What it does to the parts before it.");
    v.choice("kind", s.kind, kinds(), "What it looks like.");
    describe_sizes(s, false, v);
    rules(s, v);
}

void describe_whole(Shape& s, bool can_deform, ParamVisitor& v) {
    std::vector<W> words = kinds();
    words.push_back(W{"compound", K::kCompound, "each `part` joined to those before it, in turn"});
    v.choice("kind", s.kind, words, "What it looks like.");
    describe_sizes(s, can_deform, v);
    v.list("part", s.parts, "Parts of a compound, placed from its centre.",
           [](Shape& part, ParamVisitor& w) { describe_part(part, w); });
    rules(s, v);
    const bool compound = s.kind == K::kCompound;
    v.unused("part", !compound, "kind is not \"compound\"");
    v.needed("part", compound, "kind is \"compound\"");
}

}  // namespace

void describe(Shape& s, ParamVisitor& v) { describe_whole(s, false, v); }

void describe_deforming(Shape& s, ParamVisitor& v) { describe_whole(s, true, v); }

}  // namespace spume

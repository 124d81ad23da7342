// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/describe.h"
#include "spume/scene/shape.h"

namespace spume {
namespace {

constexpr double kFar = 1e6;  // m; beyond it no sensible scene reaches

NumberSpec place(const char* help) { return {"m", -kFar, kFar, false, help}; }
NumberSpec extent(const char* help) { return {"m", 0, kFar, true, help}; }
NumberSpec turn(const char* help) { return {"deg", -1e6, 1e6, false, help}; }

}  // namespace

void describe(Shape& s, ParamVisitor& v) {
    using W = ParamVisitor::Word<ShapeKind>;
    v.choice("kind", s.kind,
             {W{"box", ShapeKind::kBox, "a cuboid of edge lengths `size`"},
              W{"sphere", ShapeKind::kSphere, "a ball (2D: a disc) of `radius`"},
              W{"cylinder", ShapeKind::kCylinder, "upright, of `radius` and `height`"},
              W{"mesh", ShapeKind::kMesh, "the closed surface in `file`"}},
             "What it looks like.");
    v.vector("center", s.center, place("Where its centre is; a mesh's own origin."));
    v.vector("size", s.size,
             {"m", 0, kFar, false, "Full edge lengths; one edge of a solid may be 0: a sheet."});
    v.number("radius", s.radius, extent("Distance from the centre or axis to the surface."));
    v.number("height", s.height, extent("Length along its own y axis."));
    v.number(
        "shell", s.shell,
        {"m", 0, kFar, false, "If above 0, only a wall of this thickness inside the surface."});
    v.flag("open_top", s.open_top, "Leave out the lid of a shell, making a cup.");
    v.path("file", s.file, "PLY or OBJ, relative to the scene file.");
    v.number("scale", s.scale,
             {"", 1e-9, 1e9, false, "Size factor from the mesh's units to metres."});
    v.vector("rotation", s.rotation, turn("Turned about its centre: about x, then y, then z."));

    const bool box = s.kind == ShapeKind::kBox, mesh = s.kind == ShapeKind::kMesh;
    const bool round = s.kind == ShapeKind::kSphere || s.kind == ShapeKind::kCylinder;
    const bool cylinder = s.kind == ShapeKind::kCylinder;
    v.unused("size", !box, "kind is not \"box\"");
    v.unused("radius", !round, "kind is neither \"sphere\" nor \"cylinder\"");
    v.unused("height", !cylinder, "kind is not \"cylinder\"");
    v.unused("shell", mesh, "kind is \"mesh\"");
    v.unused("open_top", !box && !cylinder, "kind is neither \"box\" nor \"cylinder\"");
    v.unused("open_top", (box || cylinder) && s.shell == 0, "shell is 0");
    v.unused("file", !mesh, "kind is not \"mesh\"");
    v.unused("scale", !mesh, "kind is not \"mesh\"");
    v.needed("size", box, "kind is \"box\"");
    v.needed("radius", round, "kind is \"sphere\" or \"cylinder\"");
    v.needed("height", cylinder, "kind is \"cylinder\"");
    v.needed("file", mesh, "kind is \"mesh\"");
}

}  // namespace spume

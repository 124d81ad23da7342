// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/core/vec.h"

namespace spume {

enum class ShapeKind {
    kBox,
    kSphere,
    kCylinder,
    kCone,
    kCapsule,
    kTorus,
    kLathe,
    kMesh,
    kCompound
};

/// How a part of a compound is joined to the parts before it.
enum class PartUse { kUnion, kDifference, kIntersection };

struct OutlinePoint {
    double radius = 0, height = 0;
};

/// A solid body in its own frame, then turned about its centre and moved there.
struct Shape {
    ShapeKind kind = ShapeKind::kBox;
    Vec<double, 3> center{0, 0, 0};
    Vec<double, 3> size{1, 1, 1};  ///< box: full edge lengths
    double round = 0;              ///< box: radius of its edges
    double radius = 0.5;           ///< of the round ones; cone: at its foot; torus: of its circle
    double radius_top = 0;         ///< cone
    double tube = 0.1;             ///< torus: radius of the tube
    double height = 1;             ///< cylinder, cone, capsule with its caps: along its own y axis
    std::vector<OutlinePoint> profile;  ///< lathe
    double shell = 0;                   ///< > 0: only a wall of this thickness, inside the surface
    bool open_top = false;              ///< with shell: box, cylinder and cone lose their +y lid
    std::string file;     ///< mesh: PLY or OBJ; with #### for a number: a sequence that deforms
    double fps = 0;       ///< of a sequence; 0: the scene's
    double start = 0;     ///< of a sequence: time of its first file, s
    bool repeat = false;  ///< of a sequence: after its last file comes its first
    double scale = 1;     ///< mesh
    Vec<double, 3> rotation{0, 0, 0};   ///< degrees about x, then y, then z
    PartUse combine = PartUse::kUnion;  ///< in a compound
    std::vector<Shape> parts;           ///< of a compound; they are none themselves
};

/// f(shape) for the shape and the parts of a compound.
template <class F>
void each_shape(const Shape& shape, F&& f) {
    f(shape);
    for (const Shape& part : shape.parts) f(part);
}

class ParamVisitor;
void describe(Shape& shape, ParamVisitor& visitor);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/core/vec.h"

namespace spume {

enum class ShapeKind { kBox, kSphere, kCylinder, kMesh };

/// A solid body in its own frame, then turned about its centre and moved there.
struct Shape {
    ShapeKind kind = ShapeKind::kBox;
    Vec<double, 3> center{0, 0, 0};
    Vec<double, 3> size{1, 1, 1};      ///< box: full edge lengths
    double radius = 0.5;               ///< sphere, cylinder
    double height = 1;                 ///< cylinder: along its own y axis
    double shell = 0;                  ///< > 0: only a wall of this thickness, inside the surface
    bool open_top = false;             ///< with shell: box and cylinder lose their +y lid
    std::string file;                  ///< mesh: PLY or OBJ
    double scale = 1;                  ///< mesh
    Vec<double, 3> rotation{0, 0, 0};  ///< degrees about x, then y, then z
};

class ParamVisitor;
void describe(Shape& shape, ParamVisitor& visitor);

}  // namespace spume

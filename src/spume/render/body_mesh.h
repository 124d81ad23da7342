// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/geometry/solid_shape.h"

namespace spume {

/// The surface of a body as triangles with a normal at each vertex, in the body's own frame;
/// outwards is away from its matter, so that a shell has an outer and an inner side.
struct BodyMesh {
    std::vector<Vec<double, 3>> vertices, normals;
    std::vector<Vec<std::uint32_t, 3>> triangles;
};

BodyMesh body_mesh(const BodyParameters& body);

/// Normals at the vertices of a mesh, faces weighted by area.
std::vector<Vec<double, 3>> vertex_normals(const std::vector<Vec<double, 3>>& vertices,
                                           const std::vector<Vec<std::int32_t, 3>>& triangles);

}  // namespace spume

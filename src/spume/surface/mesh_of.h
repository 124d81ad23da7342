// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/geometry/mesh.h"
#include "spume/grid/field.h"

namespace spume {

// The zero surface of a level set, negative inside, by marching cubes between the centres of cells
// [LC87]. Vertices are shared; every edge belongs to two triangles, once in each direction, for any
// values whatever: closed, and the same for any number of threads. A vertex lies where the linear
// function along its edge is zero, so that area and volume converge with the square of the voxel.
//
// Cells outside the active tiles count as outside, one voxel from the surface: a body that reaches
// the end of the tiles is closed there. Its inside must be stored.

/// Triangles, counter-clockwise seen from outside.
template <class T>
TriangleMesh mesh_of(const CellField<T, 3>& level_set, Context& context);

/// Closed polygons as segments with shared vertices; the inside is on the left.
struct Outline {
    std::vector<Point<2>> vertices;
    std::vector<Vec<std::int32_t, 2>> segments;
};
template <class T>
Outline outline_of(const CellField<T, 2>& level_set, Context& context);

/// By the divergence theorem; of a closed mesh, positive when it is oriented as above.
double enclosed_volume(const TriangleMesh& mesh);
double area_of(const TriangleMesh& mesh);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>

#include "spume/surface/closed_surface.h"
#include "spume/surface/mesh_of.h"

namespace spume {

// Liquid is bounded by its level set, by solids and by the sides of a box, and has edges where two
// of them meet. Marching cubes over the largest of the three distances bevels these edges: between
// the last vertex of one sheet and the first of the next it lays a slanted strip. Here each vertex
// is led onto the sheet that bounds it, and those at the end of a sheet onto the edge itself, as
// in feature-sensitive extraction [KBSS01], but with the sheets known instead of guessed from
// normals and with no triangle added: the mesh stays as closed as it was.

/// The sheets of a closed surface; see closed_surface().
template <int D>
struct ClosingSheets {
    const LevelSet<D>& level_set;  ///< before it was closed, continued into solids
    Box<double, D> box;
    DistanceWithin<D> solids;  ///< empty: none
};

/// Leads vertices onto sheets and the edges between them, by a voxel and a half at most. What finds
/// no edge stays on its own sheet. `elements`: triangles, or segments in 2D.
template <int D>
void fit_to_sheets(std::vector<Point<D>>& vertices, std::span<const Vec<std::int32_t, D>> elements,
                   const ClosingSheets<D>& sheets, Context& context);

/// The mesh of `closed`, made of these sheets by closed_surface().
TriangleMesh closed_mesh(const LevelSet<3>& closed, const ClosingSheets<3>& sheets,
                         Context& context);

}  // namespace spume

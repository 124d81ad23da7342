// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/frame/frame.h"

namespace spume {

/// Columns of a mesh's vertices, from what else the frame holds. Points of the mesh's own name are
/// the bubbles it is wrapped around: each vertex has the v of the one whose surface is nearest, and
/// its age and source where points have a source. Else v is the volume "vel" at the vertex, whose
/// stored faces must reach beyond the surface. Nothing where there is neither.
std::vector<NamedColumn> mesh_columns(const Frame& frame, const NamedMesh& mesh);

}  // namespace spume

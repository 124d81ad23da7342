// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/grid/tile.h"

namespace spume {

/// A frame of a bulk that holds its surface as the mesh "surface" or as the points "liquid", with
/// the volume "surface" on that lattice instead: the distance to the mesh, or the surface that the
/// particles of a liquid have. Points of the mesh's name are its vertices: their column "v" becomes
/// the volume "vel" near the surface, if there is none. Any other frame is as it is.
Frame with_surface(const Frame& frame, const Transform<3>& lattice, Context& context);

}  // namespace spume

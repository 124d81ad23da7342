// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <vector>

#include "spume/geometry/solid_shape.h"

namespace spume {

/// Triangles of the surface of a body that has no simpler description, counter-clockwise seen from
/// outside: dual contouring [JLSW02] on a lattice of `cells` along its longest side, with the
/// normals at the lattice's edges, so that sharp edges stay sharp.
std::vector<std::array<Vec<double, 3>, 3>> body_contour(const BodyShape<3>& shape, int cells);

}  // namespace spume

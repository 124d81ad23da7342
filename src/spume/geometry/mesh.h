// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <vector>

#include "spume/core/vec.h"

namespace spume {

/// Triangles with shared vertices; counter-clockwise seen from outside. In 2D scenes unused.
struct TriangleMesh {
    std::vector<Vec<double, 3>> vertices;
    std::vector<Vec<std::int32_t, 3>> triangles;
};

}  // namespace spume

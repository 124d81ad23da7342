// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/render/body_mesh.h"
#include "spume/render/world.h"

namespace spume {

/// A box of two triangles a side.
inline Surface box_surface(const Vec<double, 3>& lo, const Vec<double, 3>& hi, int material) {
    BodyParameters p;
    p.size = hi - lo;
    const BodyMesh mesh = body_mesh(p);
    Surface s;
    for (const Vec<double, 3>& x : mesh.vertices)
        s.begin.push_back((x + (lo + hi) * 0.5).as<float>());
    s.triangles = mesh.triangles;
    s.material = material;
    return s;
}

}  // namespace spume

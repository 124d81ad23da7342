// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/scene/scene.h"

namespace spume {

/// A box of walls from the origin.
inline Scene walled_box(const char* method, int dimensions, double voxel,
                        const Vec<double, 3>& size) {
    Scene s;
    s.method = method;
    s.domain.dimensions = dimensions;
    s.domain.voxel = voxel;
    s.domain.lower = {0, 0, 0};
    s.domain.upper = size;
    s.domain.sides = s.domain.bottom = s.domain.top = Border::kWall;
    s.time.fps = 60;
    return s;
}

inline LiquidBody liquid_box(const Vec<double, 3>& lo, const Vec<double, 3>& hi,
                             LiquidMode mode = LiquidMode::kFill) {
    LiquidBody l;
    l.shape.kind = ShapeKind::kBox;
    l.shape.center = (lo + hi) / 2.0;
    l.shape.size = hi - lo;
    l.mode = mode;
    return l;
}

inline LiquidBody liquid_ball(const Vec<double, 3>& center, double radius,
                              LiquidMode mode = LiquidMode::kFill) {
    LiquidBody l;
    l.shape.kind = ShapeKind::kSphere;
    l.shape.center = center;
    l.shape.radius = radius;
    l.mode = mode;
    return l;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

#include "method_in_motion.h"
#include "spume/methods/constraint/method.h"
#include "walled_box.h"

namespace spume {

/// A tank of walls, from the origin.
inline Scene tank(int dimensions, double voxel, const Vec<double, 3>& size) {
    return walled_box("constraint", dimensions, voxel, size);
}

inline Solid solid_box(const Vec<double, 3>& lo, const Vec<double, 3>& hi) {
    Solid s;
    s.shape.kind = ShapeKind::kBox;
    s.shape.center = (lo + hi) / 2.0;
    s.shape.size = hi - lo;
    return s;
}

extern template struct MethodInMotion<constraint::Method, 2>;
extern template struct MethodInMotion<constraint::Method, 3>;

template <int D>
struct ConstraintRun : MethodInMotion<constraint::Method, D> {
    using Base = MethodInMotion<constraint::Method, D>;
    using Base::Base, Base::state;

    /// Air of the region at a point; −1 if there is none.
    int region_at(const Point<D>& x) const;
    double trapped() const;
};

extern template struct ConstraintRun<2>;
extern template struct ConstraintRun<3>;

}  // namespace spume

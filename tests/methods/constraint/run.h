// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

#include "spume/methods/constraint/constraint.h"

namespace spume {

/// A tank of walls, from the origin, `cells` long.
inline Scene tank(int dimensions, double voxel, const Vec<double, 3>& size) {
    Scene s;
    s.method = "constraint";
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

inline Solid solid_box(const Vec<double, 3>& lo, const Vec<double, 3>& hi) {
    Solid s;
    s.shape.kind = ShapeKind::kBox;
    s.shape.center = (lo + hi) / 2.0;
    s.shape.size = hi - lo;
    return s;
}

/// The whole method on a scene written in code, with the session's substeps but without retry.
/// Compiled once, in run.cpp: the method's State and World cost every test file seconds otherwise.
template <int D>
struct ConstraintRun {
    Scene scene;
    constraint::Params params;
    Context context;
    constraint::World<D> world;
    constraint::State<D> state;
    StepReport last;
    std::vector<BubbleEvent> events;
    double fastest = 0;
    int steps = 0;
    bool failed = false;

    ConstraintRun(Scene s, const constraint::Params& p, int threads = 1);
    ~ConstraintRun();

    /// Goes on until `end`; `each` sees the state after every substep.
    template <class Each>
    bool until(double end, Each&& each) {
        while (!failed && state.time < end * (1 - 1e-12)) {
            one_step(next_time(end));
            each();
        }
        return !failed;
    }
    bool until(double end) {
        return until(end, [] {});
    }
    bool one_step(double end);
    /// Where the next of the substeps up to `end` ends.
    double next_time(double end);

    /// Air of the region at a point; −1 if there is none.
    int region_at(const Point<D>& x) const;
    double trapped() const;
};

extern template struct ConstraintRun<2>;
extern template struct ConstraintRun<3>;

}  // namespace spume

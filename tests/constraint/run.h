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
template <int D>
struct ConstraintRun {
    Scene scene;
    constraint::Params params;
    Context context;
    constraint::World<D> world;
    constraint::State<D> state;
    StepReport last;
    std::vector<std::string> events;
    double fastest = 0;
    int steps = 0;
    bool failed = false;

    ConstraintRun(Scene s, const constraint::Params& p, int threads = 1)
        : scene(std::move(s)),
          params(p),
          context(threads),
          world(constraint::world_of<D>(scene, p, Inputs{})),
          state(constraint::init(world, p, context)) {}

    /// Goes on until `end`; `each` sees the state after every substep.
    template <class Each>
    bool until(double end, Each&& each) {
        while (!failed && state.time < end * (1 - 1e-12)) {
            const double left = end - state.time;
            const double count = std::max(
                1.0,
                std::ceil(left / constraint::max_dt(state, params, world, context) * (1 - 1e-12)));
            one_step(count <= 1 ? end : state.time + left / count);
            each();
        }
        return !failed;
    }
    bool until(double end) {
        return until(end, [] {});
    }
    bool one_step(double end) {
        last = constraint::step(state, params, world, {state.time, end}, context);
        events.insert(events.end(), last.events.begin(), last.events.end());
        fastest = std::max(fastest, last.max_speed);
        failed = last.failed || last.stopped;
        ++steps;
        return !failed;
    }

    /// Air of the region at a point; −1 if there is none.
    int region_at(const Point<D>& x) const {
        TileCursor<D> cursor(*state.air.label.tiles());
        const auto at = cursor(floor_index<D>(state.air.label.tiles()->transform().to_lattice(x)));
        return state.air.label.tiles()->is_active(cursor.tile()) ? state.air.label.read()[at] : -1;
    }
    double trapped() const {
        double sum = 0;
        for (const AirBubble& b : state.air.bubbles) sum += b.outside ? 0 : b.volume;
        return sum;
    }
};

}  // namespace spume

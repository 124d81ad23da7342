// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/methods/particle_level_set/particle_level_set.h"

namespace spume {

/// A closed box from the origin.
inline Scene pls_box(int dimensions, double voxel, const Vec<double, 3>& size) {
    Scene s;
    s.method = "particle_level_set";
    s.domain.dimensions = dimensions;
    s.domain.voxel = voxel;
    s.domain.lower = {0, 0, 0};
    s.domain.upper = size;
    s.domain.sides = s.domain.bottom = s.domain.top = Border::kWall;
    s.physics.surface_tension = 0;
    s.time.fps = 60;
    return s;
}

inline LiquidBody pls_water(const Vec<double, 3>& lo, const Vec<double, 3>& hi) {
    LiquidBody l;
    l.shape.kind = ShapeKind::kBox;
    l.shape.center = (lo + hi) / 2.0;
    l.shape.size = hi - lo;
    return l;
}

inline LiquidBody pls_ball(const Vec<double, 3>& center, double radius, LiquidMode mode) {
    LiquidBody l;
    l.shape.kind = ShapeKind::kSphere;
    l.shape.center = center;
    l.shape.radius = radius;
    l.mode = mode;
    return l;
}

/// The whole method on a scene written in code, with the session's substeps but without retry.
template <int D>
struct PlsRun {
    Scene scene;
    particle_level_set::Params params;
    Context context;
    particle_level_set::World<D> world;
    particle_level_set::State<D> state;
    StepReport last;
    double fastest = 0;
    int steps = 0;
    bool failed = false;

    PlsRun(Scene s, const particle_level_set::Params& p, int threads = 2);
    ~PlsRun();

    bool until(double end);
    bool one_step(double end);
    double kinetic_energy() const;  ///< of the liquid, J (2D: J/m)
};

extern template struct PlsRun<2>;
extern template struct PlsRun<3>;

}  // namespace spume

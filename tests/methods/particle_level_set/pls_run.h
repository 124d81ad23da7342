// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "method_in_motion.h"
#include "spume/methods/particle_level_set/method.h"
#include "walled_box.h"

namespace spume {

/// A closed box from the origin, without surface tension.
inline Scene pls_box(int dimensions, double voxel, const Vec<double, 3>& size) {
    Scene s = walled_box("particle_level_set", dimensions, voxel, size);
    s.physics.surface_tension = 0;
    return s;
}

inline LiquidBody pls_water(const Vec<double, 3>& lo, const Vec<double, 3>& hi) {
    return liquid_box(lo, hi);
}

inline LiquidBody pls_ball(const Vec<double, 3>& center, double radius, LiquidMode mode) {
    return liquid_ball(center, radius, mode);
}

extern template struct MethodInMotion<particle_level_set::Method, 2>;
extern template struct MethodInMotion<particle_level_set::Method, 3>;

template <int D>
struct PlsRun : MethodInMotion<particle_level_set::Method, D> {
    using Base = MethodInMotion<particle_level_set::Method, D>;
    using Base::scene, Base::world, Base::state;

    PlsRun(Scene s, const particle_level_set::Params& p, int threads = 2)
        : Base(std::move(s), p, threads) {}

    double kinetic_energy() const;  ///< of the liquid, J (2D: J/m)
};

extern template struct PlsRun<2>;
extern template struct PlsRun<3>;

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "method_in_motion.h"
#include "spume/methods/mixture/method.h"

namespace spume {

/// Slip at which drag balances buoyancy: 6 π μ r v + (π/2) ρ r² v² = (4/3) π r³ Δρ g, as in the
/// validation cases, written out here apart from the library's drag.
inline double terminal_speed(double r, double water = 1000, double air = 1, double viscosity = 1e-3,
                             double gravity = 9.81) {
    const double a = std::numbers::pi / 2 * water * r * r;
    const double b = 6 * std::numbers::pi * viscosity * r;
    const double c = 4.0 / 3 * std::numbers::pi * r * r * r * (water - air) * gravity;
    return (-b + std::sqrt(b * b + 4 * a * c)) / (2 * a);
}

extern template struct MethodInMotion<mixture::Method, 2>;
extern template struct MethodInMotion<mixture::Method, 3>;

template <int D>
struct MixtureRun : MethodInMotion<mixture::Method, D> {
    using Base = MethodInMotion<mixture::Method, D>;
    using Base::Base, Base::state, Base::last, Base::failed;

    std::int64_t voxels = 0;  ///< most at any time

    void add(const Point<D>& x, double radius, double density);

    /// Goes on until `end`; false when a number is no longer finite, or once anything is faster
    /// than `limit`.
    bool until(double end, double limit = 1e3);

    /// Mean over the bubbles, by volume.
    Point<D> centroid() const;
    Vec<double, D> mean_velocity() const;

  private:
    Vec<double, D> mean(const Array<Vec<double, D>>& of) const;
};

extern template struct MixtureRun<2>;
extern template struct MixtureRun<3>;

/// Open water, sparse grid, nothing in it.
inline Scene open_water(double voxel, const Vec<double, 3>& lower, const Vec<double, 3>& upper,
                        int dimensions = 3) {
    Scene s;
    s.domain.dimensions = dimensions;
    s.domain.voxel = voxel;
    s.domain.lower = lower;
    s.domain.upper = upper;
    s.time.fps = 24;
    return s;
}

inline Emitter seeded_ball(const Vec<double, 3>& center, double radius, double fraction,
                           double bubble_radius, double density = 0) {
    Emitter e;
    e.name = "cloud";
    e.shape.kind = ShapeKind::kSphere;
    e.shape.center = center;
    e.shape.radius = radius;
    e.mode = EmitMode::kSeed;
    e.fraction = fraction;
    e.radius = bubble_radius;
    e.density = density;
    return e;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstddef>

#include <embree3/rtcore.h>

#include "spume/render/ray_scene.h"

namespace spume {

/// A ball drawn out along an axis, at one moment.
struct Ellipsoid {
    Vec<double, 3> center{}, axis{};
    double along = 0, across = 0;  ///< half axes

    Ellipsoid(const Ellipsoids& all, std::size_t i, double time);
    /// How far from the centre x is, 1 on the surface.
    double level(const Vec<double, 3>& x) const { return length(unscaled(x - center)); }
    /// Where a line x + t d meets the surface; false where it does not.
    bool meets(const Vec<double, 3>& x, const Vec<double, 3>& d, double (&t)[2]) const;
    /// Outwards, length one, at a point of the surface.
    Vec<double, 3> normal(const Vec<double, 3>& x) const;

  private:
    /// Where the ellipsoid is the ball of radius one.
    Vec<double, 3> unscaled(const Vec<double, 3>& v) const {
        const double part = dot(v, axis);
        return (v - axis * part) / across + axis * (part / along);
    }
};

/// Ellipsoids for Embree; they must outlive it.
RTCGeometry ellipsoid_geometry(RTCDevice device, const Ellipsoids& ellipsoids);

/// The hit that Embree found near a distance, once more in double precision.
Hit ellipsoid_hit(const Ray& ray, const Ellipsoids& ellipsoids, std::size_t part, double near);

}  // namespace spume

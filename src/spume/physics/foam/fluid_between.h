// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include "spume/core/box.h"
#include "spume/grid/sample.h"

namespace spume {

/// What a bubble meets at a place.
template <int D>
struct FluidAt {
    double phi = 0;             ///< Φ, m, negative in the liquid
    double rate = 0;            ///< ∂Φ/∂t, m/s
    Vec<double, D> gradient{};  ///< ∇Φ
    Vec<double, D> velocity{};  ///< m/s
};

/// A liquid at two times, on the same tiles; linear in time between ([G04] §5.4).
template <int D>
struct FluidBetween {
    Interval time;
    const CellField<double, D>* phi[2] = {};
    const FaceField<double, D>* velocity[2] = {};

    FluidAt<D> at(const Point<D>& x, double t, TileCursor<D>& cursor) const {
        const Transform<D>& transform = phi[0]->tiles()->transform();
        const double length = time.length(), s = length > 0 ? (t - time.begin) / length : 1;
        FluidAt<D> r;
        double first[1 << D], last[1 << D], w[D];
        const Point<D> u = cell_coordinate<D>(transform, x);
        load_corners<double, D>(phi[0]->read(), cursor, u, first, w);
        load_corners<double, D>(phi[1]->read(), cursor, u, last, w);
        for (int c = 0; c < (1 << D); ++c) {
            const double change = last[c] - first[c];
            first[c] += s * change;
            last[c] = change;
        }
        for (int a = 0; a < D; ++a) r.gradient[a] = slope(first, w, a) / transform.voxel;
        r.phi = interpolate_corners<double, D>(first, w);
        r.rate = length > 0 ? interpolate_corners<double, D>(last, w) / length : 0;
        for (int a = 0; a < D; ++a) {
            const Point<D> f = face_coordinate<D>(transform, a, x);
            r.velocity[a] = (1 - s) * sample_linear<double, D>(velocity[0]->read(a), cursor, f) +
                            s * sample_linear<double, D>(velocity[1]->read(a), cursor, f);
        }
        return r;
    }

  private:
    /// Of the multilinear interpolant along an axis, a voxel being one.
    static double slope(const double (&corner)[1 << D], const double (&w)[D], int axis) {
        double sum = 0;
        for (int c = 0; c < (1 << D); ++c) {
            double weight = c >> axis & 1 ? 1 : -1;
            for (int a = 0; a < D; ++a)
                if (a != axis) weight *= c >> a & 1 ? w[a] : 1 - w[a];
            sum += weight * corner[c];
        }
        return sum;
    }
};

/// ∇p = ρ (g − Du/Dt) at a place, Pa/m: Du/Dt along the way of the liquid, each component cut to
/// `limit`. In falling liquid there is none.
template <int D>
Vec<double, D> pressure_gradient_of_motion(const FluidBetween<D>& fluid, const Point<D>& x,
                                           const Vec<double, D>& gravity, double density,
                                           double limit, TileCursor<D>& cursor) {
    const double dt = fluid.time.length();
    const Vec<double, D> u = sample(*fluid.velocity[0], cursor, x);
    const Vec<double, D> then = sample(*fluid.velocity[1], cursor, x + u * dt);
    Vec<double, D> r = gravity * density;
    for (int a = 0; a < D; ++a) r[a] -= density * std::clamp((then[a] - u[a]) / dt, -limit, limit);
    return r;
}

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>

#include "spume/core/box.h"
#include "spume/core/context.h"
#include "spume/particles/foam.h"
#include "spume/physics/foam/four_points.h"
#include "spume/scene/wet_foam.h"

namespace spume {

/// Φ and ∇Φ at a place. Φ is negative in the liquid; it need not be a distance.
template <int D>
struct SurfacePoint {
    double phi = 0;
    Vec<double, D> gradient{};

    double distance() const {
        const double slope = length(gradient);
        return slope > 0 ? phi / slope : phi;
    }
};

/// The same at four places.
template <int D>
struct FourSurfacePoints {
    Doubles phi;
    FourVec<D> gradient;
};

/// A surface that moves during a step, and the liquid under it.
template <int D>
class MovingSurface {
  public:
    /// For one thread.
    class Reader {
      public:
        virtual ~Reader() = default;
        virtual SurfacePoint<D> at(const Point<D>& x, double time) = 0;
        /// A unit vector out of the liquid, smooth along the surface; zero where there is none.
        virtual Vec<double, D> normal(const Point<D>& x, double time) = 0;
        virtual Vec<double, D> velocity(const Point<D>& x, double time) = 0;

        /// The same at four places at once: the same bits.
        virtual FourSurfacePoints<D> at_four(const FourVec<D>& x, double time) {
            FourSurfacePoints<D> r;
            for (int k = 0; k < kDoubleLanes; ++k) {
                const SurfacePoint<D> one = at(x.lane(k), time);
                r.phi[k] = one.phi;
                r.gradient.set_lane(k, one.gradient);
            }
            return r;
        }
        virtual FourVec<D> normal_four(const FourVec<D>& x, double time) {
            FourVec<D> r;
            for (int k = 0; k < kDoubleLanes; ++k) r.set_lane(k, normal(x.lane(k), time));
            return r;
        }
        virtual FourVec<D> velocity_four(const FourVec<D>& x, double time) {
            FourVec<D> r;
            for (int k = 0; k < kDoubleLanes; ++k) r.set_lane(k, velocity(x.lane(k), time));
            return r;
        }
    };
    virtual ~MovingSurface() = default;
    virtual std::unique_ptr<Reader> reader() const = 0;
};

/// How foam follows the surface.
struct ManifoldLaw {
    FoamRotation rotation = FoamRotation::kNone;
    int iterations = 5;
    double tolerance = 1e-5;      ///< m, or r/50 if that is less
    double max_correction = 0.1;  ///< ε, m
    double drag = 0;              ///< χ^Φ, 1/s
    double drag_by_size = 0;      ///< m²/s: over r² it is added to χ^Φ
};

struct ManifoldReport {
    std::size_t fallbacks = 0;   ///< particles that the surface was not found for
    std::size_t iterations = 0;  ///< of all
};

// Manifold advection, [WFS22] §§6.6–6.7. Per particle, with n = ∇Φ/|∇Φ| at xⁿ and T the part of a
// vector along the surface there:
//
//   v̂ = v + Δt T(a + g + χ (u − v̂)) + Δv_R                     Eqs. 44, 56, 58; drag implicit
//   x̂(α) = xⁿ + Δt T(v̂) + α n,   Φ(x̂(α), tⁿ⁺¹) = 0             Eqs. 57, 59
//   α ← α − Φ(x̂) / ∇Φ(x̂)·n,   α⁰ = Δt u·n                      Eq. 60
//   x = x̂(α), or x̂(α⁰) if that is farther than ε away, or if the surface there looks another way:
//   ∇Φ(x̂)·n < 0.1 |∇Φ(x̂)|                                      Eq. 61
//   v = (x − xⁿ) / Δt
//
// Δv_R is zero, or as printed: what brings |T(v)| at the end, with the normal there, back to
// |T(v̂)|. On a surface that moves it takes away what the surface gives.

// The foam's own forces are in v already: v holds v + Δt a.

/// Moves foam over `time`.
template <int D>
ManifoldReport advect_on_surface(Foam<D>& foam, const Vec<double, D>& gravity,
                                 const MovingSurface<D>& surface, const ManifoldLaw& law,
                                 Interval time, Context& context);

/// Of the surface where each particle is: out of the liquid, length 1; zero where there is none.
template <int D>
Array<Vec<double, D>> surface_normals(const Foam<D>& foam, const MovingSurface<D>& surface,
                                      double time, Context& context);

/// The nearest place on the surface along its own gradient, if it is found within `reach`.
template <int D>
bool project_on_surface(Point<D>& x, typename MovingSurface<D>::Reader& surface, double time,
                        double reach, double tolerance);

}  // namespace spume

// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>

#include "spume/scene/scene.h"

namespace spume {

/// A moving liquid with a formula: everything follows from place and time.
template <int D>
class AnalyticFlow {
  public:
    virtual ~AnalyticFlow() = default;
    /// m, negative in the liquid; its zero is exact, its size that of the distance to first order.
    virtual double phi(const Point<D>& x, double time) const = 0;
    /// m/s; above a surface of waves as on it or a little above.
    virtual Vec<double, D> velocity(const Point<D>& x, double time) const = 0;
};

/// The flow of a scene's bulk, which is "still" or "analytic".
///
/// stream          u = v + a t, the surface at rest or carried along
/// rotation        u = ω e_z × (x − pivot), a ball carried along
/// standing wave   linear theory, [Lam32] §228: η = a cos kx cos ωt, ω² = g k tanh kd; u is free of
/// divergence, the
///                 surface moves with u to first order in ka
/// Gerstner wave   [Lam32] §251: particles on circles, x = α − A sin θ, y = β + A cos θ with
///                 A = a e^{k(β − β₀)}, θ = kα − ωt, ω² = g k; exact for any ka < 1
/// free fall       u = v + g t, a ball carried along
template <int D>
std::unique_ptr<AnalyticFlow<D>> analytic_flow(const Scene& scene);

}  // namespace spume

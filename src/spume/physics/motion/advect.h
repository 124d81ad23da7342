// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/physics/domain/grid_domain.h"

namespace spume {

enum class Advection { kMacCormack, kSemiLagrangian };

/// Carries a velocity field along itself for a time dt: Du/Dt = 0.
///
/// Semi-Lagrangian with a midpoint back-trace, or MacCormack with the limiter of [SFK08]:
///   û = A(u),  ũ = A⁻¹(û),  u ← û + ½ (u − ũ), cut to the values around the foot of the trace.
/// Beyond walls the field continues constantly; where no tile is stored the water is at rest.
template <int D>
FaceField<double, D> advected(const FaceField<double, D>& velocity, const GridDomain<D>& domain,
                              double dt, Advection scheme, Context& context);

/// Carries `field` along another flow in the same way: Df/Dt = 0. Where no tile is stored it is
/// zero; the flow goes on there as it is at the nearest face.
template <int D>
FaceField<double, D> advected_along(const FaceField<double, D>& flow,
                                    const FaceField<double, D>& field, const GridDomain<D>& domain,
                                    double dt, Advection scheme, Context& context);

/// The largest component of velocity on any face.
template <int D>
double max_face_speed(const FaceField<double, D>& velocity, Context& context);

}  // namespace spume

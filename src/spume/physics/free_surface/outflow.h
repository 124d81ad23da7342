// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/domain/liquid_flow.h"
#include "spume/physics/free_surface/bubble_pressure.h"

namespace spume {

/// Volume of liquid that leaves through open sides of the box and into sinks, m³/s.
template <int D>
double outflow_of(const FaceField<double, D>& velocity, const FaceField<float, D>& area,
                  std::span<const SurfaceFace> faces, const LiquidFlow<D>& flow,
                  const GridDomain<D>& domain);

}  // namespace spume

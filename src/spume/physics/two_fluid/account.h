// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/two_fluid/two_fluid.h"

namespace spume {

/// Air that the grid sees, m³ (2D: m²): each face stands for 1/D of a cell.
template <int D>
double air_volume(const MixtureFaces<D>& mixture, double cell_volume, Context& context);

/// Σ φ_w u_w over faces, by volume: momentum over the water's density.
template <int D>
Vec<double, D> water_momentum(const FaceField<double, D>& water, const MixtureFaces<D>& mixture,
                              double cell_volume, Context& context);

}  // namespace spume

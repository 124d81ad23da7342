// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/report.h"
#include "spume/physics/solids.h"
#include "spume/surface/level_set.h"

namespace spume {

template <int D>
struct Viscosity {
    double dt = 0, density = 1000, viscosity = 0;  ///< dynamic, Pa·s
    bool no_slip_box = false;                      ///< the walls of the box hold the liquid
    double tolerance = 1e-6;
    FaceField<double, D> lightness{};  ///< `density` over that on faces; without tiles: 1
};

/// Implicit viscosity with a free surface: the velocity that minimises
///
///   ½ ∫ ρ |u − u*|²  +  Δt μ ∫ D(u) : D(u),   D = ½ (∇u + ∇uᵀ)
///
/// over the liquid [BB08] Eq. 6. Its natural boundary is a surface without traction; no-slip solids
/// enter as prescribed velocities. `fraction` is the liquid's part of each cell, `no_slip` says it
/// of each body.
template <int D>
SolveReport add_viscosity(FaceField<double, D>& velocity, const CellField<float, D>& fraction,
                          const Openings<D>& open, const Bodies<D>& bodies,
                          std::span<const std::uint8_t> no_slip, const Basin<D>& basin,
                          const Viscosity<D>& viscosity, Context& context);

}  // namespace spume
